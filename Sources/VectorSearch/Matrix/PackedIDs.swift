/// Many short texts in one piece of memory, made into strings only when somebody asks.
struct PackedIDs: Sendable {
    /// The UTF-8 of all ids, one after the other.
    private(set) var bytes: [UInt8] = []
    /// Where each id begins, and where the last one ends.
    private(set) var offsets: [UInt64] = [0]

    init() {}

    init(bytes: [UInt8], offsets: [UInt64]) {
        self.bytes = bytes
        self.offsets = offsets
    }

    var count: Int { offsets.count - 1 }

    subscript(row: Int) -> String {
        String(decoding: bytes[Int(offsets[row])..<Int(offsets[row + 1])], as: UTF8.self)
    }

    mutating func append(_ id: String) {
        bytes.append(contentsOf: id.utf8)
        offsets.append(UInt64(bytes.count))
    }

    mutating func reserve(_ rows: Int) { offsets.reserveCapacity(rows + 1) }
}
