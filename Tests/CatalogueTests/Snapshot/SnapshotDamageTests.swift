import Foundation
import JSONDocument
import KnotDomain
import TestSupport
import Testing
import VectorSearch

@testable import Catalogue

/// A catalogue on the disk is as it was written, or it says that it is not.
@Suite("A damaged catalogue", .onOwnThreads) struct SnapshotDamageTests {
    private static let query: SnapshotQuery = {
        var invented = InventedCatalogue(seed: 5)
        return SnapshotQuery(invented.phrases(3))
    }()

    /// A catalogue of a seed with something that is gone.
    private static func made(_ folder: String, seed: UInt64 = 3) throws {
        var invented = InventedCatalogue(seed: seed)
        let writer = try CatalogueWriter(folder: folder, segmentItems: 150)
        try writer.add(invented.items(0..<400))
        try writer.remove((0..<20).map { CandidateID("offer-\($0 * 7)") })
        try writer.commit()
    }

    private static func ids(_ folder: String) throws -> [String] {
        let snapshot = try CatalogueSnapshot(folder: folder)
        return try snapshot.offers(try snapshot.search(query).hits).map(\.item.candidate.id.text)
    }

    /// A catalogue that an earlier version made of an event of the year 10000, which it could not read again.
    @Test func `an offer that begins in no year that can be read again is offered to nobody and hinders nothing`()
        throws
    {
        let scratch = try ScratchFolder()
        let late = Candidate.invented("late", "Star map", description: "heaven")
        var fields = late.json.object ?? JSONObject()
        fields["starts_at"] = "10000-01-01T04:59:59Z"
        do {
            let writer = try CatalogueWriter(folder: scratch.path, segmentItems: 2)
            try writer.add([CatalogueItem(.invented("a", "Star chart"))])
            try writer.add(IndexedItem(CatalogueItem(late), json: JSONWriter.bytes(.object(fields))))
            try writer.add([CatalogueItem(.invented("b", "Star map"))])
            try writer.commit()
        }
        func found() throws -> [String] {
            let snapshot = try CatalogueSnapshot(folder: scratch.path, verifies: true)
            let hits = try snapshot.search(SnapshotQuery([CatalogueIndex.Phrase(text: "star map", vector: nil)])).hits
            return try snapshot.offers(hits).map(\.item.candidate.id.text)
        }
        #expect(try found() == ["b", "a"])
        let snapshot = try CatalogueSnapshot(folder: scratch.path)
        #expect(try snapshot.item(withID: late.id) == nil && snapshot.first(9, where: CatalogueFilter()).count == 2)
        #expect(
            try snapshot.placesWithoutVector().compactMap { try snapshot.candidate(at: $0)?.id.text } == ["a", "b"]
        )
        // Segments of which most is gone are joined, and it is withdrawn as any other.
        let second = try CatalogueWriter(folder: scratch.path, segmentItems: 2)
        try second.remove([CandidateID("a")])
        try second.commit()
        #expect(second.mergeAll() == nil)
        #expect(try found() == ["b"])
        try second.remove([late.id])
        try second.commit()
        #expect(second.mergeAll() == nil && second.tally.removed == 2 && second.count == 1)
        #expect(try found() == ["b"] && CatalogueSnapshot(folder: scratch.path).withdrawn == WithdrawnItems())
    }

    @Test func `a bit that flips anywhere is found, whichever file it is in`() async throws {
        let scratch = try ScratchFolder()
        try Self.made(scratch.path)
        let right = try Self.ids(scratch.path)
        var random = SeededRandom(seed: 77)
        for name in try scratch.names where name != ".lock" {
            let whole = try Data(contentsOf: URL(fileURLWithPath: scratch.file(name)))
            for _ in 0..<40 {
                await Task.yield()
                var bytes = whole
                let place = Int.random(in: 0..<bytes.count, using: &random)
                bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
                try bytes.write(to: URL(fileURLWithPath: scratch.file(name)))
                // Fillings between sections are nobody's; whatever else was changed is told.
                if let found = try? Self.ids(scratch.path) { #expect(found == right, "\(name), byte \(place)") }
            }
            try whole.write(to: URL(fileURLWithPath: scratch.file(name)))
        }
        #expect(try Self.ids(scratch.path) == right)
    }

    @Test func `a flipped bit of texts, words, columns or vectors is damage`() throws {
        let scratch = try ScratchFolder()
        try Self.made(scratch.path)
        let names = try scratch.names.filter { $0.hasPrefix("segment-") || $0.hasPrefix("gone-") }
        #expect(names.count == 7)
        for name in names {
            let whole = try Data(contentsOf: URL(fileURLWithPath: scratch.file(name)))
            var bytes = whole
            // Behind the header there is always something that counts.
            let place = name.hasPrefix("gone-") ? 24 : 4_096
            bytes[place] ^= 4
            try bytes.write(to: URL(fileURLWithPath: scratch.file(name)))
            let error = #expect(throws: CatalogueError.self) {
                try CatalogueSnapshot(folder: scratch.path, verifies: true)
            }
            #expect(error?.code == .damaged, "\(name)")
            try whole.write(to: URL(fileURLWithPath: scratch.file(name)))
        }
    }

    @Test func `whatever else a manifest says than what was written is damage`() throws {
        let scratch = try ScratchFolder()
        try Self.made(scratch.path)
        let path = scratch.file(SnapshotManifest.fileName)
        let whole = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        let right = try SnapshotManifest(whole, path: path)
        for place in whole.indices {
            var bytes = whole
            bytes[place] = bytes[place] == UInt8(ascii: "7") ? UInt8(ascii: "3") : UInt8(ascii: "7")
            if let found = try? SnapshotManifest(bytes, path: path) { #expect(found == right, "byte \(place)") }
        }
    }

    @Test func `a manifest of before has no checksum, and is read as far as it fits its segments`() throws {
        let scratch = try ScratchFolder()
        try Self.made(scratch.path)
        let right = try Self.ids(scratch.path)
        let path = scratch.file(SnapshotManifest.fileName)
        let whole = try JSONParser.parse(Array(try Data(contentsOf: URL(fileURLWithPath: path))))
        func write(_ name: String? = nil, _ value: JSONValue = nil) throws {
            var object = try #require(whole.object)
            object["checksum"] = nil
            if let name { object[name] = value }
            try Data(JSONWriter.bytes(.object(object))).write(to: URL(fileURLWithPath: path))
        }
        try write()
        #expect(try Self.ids(scratch.path) == right)
        let segments = try #require(whole["segments"]?.array)
        for (name, value) in [
            ("next_file", 1), ("next_ordinal", 7), ("count", 379), ("segments", .array(segments + [segments[0]])),
        ] as [(String, JSONValue)] {
            try write(name, value)
            let error = #expect(throws: CatalogueError.self, "\(name)") { try CatalogueSnapshot(folder: scratch.path) }
            #expect(error?.code == .damaged, "\(name)")
        }
    }

    @Test func `vectors that took long wait for another writer, and others do not`() async throws {
        let scratch = try ScratchFolder()
        let candidate = Candidate.invented("a", "Oak clock")
        var invented = InventedCatalogue(seed: 1)
        let made = invented.vector()
        let vector = try #require(made)
        var writer: CatalogueWriter? = try CatalogueWriter(folder: scratch.path)
        try writer?.add([CatalogueItem(candidate)])
        try writer?.commit()
        let folder = scratch.path
        let error = #expect(throws: CatalogueError.self) {
            try CatalogueWriter.keep([(candidate, vector)], in: folder, patience: .zero)
        }
        #expect(error?.code == .inUse)
        let keeping = Task.detached { try CatalogueWriter.keep([(candidate, vector)], in: folder) }
        await Task.yield()
        writer = nil
        #expect(try await keeping.value == 1)
        #expect(try CatalogueSnapshot(folder: folder).vectorCount == 1)
    }

    @Test func `a file that is cut, missing or another's is said to be`() throws {
        let scratch = try ScratchFolder()
        try Self.made(scratch.path)
        for name in try scratch.names where name != ".lock" {
            let whole = try Data(contentsOf: URL(fileURLWithPath: scratch.file(name)))
            // The last byte of the manifest is the end of its line.
            for count in [0, 7, whole.count / 2, whole.count - 2] {
                try whole.prefix(count).write(to: URL(fileURLWithPath: scratch.file(name)))
                #expect(throws: CatalogueError.self, "\(name) of \(count) bytes") { try Self.ids(scratch.path) }
            }
            try FileManager.default.removeItem(atPath: scratch.file(name))
            #expect(throws: CatalogueError.self, "no \(name)") { try Self.ids(scratch.path) }
            try whole.write(to: URL(fileURLWithPath: scratch.file(name)))
        }
        _ = try Self.ids(scratch.path)
    }

    @Test func `a file that is cut short while it is searched ends no process`() throws {
        let scratch = try ScratchFolder()
        try Self.made(scratch.path)
        let snapshot = try CatalogueSnapshot(folder: scratch.path)
        for name in try scratch.names where name.hasPrefix("segment-") {
            let handle = try #require(FileHandle(forUpdatingAtPath: scratch.file(name)))
            try handle.truncate(atOffset: 0)
            try handle.close()
        }
        let error = #expect(throws: CatalogueError.self) { try snapshot.search(Self.query) }
        #expect(error?.code == .damaged)
    }

    @Test func `a writer that stops before its commit leaves what was there`() throws {
        let scratch = try ScratchFolder()
        try Self.made(scratch.path)
        let right = try Self.ids(scratch.path)
        let names = try scratch.names
        for _ in 0..<3 {
            let writer = try CatalogueWriter(folder: scratch.path, segmentItems: 10)
            var invented = InventedCatalogue(seed: 9)
            try writer.add(invented.items(300..<600))
            try writer.remove([CandidateID("offer-1")])
            #expect(try Self.ids(scratch.path) == right)
        }
        #expect(try scratch.names == names)
    }

    @Test func `there is one writer at a time, and readers keep what they have opened`() throws {
        let scratch = try ScratchFolder()
        try Self.made(scratch.path)
        let before = try CatalogueSnapshot(folder: scratch.path)
        let right = try before.search(Self.query).hits.map(\.ordinal)
        let writer = try CatalogueWriter(folder: scratch.path, startsAnew: true)
        let error = #expect(throws: CatalogueError.self) { try CatalogueWriter(folder: scratch.path) }
        #expect(error?.code == .inUse)
        var invented = InventedCatalogue(seed: 10)
        try writer.add(invented.items(0..<50))
        try writer.commit()
        #expect(try CatalogueSnapshot(folder: scratch.path).count == 50)
        #expect(try before.search(Self.query).hits.map(\.ordinal) == right)
    }

    @Test func `vectors of two models never stand in one catalogue`() throws {
        let scratch = try ScratchFolder()
        try Self.made(scratch.path)
        var values = [Float](repeating: 0, count: Embedding.dimension)
        values[0] = 1
        let other = try #require(Embedding(values, model: "another"))
        let writer = try CatalogueWriter(folder: scratch.path)
        let error = #expect(throws: CatalogueError.self) {
            try writer.add([CatalogueItem(Candidate.invented("z", "Kite"), vector: other)])
        }
        #expect(error?.code == .otherModel)
        // Once no vector is left, there is none that another could stand beside.
        try writer.remove((0..<400).map { CandidateID("offer-\($0)") })
        try writer.commit()
        #expect(writer.mergeAll() == nil)
        #expect(try CatalogueSnapshot(folder: scratch.path).model == nil)
        try writer.add([CatalogueItem(Candidate.invented("z", "Kite"), vector: other)])
        try writer.commit()
        #expect(try CatalogueSnapshot(folder: scratch.path).model == "another")
    }

    @Test func `vectors that are shorter than those that are there, or longer than any, stand in no catalogue`() throws
    {
        let scratch = try ScratchFolder()
        func file(_ dimension: Int) throws -> String {
            var matrix = try EmbeddingMatrix(model: InventedCatalogue.model, dimension: dimension)
            try matrix.append([Float](repeating: 1, count: dimension).span, id: "z")
            try matrix.write(to: scratch.file("\(dimension)"))
            return scratch.file("\(dimension)")
        }
        let kite = Candidate.invented("z", "Kite")
        let writer = try CatalogueWriter(folder: scratch.file("catalogue"))
        for dimension in [100, 64, 128, 768] { try writer.ensureFit(try VectorsByID(try file(dimension))) }
        try writer.add([CatalogueItem(kite, vector: try VectorsByID(scratch.file("100")).vector(of: kite.id))])
        try writer.commit()
        for dimension in [100, 128, 768] { try writer.ensureFit(try VectorsByID(try file(dimension))) }
        let error = #expect(throws: CatalogueError.self) { try writer.ensureFit(try VectorsByID(try file(64))) }
        #expect(error?.code == .otherModel)
        let longer = #expect(throws: CatalogueError.self) { try VectorsByID(try file(769)) }
        #expect(longer?.code == .badVectors)
    }

    @Test func `vectors of another model are refused as that, whatever their length`() throws {
        let scratch = try ScratchFolder()
        func vectors(_ model: String, _ dimension: Int) throws -> VectorsByID {
            var matrix = try EmbeddingMatrix(model: model, dimension: dimension)
            try matrix.append([Float](repeating: 1, count: dimension).span, id: "z")
            try matrix.write(to: scratch.file(model))
            return try VectorsByID(scratch.file(model))
        }
        let kite = Candidate.invented("z", "Kite")
        let writer = try CatalogueWriter(folder: scratch.file("catalogue"))
        try writer.add([CatalogueItem(kite, vector: try vectors("m", 768).vector(of: kite.id))])
        try writer.commit()
        for dimension in [384, 768] {
            let error = #expect(throws: CatalogueError.self) { try writer.ensureFit(try vectors("other", dimension)) }
            #expect(error?.code == .otherModel && error?.detail.contains("other") == true)
        }
    }

    @Test func `a row of vectors that points nowhere is none, and counts as none`() throws {
        let scratch = try ScratchFolder()
        var matrix = try EmbeddingMatrix(model: "m", dimension: 64)
        for (id, value) in [("a", 1), ("zero", 0)] as [(String, Float)] {
            try matrix.append([Float](repeating: value, count: 64).span, id: id)
        }
        try matrix.write(to: scratch.file("v"))
        let vectors = try VectorsByID(scratch.file("v"))
        #expect(try vectors.vector(of: CandidateID("a")) != nil && vectors.vector(of: CandidateID("zero")) == nil)
        #expect(vectors.counts == (2, 1))
    }

    @Test func `a copy of a folder is looked at byte for byte until check has done it`() throws {
        let scratch = try ScratchFolder()
        let (one, other) = (scratch.file("one"), scratch.file("other"))
        try Self.made(one)
        #expect(try CatalogueSnapshot(folder: one).wasTrusted)
        try FileManager.default.copyItem(atPath: one, toPath: other)
        #expect(try !CatalogueSnapshot(folder: other).wasTrusted)
        #expect(try Self.ids(other) == Self.ids(one))
        try CatalogueWriter(folder: other).verify()
        #expect(try CatalogueSnapshot(folder: other).wasTrusted)
    }

    @Test func `a folder with other files is never made a catalogue, and loses none of them`() throws {
        let scratch = try ScratchFolder()
        _ = try scratch.write("mine", to: "segment-notes.csv")
        let error = #expect(throws: CatalogueError.self) { try CatalogueWriter(folder: scratch.path) }
        #expect(error?.code == .occupied)
        #expect(try scratch.names == ["segment-notes.csv"])
    }

    @Test func `what somebody puts beside a catalogue stays, and what a stopped writer left goes`() throws {
        let scratch = try ScratchFolder()
        try Self.made(scratch.path)
        let own = [
            "segment-notes.csv", "segment-12.bak", "gone-fishing", "segment-", "gone-7.vectors", ".mine.part", "notes",
            "segment-9223372036854775807", ".segment-x.1.part",
        ]
        let strays = [
            "segment-900", "segment-900.vectors", "gone-901", ".segment-902.abc.part", ".catalogue.json.x.part",
        ]
        for name in own + strays { _ = try scratch.write("x", to: name) }
        do {
            let writer = try CatalogueWriter(folder: scratch.path)
            try writer.remove([CandidateID("offer-1")])
            try writer.commit()
        }
        let names = Set(try scratch.names)
        #expect(names.isSuperset(of: own))
        #expect(names.isDisjoint(with: strays))
        // Made anew, it gives no file the name of one that is there.
        let anew = try CatalogueWriter(folder: scratch.path, startsAnew: true)
        try anew.commit()
        #expect(Set(try scratch.names).isSuperset(of: own))
    }

    @Test func `segments that are nearly full are left as they are when few of their offers go`() throws {
        let scratch = try ScratchFolder()
        var invented = InventedCatalogue(seed: 14)
        let writer = try CatalogueWriter(folder: scratch.path, segmentItems: 64)
        try writer.add(invented.items(0..<64 * 9))
        try writer.remove((0..<9).map { CandidateID("offer-\($0 * 64)") })
        try writer.commit()
        #expect(try !writer.merge())
        // And one of which most is gone is written again.
        try writer.remove((1..<60).map { CandidateID("offer-\($0)") })
        try writer.commit()
        #expect(try writer.merge() && !writer.merge())
        let snapshot = try CatalogueSnapshot(folder: scratch.path)
        #expect(snapshot.segmentCount == 9 && snapshot.goneCount == 8 && snapshot.count == 64 * 9 - 9 - 59)
    }

    @Test func `a pipe that is called as a catalogue is told of and not waited for`() throws {
        let scratch = try ScratchFolder()
        #expect(unsafe mkfifo(scratch.file(SnapshotManifest.fileName), 0o600) == 0)
        let error = #expect(throws: CatalogueError.self) { try CatalogueSnapshot(folder: scratch.path) }
        #expect(error?.code == .unreadable)
        #expect(throws: CatalogueError.self) { try CatalogueWriter(folder: scratch.path) }
    }
}
