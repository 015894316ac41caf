import Fixtures
import Foundation
import JSONDocument
import KnotDomain
import Testing

/// Holds the judged vaults in `fixtures/vaults` to the format written beside them.
@Suite struct FixtureFilesTests {
    static let folder = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "fixtures/vaults")
    static let stems = (1...28).map { $0 < 10 ? "dev-0\($0)" : "dev-\($0)" }

    private func document(_ path: String) throws -> JSONValue {
        try JSONParser.parse([UInt8](Data(contentsOf: Self.folder.appending(path: path))))
    }

    private func fixture(_ stem: String) throws -> Fixture {
        let reader = JSONReader(try document("\(stem).json"))
        let fixture = Fixture(reading: reader)
        return try #require(fixture, "\(reader.problems.list)")
    }

    @Test func `a pipe among the fixtures is told of, and nobody waits for it`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "fixtures-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        defer { #expect(throws: Never.self) { try FileManager.default.removeItem(atPath: folder) } }
        // The path is alive for the call.
        #expect(unsafe mkfifo(folder + "/f.json", 0o600) == 0)
        let error = #expect(throws: FixtureError.self) { try FixtureLoader.files(in: folder) }
        #expect(error.map { "\($0)" }?.contains("f.json") == true)
    }

    @Test func `lists every file of the folder here`() throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
        #expect(Set(files) == Set(Self.stems.map { "\($0).json" } + ["readings", "rates.json", "FORMAT.md"]))
        let readings = try FileManager.default.contentsOfDirectory(atPath: Self.folder.appending(path: "readings").path)
        #expect(Set(readings) == Set(Self.stems.map { "\($0).json" }))
    }

    @Test(arguments: stems) func `reads every vault and its reading without a problem`(stem: String) throws {
        let fixture = try fixture(stem)
        let hints = Set(fixture.vault.hints.map(\.id))
        let reader = JSONReader(try document("readings/\(stem).json"))
        let reading = try #require(VaultReading(reading: reader, knownHints: hints), "\(reader.problems.list)")
        #expect(Set(reading.hints.map(\.hintID)) == hints)
    }

    @Test(arguments: stems) func `writes a vault and its candidates back as they were`(stem: String) throws {
        let document = try document("\(stem).json")
        let fixture = try fixture(stem)
        #expect(fixture.vault.json == document["vault"])
        for (candidate, original) in zip(fixture.candidates, document["candidates"]?.array ?? []) {
            var plain = try #require(original.object)
            plain["check"] = nil
            plain["checked_price_cents"] = nil
            // 5.0 and 5 are one number in JSON, but not in Swift.
            plain["rating"] = JSONValue(original["rating"]?.double)
            #expect(candidate.json == .object(plain))
        }
        let reading = try self.document("readings/\(stem).json")
        let read = try #require(
            VaultReading(reading: JSONReader(reading), knownHints: Set(fixture.vault.hints.map(\.id)))
        )
        #expect(JSONWriter.text(read.json, style: .canonical) == JSONWriter.text(reading, style: .canonical))
    }

    @Test(arguments: stems) func `keeps the rules that make a case worth judging`(stem: String) throws {
        let fixture = try fixture(stem)
        let vault = fixture.vault
        let asOf = try #require(fixture.asOf)
        #expect(vault.likes.count == 5 && vault.dislikes.count == 5)
        #expect((vault.likes + vault.dislikes).allSatisfy { $0.known?.rawValue == $0.name })
        #expect(vault.milestones.allSatisfy { $0.recurrence == .oneTime || $0.date.year == 2000 })
        #expect(vault.hints.allSatisfy { $0.createdAt <= asOf })
        #expect(fixture.request != nil && fixture.story != nil)
        #expect(fixture.duplicateCandidates.isEmpty)
        let judgments = try #require(fixture.judgments)
        #expect(Set(judgments.keys) == Set(fixture.candidates.map(\.id)))
        for candidate in fixture.candidates {
            let fact = try #require(fixture.facts[candidate.id])
            let isObtainable = ![.soldOut, .closed, .gone].contains(fact.check)
            #expect(isObtainable || judgments[candidate.id]?.isForbidden == true, "\(candidate.id)")
            #expect(candidate.provider != .catalogue)
        }
    }

    @Test func `has the rates that are built in`() throws {
        let rates = try #require(Rates(reading: JSONReader(try document("rates.json")), source: "embedded"))
        #expect(rates == Rates.embedded)
    }
}
