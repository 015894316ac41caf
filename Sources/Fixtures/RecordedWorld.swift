import Digest
import FoundationEssentials
import HintRules
import JSONDocument
import KnotDomain
import Recommendation
import StageGraph

/// What a recorded run saw of the outside.
struct RecordedWorld: Sendable {
    let vault: Vault
    /// The time the run took from its clock; nil when it was given one.
    let now: Instant?
    /// Everything the providers answered, in the recording's order.
    let candidates: [Candidate]
    /// One for every candidate; what nobody looked at is available.
    let facts: [CandidateID: AvailabilityFact]
    let reader: any HintReader
    /// Providers that had no answer but a failure.
    let lostProviders: [ProviderName: StageFailure]

    /// A recording without a vault is of a run that never began.
    init(_ cassette: Cassette, file: String) throws(FixtureError) {
        func values(_ kind: EffectKind) -> [JSONValue] {
            cassette.effects.compactMap { effect in
                if effect.kind == kind, case .value(let value) = effect.answer { value } else { nil }
            }
        }
        guard let written = values(.vaultRead).first else {
            throw FixtureError(.malformed, file: file, "the recording has no vault: its run never began")
        }
        let vault: Vault = try Self.read(written, "vault", file) { Vault(reading: $0) }
        self.vault = vault
        now = values(.clock).first?.string.flatMap(Instant.init(iso8601:))
        var candidates: [Candidate] = []
        for found in values(.providerSearch) {
            candidates += try Self.read(found.recordedCandidates, "candidates", file) { reader in
                reader.items().compactMap { Candidate(reading: $0) }
            }
        }
        self.candidates = candidates
        let hints = Set(vault.hints.map(\.id))
        let reading = try values(.hintReading).first.map { value throws(FixtureError) in
            try Self.read(value, "readings", file) { VaultReading(reading: $0, knownHints: hints) }
        }
        let byRules = cassette.request["reader"]?.string == RulesReader.name
        reader = byRules ? RulesReader() : reading.map { RecordedReader($0) } ?? RulesReader()
        facts = try Self.facts(of: candidates, cassette, file)
        lostProviders = Self.lost(cassette)
    }

    /// What the pages said; a page without an answer may stand, like one behind a bot wall.
    private static func facts(
        of candidates: [Candidate],
        _ cassette: Cassette,
        _ file: String
    ) throws(FixtureError) -> [CandidateID: AvailabilityFact] {
        var facts: [CandidateID: AvailabilityFact] = [:]
        for candidate in candidates {
            facts[candidate.id] = AvailabilityFact(check: .available, checkedPriceCents: nil)
        }
        for effect in cassette.effects where effect.kind == .availabilityProbe {
            guard let id = effect.key.array?.first?.string else {
                throw FixtureError(.malformed, file: file, "a recorded look at a page does not say whose it is")
            }
            switch effect.answer {
            case .failure: facts[CandidateID(id)] = AvailabilityFact(check: .blocked, checkedPriceCents: nil)
            case .value(let value):
                guard let probe = AvailabilityProbe(json: value) else {
                    throw FixtureError(.malformed, file: file, "a recorded look at a page cannot be read")
                }
                facts[CandidateID(id)] = AvailabilityFact(probe)
            }
        }
        return facts
    }

    private static func lost(_ cassette: Cassette) -> [ProviderName: StageFailure] {
        var lost: [ProviderName: StageFailure] = [:]
        var heard: Set<ProviderName> = []
        for effect in cassette.effects where effect.kind == .providerSearch {
            guard let name = effect.key["provider"]?.string.flatMap(ProviderName.init(rawValue:)) else { continue }
            switch effect.answer {
            case .value: heard.insert(name)
            case .failure(let failure): lost[name] = failure
            }
        }
        return lost.filter { !heard.contains($0.key) }
    }

    private static func read<Value>(
        _ value: JSONValue,
        _ what: String,
        _ file: String,
        _ read: (JSONReader) -> Value?
    ) throws(FixtureError) -> Value {
        let reader = JSONReader(value, path: "$.\(what)")
        guard let result = read(reader), reader.problems.list.isEmpty else {
            throw FixtureError(
                .malformed,
                file: file,
                "the recorded \(what) cannot be read",
                problems: reader.problems.list
            )
        }
        return result
    }
}

extension AvailabilityFact {
    /// The fact that a pipeline draws the same verdict from as from the recorded look.
    init(_ probe: AvailabilityProbe) {
        let check: Check
        switch (probe.signal, probe.status) {
        case (.outOfStock, _): check = .soldOut
        case (.permanentlyClosed, _): check = .closed
        case (_, 404), (_, 410), (.misleading, _): check = .gone
        case (_, .some(200..<400)): check = probe.price == .notLooked ? .available : .priceChanged
        default: check = .blocked
        }
        var price: Int?
        if check == .priceChanged, case .minorUnits(let amount) = probe.price { price = amount }
        self.init(check: check, checkedPriceCents: price)
    }
}

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
        do throws(SealedLinesError) {
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
            lostProviders: world.lostProviders,
            isRecorded: true
        )
    }

    /// The recorded readings, unless others are asked for.
    private func reader(_ world: RecordedWorld, stem: String) throws(FixtureError) -> (any HintReader, [UInt8]) {
        switch readings {
        case .rules: return (RulesReader(), [])
        case .beside: return (world.reader, [])
        case .path: return try FixtureLoader(readings: readings).reader(stem: stem, folder: "", of: world.vault)
        }
    }
}
