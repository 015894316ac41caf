import Digest
import JSONDocument
import Synchronization
import Testing

@testable import TextEncoding

/// A model goes by every byte of its file, which is read once for each state of the file.
@Suite struct ModelRecordTests {
    private final class Notes: ModelRecords {
        private let kept = Mutex<[FileStamp: ModelRecord]>([:])
        private let asked = Mutex(0)

        var count: Int { kept.withLock { $0.count } }

        func record(of stamp: FileStamp) -> ModelRecord? { kept.withLock { $0[stamp] } }
        func keep(_ record: ModelRecord) { kept.withLock { $0[record.stamp] = record } }
    }

    @Test(arguments: ModelFolder.shapes.map(\.name))
    func `one changed weight in any tensor makes another model`(tensor: String) throws {
        let folder = try ModelFolder().filled()
        let first = try folder.encoder(.single).model
        try folder.change(tensor) { $0[$0.count / 3] += 0.5 }
        #expect(try folder.encoder(.single).model != first)
    }

    @Test func `a known file is not read again and has the same name`() throws {
        let (folder, notes) = (try ModelFolder().filled(), Notes())
        let first = try Encoder(directory: folder.path, records: notes)
        #expect(notes.count == 1)
        let again = try Encoder(directory: folder.path, records: notes)
        #expect(again.model == first.model && notes.count == 1)
        #expect(try Encoder(directory: folder.path).model == first.model)
    }

    @Test func `a file that was written again is read again`() throws {
        let (folder, notes) = (try ModelFolder().filled(), Notes())
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
