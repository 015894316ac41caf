package import Digest
package import JSONDocument

/// What tells a file from itself before it was changed, without reading it.
package struct FileStamp: Sendable, Hashable {
    package let device: UInt64
    package let inode: UInt64
    package let size: Int
    /// Nanoseconds since the epoch.
    package let modified: Int
    /// When anything about the file changed last; nobody can set it back.
    package let changed: Int

    package init(device: UInt64, inode: UInt64, size: Int, modified: Int, changed: Int) {
        self.device = device
        self.inode = inode
        self.size = size
        self.modified = modified
        self.changed = changed
    }

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

    package init(stamp: FileStamp, digest: SHA256Digest) {
        self.stamp = stamp
        self.digest = digest
    }

    package var json: JSONValue {
        ["format": .string(Self.format), "file": stamp.json, "sha256": .string(digest.hex)]
    }

    /// A record of this very state of the file; nil for any other.
    package init?(_ json: JSONValue, of stamp: FileStamp) {
        guard json["format"]?.string == Self.format, json["file"] == stamp.json,
            let digest = json["sha256"]?.string.flatMap({ SHA256Digest(hex: $0) })
        else { return nil }
        self.init(stamp: stamp, digest: digest)
    }
}

/// Where records of models are kept from one run to the next; without one, every start reads the whole model.
package protocol ModelRecords: Sendable {
    func record(of stamp: FileStamp) -> ModelRecord?
    /// Keeps a record if it can; to lose one costs a little time and nothing else.
    func keep(_ record: ModelRecord)
}
