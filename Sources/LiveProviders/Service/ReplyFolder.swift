import FileInput
import Glibc
import JSONDocument
import Synchronization

/// Replies kept in a private folder that processes share: one file each, which nobody else may read.
///
/// A file is named by a digest alone. What cannot be written is not kept, and what cannot be read is not there: no run
/// fails for that.
package struct ReplyFolder: ReplyKeeping {
    package struct Limits: Sendable {
        /// Of all files together.
        package var bytes = 64 << 20
        package var files = 2_000
        /// Of one file.
        package var fileBytes = 4 << 20
        /// After so many seconds a file that is written here is gone; no service allows more than a day.
        package var life = day
        /// The folder is swept once in so many writes.
        package var sweep = 64

        static let day: Int64 = 86_400

        package init() {}
    }

    private let folder: String
    private let limits: Limits
    private let writes: Writes
    private let now: @Sendable () -> Int64

    /// Counts the writes of all copies.
    private final class Writes: Sendable {
        let count = Mutex(0)
    }

    private static let schema = "knot.reply/1"
    private static let ending = ".reply"

    /// The folder exists and is closed to others; `now` is the time of day in seconds since 1970.
    package init(at folder: String, limits: Limits = Limits(), now: @escaping @Sendable () -> Int64) {
        self.folder = folder
        self.limits = limits
        self.now = now
        writes = Writes()
    }

    package func reply(to call: String) -> KeptReply? {
        // No file, one that is no reply, one of another version: nothing is kept.
        guard let bytes = try? FileContents.read(path(call), limit: limits.fileBytes),
            let json = try? JSONParser.parse(bytes), json["schema"]?.string == Self.schema,
            json["call"]?.string == call, let since = json["since"]?.int, let written = json["reply"],
            case .reply(let reply)? = TrafficTape.Answer(written)
        else { return nil }
        return KeptReply(reply, since: Int64(since), tag: json["tag"]?.string)
    }

    package func keep(_ reply: KeptReply, of call: String) {
        let answer = JSONObject(TrafficTape.Answer.reply(reply.reply).members)
        let json: JSONValue = [
            "schema": .string(Self.schema), "call": .string(call), "since": .integer(Int(reply.since)),
            "tag": JSONValue(reply.tag), "reply": .object(answer),
        ]
        let bytes = JSONWriter.bytes(json, style: .compact)
        guard bytes.count <= limits.fileBytes else { return remove(call) }
        let isDue = writes.count.withLock { count in
            defer { count += 1 }
            return count % limits.sweep == 0
        }
        write(bytes, to: path(call))
        if isDue { sweep(sparing: path(call)) }
    }

    package func remove(_ call: String) { _ = unsafe unlink(path(call)) }

    /// What lives less than a day says so in its name, so that whoever sweeps need not read it.
    private func path(_ call: String) -> String {
        let life = limits.life == Limits.day ? "" : ".\(limits.life)s"
        return "\(folder)/\(call)\(life)\(Self.ending)"
    }

    private static func life(ofFile name: String) -> Int64 {
        let stem = name.firstRange(of: ending).map { name[..<$0.lowerBound] } ?? name[...]
        guard stem.last == "s", let life = stem.dropLast().split(separator: ".").last.flatMap({ Int64($0) }) else {
            return Limits.day
        }
        return min(life, Limits.day)
    }

    /// Beside its place and then into it, so that nobody reads half a reply.
    private func write(_ bytes: [UInt8], to path: String) {
        let temporary = "\(path).\(getpid()).\(UInt32.random(in: 0...UInt32.max)).tmp"
        let descriptor = unsafe open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { return }
        // The bytes outlive the call, which reads as many as are counted.
        let written = unsafe bytes.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
        let isWhole = close(descriptor) == 0 && written == bytes.count
        guard isWhole, unsafe rename(temporary, path) == 0 else {
            _ = unsafe unlink(temporary)
            return
        }
    }

    /// Removes what is too old, and the oldest of what is too much; never what has just been written.
    private func sweep(sparing latest: String) {
        guard let contents = try? FolderContents(of: folder) else { return }
        var files: [(path: String, changed: Int64, size: Int, life: Int64)] = []
        for name in contents.names where name.contains(Self.ending) {
            var status = stat()
            let path = "\(folder)/\(name)"
            // The structure outlives the call, which fills it.
            guard unsafe lstat(path, &status) == 0 else { continue }
            let nanoseconds = Int64(status.st_mtim.tv_sec) * 1_000_000_000 + Int64(status.st_mtim.tv_nsec)
            // A file system's clock ticks seldom enough for many files to be of one moment.
            let changed = path == latest ? .max : nanoseconds
            files.append((path, changed, Int(status.st_size), Self.life(ofFile: name)))
        }
        let now = now()
        var bytes = 0
        for (place, file) in files.sorted(by: { $0.changed > $1.changed }).enumerated() {
            bytes += file.size
            let isOld = now - file.changed / 1_000_000_000 >= file.life
            if isOld || place >= limits.files || bytes > limits.bytes { _ = unsafe unlink(file.path) }
        }
    }
}
