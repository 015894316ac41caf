import Foundation
import JSONDocument
import KnotDomain
import Recommendation
import TestSupport
import Testing
import VectorSearch

@testable import Catalogue

/// A process that runs for weeks finds what is in a catalogue now, and never less than the last that could be read.
@Suite("A catalogue that a process goes on searching") struct FollowedCatalogueTests {
    private static func add(_ ids: ClosedRange<Int>, to folder: String) throws {
        let writer = try CatalogueWriter(folder: folder)
        try writer.add(ids.map { CatalogueItem(.invented("offer-\($0)", "Star map \($0)")) })
        try writer.commit()
    }

    @Test func `is the last that could be read while what is there now cannot be`() throws {
        let scratch = try ScratchFolder()
        let folder = scratch.file("offers")
        try Self.add(1...3, to: folder)
        let followed = FollowedCatalogue(.folder(try CatalogueSnapshot(folder: folder)))
        let manifest = folder + "/" + SnapshotManifest.fileName
        let right = try #require(FileManager.default.contents(atPath: manifest))
        for bytes in [Data(), Data("{}".utf8), right.dropLast(40)] {
            try bytes.write(to: URL(fileURLWithPath: manifest))
            #expect(followed.now().snapshot?.count == 3)
        }
        try FileManager.default.removeItem(atPath: manifest)
        #expect(followed.now().snapshot?.count == 3)
        try right.write(to: URL(fileURLWithPath: manifest))
        try Self.add(4...5, to: folder)
        #expect(followed.now().snapshot?.count == 5)
    }

    @Test func `has what was added and not what was removed, from the commit on`() throws {
        let scratch = try ScratchFolder()
        try Self.add(1...2, to: scratch.path)
        let followed = FollowedCatalogue(.folder(try CatalogueSnapshot(folder: scratch.path)))
        let candidate = Candidate.invented("offer-1", "Star map 1")
        #expect(try followed.now().probe(candidate)?.signal == .inStock)
        try Self.add(3...9, to: scratch.path)
        #expect(followed.now().snapshot?.count == 9)
        let writer = try CatalogueWriter(folder: scratch.path)
        try writer.remove([candidate.id])
        #expect(try followed.now().probe(candidate)?.signal == .inStock)
        try writer.commit()
        #expect(try followed.now().probe(candidate) == nil)
    }

    @Test func `says of an offer whose page turned others away that nobody knows whether it can be had`() throws {
        let scratch = try ScratchFolder()
        let (open, blocked) = (Candidate.invented("a", "Star map"), Candidate.invented("b", "Sea map"))
        do {
            let writer = try CatalogueWriter(folder: scratch.path, segmentItems: 1_024)
            try writer.add([CatalogueItem(open), CatalogueItem(blocked, isBlocked: true)])
            for number in 0..<8 {
                try writer.add([CatalogueItem(.invented("c\(number)", "Map"))])
                try writer.commit()
            }
            #expect(writer.mergeAll() == nil)
            #expect(try CatalogueSnapshot(folder: scratch.path).segmentCount == 1)
        }
        let vector = try #require(Embedding([1] + Array(repeating: 0, count: Embedding.dimension - 1), model: "m"))
        #expect(try CatalogueWriter.keep([(blocked, vector)], in: scratch.path) == 1)
        var line = blocked.json.object ?? JSONObject()
        line["check"] = "blocked"
        let lines = [open.json, .object(line)].map { JSONWriter.text($0) }.joined(separator: "\n")
        for named in [
            NamedCatalogue.folder(try CatalogueSnapshot(folder: scratch.path)),
            .file(try CatalogueFile(Array(lines.utf8), name: "offers.jsonl")),
        ] {
            #expect(try named.probe(open) == AvailabilityProbe(status: 200, signal: .inStock, price: .notLooked))
            #expect(try named.probe(blocked) == AvailabilityProbe(status: 403, signal: .none, price: .notLooked))
        }
        // It can be had again.
        let second = try CatalogueWriter(folder: scratch.path)
        try second.add([CatalogueItem(blocked)])
        try second.commit()
        #expect(second.tally.replaced == 1)
        let now = try CatalogueSnapshot(folder: scratch.path)
        #expect(try NamedCatalogue.folder(now).probe(blocked)?.signal == .inStock)
        #expect(try now.item(withID: blocked.id)?.vector != nil)
    }

    @Test func `fills its pool with offers of the providers that are asked alone`() async throws {
        let scratch = try ScratchFolder()
        let writer = try CatalogueWriter(folder: scratch.path)
        try writer.add((0..<300).map { CatalogueItem(.invented("much-\($0)", "Star map", provider: "elsewhere")) })
        try writer.add(
            (0..<20).map { CatalogueItem(.invented("few-\($0)", "A map that shows one star", provider: .amazon)) }
        )
        try writer.commit()
        let snapshot = try CatalogueSnapshot(folder: scratch.path)
        let query = CatalogueScenes.query(["star map"], .amazon)
        let asked = SnapshotProvider(snapshot, embedder: nil, asked: [.amazon], pool: 60)
        #expect(try await asked.candidates(for: query).count == 20)
        let all = SnapshotProvider(snapshot, embedder: nil, pool: 60)
        #expect(try await all.candidates(for: CatalogueScenes.query(["star map"], "elsewhere")).count == 50)
        #expect(all.capabilities.contains { $0.name == "elsewhere" })
    }

    @Test func `is searched by a run as it is when the run begins, and all of it as it is then`() async throws {
        let scratch = try ScratchFolder()
        try Self.add(1...2, to: scratch.path)
        let followed = FollowedCatalogue(.folder(try CatalogueSnapshot(folder: scratch.path)))
        func provider() -> FollowedProvider {
            FollowedProvider(followed, embedder: nil, asked: [.amazon], threads: 1)
        }
        func found(_ provider: FollowedProvider) async throws -> Set<String> {
            Set(try await provider.candidates(for: CatalogueScenes.query(["star map"], .amazon)).map(\.id.text))
        }
        let (first, second) = (provider(), provider())
        #expect(try await found(first) == ["offer-1", "offer-2"])
        let writer = try CatalogueWriter(folder: scratch.path, startsAnew: true)
        try writer.add([CatalogueItem(.invented("new", "Star map"))])
        try writer.commit()
        #expect(try await found(second) == ["new"])
        #expect(try await found(first) == ["offer-1", "offer-2"])
    }
}
