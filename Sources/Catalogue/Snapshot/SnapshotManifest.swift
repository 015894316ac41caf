import FileInput
import Glibc
import JSONDocument
import VectorSearch

/// What a catalogue's folder holds: which segments, in their order, and what of them is gone.
///
/// It is the one file that is replaced; whoever reads it finds all that it names, and what it does not name is nobody's.
struct SnapshotManifest: Sendable, Equatable {
    static let format = "knot.catalogue/1"
    static let fileName = "catalogue.json"

    struct Segment: Sendable, Equatable {
        let name: String
        let count: Int
        let vectorCount: Int
        /// What the file system said of the segment's files when every byte of them was known to be right.
        var stamps: [SegmentStamp]
    }

    var segments: [Segment] = []
    /// The file of what is gone, nil for nothing.
    var gone: String?
    var goneCount = 0
    /// The ordinal of the next item.
    var nextOrdinal: UInt64 = 0
    /// The number of the next file.
    var nextFile = 1
    /// The model of all vectors; nil while there is none.
    var model: String?
    /// Where the source of the offers stood, in its own words.
    var mark: String?

    /// How many offers there are.
    var count: Int { segments.reduce(0) { $0 + $1.count } - goneCount }

    init() {}

    /// With a checksum over all the rest.
    var json: JSONValue {
        var object = content.object ?? JSONObject()
        object[Self.checksum] = .string(Self.checksum(of: object))
        return .object(object)
    }

    private static let checksum = "checksum"

    private static func checksum(of object: JSONObject) -> String {
        let bytes = JSONWriter.bytes(.object(object), style: .canonical)
        return String(Checksum.of(bytes.span), radix: 16)
    }

    private var content: JSONValue {
        [
            "schema": .string(Self.format), "count": .integer(count), "model": JSONValue(model),
            "mark": JSONValue(mark), "gone": JSONValue(gone), "gone_count": .integer(goneCount),
            "next_ordinal": .integer(Int(nextOrdinal)), "next_file": .integer(nextFile),
            "segments": .array(
                segments.map { segment in
                    [
                        "name": .string(segment.name), "count": .integer(segment.count),
                        "vectors": .integer(segment.vectorCount),
                        "stamps": .array(segment.stamps.map { .array($0.numbers.map { .string(String($0)) }) }),
                    ]
                }
            ),
        ]
    }

    /// Reads a manifest's bytes.
    init(_ bytes: [UInt8], path: String) throws(CatalogueError) {
        guard let document = try? JSONParser.parse(bytes), let schema = document["schema"]?.string else {
            throw CatalogueError(.damaged, path, "it is no manifest of a catalogue")
        }
        guard schema == Self.format else {
            let isKnown = schema.hasPrefix("knot.catalogue/")
            throw CatalogueError(isKnown ? .newer : .damaged, path, "it has the format \(schema.prefix(40))")
        }
        var object = document.object ?? JSONObject()
        // Those of earlier versions have none.
        if let told = object[Self.checksum] {
            object[Self.checksum] = nil
            guard told.string == Self.checksum(of: object) else {
                throw CatalogueError(.damaged, path, "its checksum does not fit it")
            }
        }
        let reader = JSONReader(document)
        let most = 1 << 50
        for item in reader.required("segments")?.items() ?? [] {
            let name = item.required("name")?.string() ?? ""
            if !Self.isPlain(name) { item.note("is no name of a segment") }
            segments.append(
                Segment(
                    name: name,
                    count: item.required("count")?.int(in: 0...SegmentLayout.mostItems) ?? 0,
                    vectorCount: item.required("vectors")?.int(in: 0...SegmentLayout.mostItems) ?? 0,
                    stamps: item.required("stamps")?.items().compactMap { stamp in
                        SegmentStamp(stamp.items().compactMap { $0.string().flatMap { Int64($0) } })
                    } ?? []
                )
            )
        }
        gone = reader.optional("gone")?.string()
        if let gone, !Self.isPlain(gone) { reader.note("is no name of a file", at: "gone") }
        goneCount = reader.required("gone_count")?.int(in: 0...most) ?? 0
        nextOrdinal = UInt64(reader.required("next_ordinal")?.int(in: 0...most) ?? 0)
        nextFile = reader.required("next_file")?.int(in: 1...most) ?? 1
        model = reader.optional("model")?.string()
        mark = reader.optional("mark")?.string()
        if let told = reader.optional("count")?.int(in: 0...most), told != count {
            reader.note("is not what its segments have", at: "count")
        }
        let numbers = (segments.map(\.name) + (gone.map { [$0] } ?? [])).compactMap { FolderFiles.number(of: $0) }
        if Set(segments.map(\.name)).count < segments.count { reader.note("names one twice", at: "segments") }
        if let last = numbers.max(), last >= nextFile { reader.note("is a file's that is there", at: "next_file") }
        guard let problem = reader.problems.list.first else { return }
        throw CatalogueError(.damaged, path, "\(problem)")
    }

