import Digest
import Foundation
import JSONDocument
import Synchronization
import Testing
import VectorSearch

@testable import TextEncoding

/// A model goes by every byte of its file, which is read once for each state of the file.
@Suite struct ModelRecordTests {
    private final class Notes: ModelRecords {
        private let kept = Mutex<[FileStamp: ModelRecord]>([:])
        private let folder: String
        private let packings = Mutex(0)

        init(_ folder: ModelFolder) { self.folder = folder.path }

        var count: Int { kept.withLock { $0.count } }

        func record(of stamp: FileStamp) -> ModelRecord? { kept.withLock { $0[stamp] } }
        func keep(_ record: ModelRecord) { kept.withLock { $0[record.stamp] = record } }

        /// How often layers were packed and handed over to be kept.
        var packingCount: Int { packings.withLock { $0 } }

        func path(ofPacked identity: String) -> String { folder + "/layers.packed" }

        func keep(packed bytes: [UInt8], of identity: String) {
            packings.withLock { $0 += 1 }
            #expect(throws: Never.self) {
                try Data(bytes).write(to: URL(filePath: path(ofPacked: identity)), options: .atomic)
            }
        }

        /// Changes the file of packed layers.
        func change(_ body: (inout [UInt8]) -> Void) throws {
            let url = URL(filePath: folder + "/layers.packed")
            var bytes = [UInt8](try Data(contentsOf: url))
            body(&bytes)
            try Data(bytes).write(to: url)
        }
    }

    private static let texts = ["warm gloves", "a b", "gloves"]

    @Test(arguments: EncoderPrecision.allCases.filter { $0.isAvailable(on: .best) })
    func `layers that were packed once are read, and give the same bits`(precision: EncoderPrecision) throws {
        let folder = try ModelFolder().filled()
        let notes = Notes(folder)
        func start() throws -> [Embedding] {
            try Encoder(directory: folder.path, precision: precision, records: notes).encode(Self.texts)
        }
        let fresh = try Encoder(directory: folder.path, precision: precision).encode(Self.texts)
        // The first start finds out about the file, the second packs and keeps, the others read.
        #expect(try [start(), start(), start(), start()].allSatisfy { $0 == fresh })
        #expect(notes.packingCount == 1)
    }

    @Test func `packed layers that are not as they were written are packed anew`() throws {
        let folder = try ModelFolder().filled()
        let notes = Notes(folder)
        let fresh = try Encoder(directory: folder.path).encode(Self.texts)
        for _ in 0..<2 { _ = try Encoder(directory: folder.path, records: notes).encode(Self.texts) }
        let changes: [(inout [UInt8]) -> Void] = [
            { $0[0] ^= 1 }, { $0[$0.count / 2] ^= 0x40 }, { $0[$0.count - 1] ^= 1 }, { $0[$0.count - 20] ^= 1 },
            { $0.removeLast() }, { $0.append(0) }, { $0 = [] },
        ]
        for (number, change) in changes.enumerated() {
            try notes.change(change)
            #expect(try Encoder(directory: folder.path, records: notes).encode(Self.texts) == fresh, "change \(number)")
            #expect(notes.packingCount == number + 2, "change \(number)")
        }
    }

    @Test func `a model that was taken up before is taken up when the first text comes`() throws {
        let folder = try ModelFolder().filled()
        let notes = Notes(folder)
        for _ in 0..<2 { _ = try Encoder(directory: folder.path, records: notes).encode(Self.texts) }
        try notes.change { $0 = [] }
        let encoder = try Encoder(directory: folder.path, records: notes)
        #expect(notes.packingCount == 1, "nobody looked at its layers")
        let texts = try encoder.encode(Self.texts)
        #expect(try notes.packingCount == 2 && texts == Encoder(directory: folder.path).encode(Self.texts))
    }

    @Test func `a tokenizer that was changed since is told of at once`() throws {
        let folder = try ModelFolder().filled()
        let notes = Notes(folder)
        for _ in 0..<2 { _ = try Encoder(directory: folder.path, records: notes) }
        try folder.write("[PAD]\n[UNK]\n[CLS]\n", "vocab.txt")
        let error = #expect(throws: EncoderError.self) { try Encoder(directory: folder.path, records: notes) }
        #expect(error?.code == .incomplete)
    }

    @Test func `what models are named by is what Swift prints of a tokenizer's settings`() {
        var settings = TokenizerSettings()
        settings.lowersCase = false
        settings.unknown = "<\"unk\\\u{1F36C}\n>"
        settings.literals = ["", "\t", "é"]
        for settings in [TokenizerSettings(), settings] { #expect(settings.identity == "\(settings)") }
    }

    @Test func `packed layers of other weights are not taken`() throws {
        let folder = try ModelFolder().filled()
        let notes = Notes(folder)
        for _ in 0..<2 { _ = try Encoder(directory: folder.path, records: notes).encode(Self.texts) }
        try folder.change("encoder.layer.0.intermediate.dense.weight") { $0[7] += 0.5 }
        let fresh = try Encoder(directory: folder.path).encode(Self.texts)
        for _ in 0..<3 { #expect(try Encoder(directory: folder.path, records: notes).encode(Self.texts) == fresh) }
        #expect(notes.packingCount == 2)
    }

    @Test(arguments: ModelFolder.shapes.map(\.name))
    func `one changed weight in any tensor makes another model`(tensor: String) throws {
        let folder = try ModelFolder().filled()
        let first = try folder.encoder(.single).model
        try folder.change(tensor) { $0[$0.count / 3] += 0.5 }
        #expect(try folder.encoder(.single).model != first)
    }

    @Test func `a known file is not read again and has the same name`() throws {
        let folder = try ModelFolder().filled()
        let notes = Notes(folder)
        let first = try Encoder(directory: folder.path, records: notes)
        #expect(notes.count == 1)
        let again = try Encoder(directory: folder.path, records: notes)
        #expect(again.model == first.model && notes.count == 1)
        #expect(try Encoder(directory: folder.path).model == first.model)
    }

    @Test func `a file that was written again is read again`() throws {
        let folder = try ModelFolder().filled()
        let notes = Notes(folder)
        let first = try Encoder(directory: folder.path, records: notes)
        try folder.change("embeddings.LayerNorm.bias") { $0[0] += 0.25 }
        #expect(try Encoder(directory: folder.path, records: notes).model != first.model)
        try folder.change("embeddings.LayerNorm.bias") { $0[0] = .nan }
        let error = #expect(throws: EncoderError.self) { try Encoder(directory: folder.path, records: notes) }
        #expect(error?.code == .damaged && notes.count == 2)
    }

    @Test func `a record is of one state of one file alone`() throws {
        let stamp = FileStamp(device: 1, inode: 2, size: 3, modified: 4, changed: 5)
        let record = ModelRecord(stamp: stamp, digest: SHA256Digest(of: "weights"))
        #expect(ModelRecord(record.json, of: stamp) == record)
        for other in [
            FileStamp(device: 9, inode: 2, size: 3, modified: 4, changed: 5),
            FileStamp(device: 1, inode: 9, size: 3, modified: 4, changed: 5),
            FileStamp(device: 1, inode: 2, size: 9, modified: 4, changed: 5),
            FileStamp(device: 1, inode: 2, size: 3, modified: 9, changed: 5),
            FileStamp(device: 1, inode: 2, size: 3, modified: 4, changed: 9),
        ] {
            #expect(ModelRecord(record.json, of: other) == nil)
        }
        for broken in ["{}", "[]", #"{"format": "knot.model-record/1"}"#] {
            #expect(ModelRecord(try JSONParser.parse(broken), of: stamp) == nil)
        }
    }
}
