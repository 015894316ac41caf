import Digest
import FoundationEssentials
import JSONDocument
import KnotDomain
import Recommendation
import StageGraph

/// Reads recorded runs as fixtures: the vault, what the providers answered, what the pages said, how the hints were read.
///
/// So any pipeline runs on what was recorded. A page that nobody looked at is available, as in a fixture that says
/// nothing of it, and the judgments are those of the fixture of the same vault, occasion and time, where there is one.
package struct RecordingLoader: Sendable {
    private let readings: ReadingsChoice
    private let judged: [FixtureCase]

    package init(readings: ReadingsChoice = .beside, judged: [FixtureCase] = []) {
        self.readings = readings
        self.judged = judged.filter(\.fixture.isJudged)
    }

    /// Whether these bytes begin as a recording does, complete or not.
    package static func isRecording(_ bytes: some Sequence<UInt8>) -> Bool {
        bytes.starts(with: "{\"schema\":\"knot.cassette/".utf8)
    }

    package func load(_ path: String) throws(FixtureError) -> FixtureCase {
        let bytes = try FixtureLoader.bytes(path)
        let cassette: Cassette
        do throws(CassetteError) {
            cassette = try Cassette(ndjson: bytes)
        } catch {
            throw FixtureError(.malformed, file: path, "\(error.message) (line \(error.line))")
        }
        let request = JSONReader(cassette.request, path: "$.request")
        guard let recorded = RecordedRequest(reading: request) else {
            throw FixtureError(
                .malformed,
                file: path,
                "the recording's request cannot be read",
                problems: request.problems.list
            )
        }
        let world = try RecordedWorld(cassette, file: path)
        let asOf = recorded.request.asOf ?? world.now
        // What was judged for another day may be too late or sold out on this one.
        let judging = judged.first {
            $0.fixture.vault.id == world.vault.id && $0.occasion == recorded.request.occasion
                && $0.fixture.asOf == asOf
        }
        let stem = URL(filePath: path).deletingPathExtension().lastPathComponent
        let (reader, readingBytes) = try reader(world, stem: stem)
        return FixtureCase(
            stem: stem,
            fixture: Fixture(
                name: stem,
                story: judging?.fixture.story,
                asOf: asOf,
                request: nil,
                vault: world.vault,
                candidates: CandidateList(world.candidates),
                facts: world.facts,
                judgments: judging?.fixture.judgments
            ),
            reader: reader,
            rates: recorded.rates,
            digest: SHA256Digest(of: SHA256Digest(of: bytes).bytes + readingBytes).hex,
            occasion: recorded.request.occasion,
            refresh: recorded.request.refresh,
            lostProviders: world.lostProviders
        )
    }

    /// The recorded readings, unless others are asked for.
    private func reader(
        _ world: RecordedWorld,
        stem: String
    ) throws(FixtureError) -> (any HintReader, [UInt8]) {
        switch readings {
        case .rules: return (RulesReader(), [])
        case .beside: return (world.reader, [])
        case .path: return try FixtureLoader(readings: readings).reader(stem: stem, folder: "", of: world.vault)
        }
    }
}