    /// A name that leads nowhere else.
    private static func isPlain(_ name: String) -> Bool {
        !name.isEmpty && name.utf8.count < 64
            && name.utf8.allSatisfy { byte in
                (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || byte == 0x2D
            }
    }
}

/// What the file system says of a file: as long as it says the same, nobody has written to it.
struct SegmentStamp: Sendable, Equatable {
    /// Device, inode, bytes, and when its content and its entry last changed, in nanoseconds.
    let numbers: [Int64]

    /// Nil for any other count of numbers.
    init?(_ numbers: [Int64]) {
        guard numbers.count == 5 else { return nil }
        self.numbers = numbers
    }

    /// What is said of a file now; nil where there is none.
    init?(of path: String) {
        var status = stat()
        // The structure is alive for the call, which fills it.
        guard unsafe stat(path, &status) == 0 else { return nil }
        numbers = [
            Int64(truncatingIfNeeded: status.st_dev), Int64(truncatingIfNeeded: status.st_ino), Int64(status.st_size),
            Int64(status.st_mtim.tv_sec) * 1_000_000_000 + Int64(status.st_mtim.tv_nsec),
            Int64(status.st_ctim.tv_sec) * 1_000_000_000 + Int64(status.st_ctim.tv_nsec),
        ]
    }
}

/// The names of the files in a catalogue's folder.
enum FolderFiles {
    static func segment(_ number: Int) -> String { "segment-\(number)" }

    static func gone(_ number: Int) -> String { "gone-\(number)" }

    /// A number that no file in the folder has yet.
    static func nextNumber(in folder: String) -> Int {
        let names = (try? FolderContents(of: folder).names) ?? []
        return (names.compactMap { number(of: $0) }.max() ?? 0) + 1
    }

    /// Puts bytes into a file of that name, which is the old one until all of them are on the disk.
    static func replace(_ path: String, by bytes: [UInt8]) throws(CatalogueError) {
        do throws(EmbeddingFileError) {
            let file = try FileReplacement(of: path)
            try file.write(bytes, at: 0)
            try file.commit(byteCount: bytes.count)
        } catch {
            throw CatalogueError(.unwritable, path, error.detail)
        }
    }

    /// Removes our files that the manifest does not name: of stopped writers, and of segments that were merged.
    ///
    /// Only a writer may, since nobody else writes then. What is read stays readable until its last reader is done.
    static func removeStrays(in folder: String, removed: () -> Void = {}) {
        guard let names = try? FolderContents(of: folder).names else { return }
        var known: Set<String> = [SnapshotManifest.fileName]
        if CatalogueSnapshot.isThere(in: folder) {
            guard let manifest = try? CatalogueSnapshot.manifest(in: folder) else { return }
            for segment in manifest.segments {
                known.formUnion([segment.name, SegmentWriter.vectors(of: segment.name)])
            }
            if let gone = manifest.gone { known.insert(gone) }
        }
        for name in names where !known.contains(name) && isOurs(name) {
            _ = unsafe unlink(folder + "/" + name)
            removed()
        }
    }

    /// Whether a folder holds anything that no writer has put there.
    static func holdsOthers(_ folder: String) -> Bool {
        guard let contents = try? FolderContents(of: folder) else { return false }
        return !contents.unspeakable.isEmpty
            || contents.names.contains { $0 != lock && $0 != SnapshotManifest.fileName && !isOurs($0) }
    }

    /// The file that is locked by the writer.
    static let lock = ".lock"

    /// A segment, its vectors, a list of what is gone, or one of our files on its way: nobody else's is ever removed.
    private static func isOurs(_ name: String) -> Bool {
        if number(of: name) != nil { return true }
        guard name.hasPrefix("."), name.hasSuffix(".part") else { return false }
        let parts = name.dropFirst().dropLast(5).split(separator: ".", omittingEmptySubsequences: false)
        let whole = parts.dropLast().joined(separator: ".")
        return whole == SnapshotManifest.fileName || number(of: whole) != nil
    }

    /// The number of a file that a writer has named; nil for any other name.
    fileprivate static func number(of name: String) -> Int? {
        let (start, end) = name.hasPrefix("gone-") ? ("gone-", "") : ("segment-", ".vectors")
        guard name.hasPrefix(start) else { return nil }
        var digits = name.dropFirst(start.count)
        if !end.isEmpty, digits.hasSuffix(end) { digits = digits.dropLast(end.count) }
        guard (1...15).contains(digits.utf8.count), digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        return Int(digits)
    }
}
