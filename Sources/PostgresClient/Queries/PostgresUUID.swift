import Digest
package import JSONDocument

/// Sixteen bytes that name a row.
package struct PostgresUUID: Sendable, Hashable, Comparable, CustomStringConvertible {
    package let high: UInt64
    package let low: UInt64

    package init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Reads 32 hexadecimal digits in either case, with the four hyphens or without any; nil for all else.
    package init?(_ text: String) {
        var digits: [UInt8] = []
        digits.reserveCapacity(32)
        let bytes = Array(text.utf8)
        guard bytes.count == 36 || bytes.count == 32 else { return nil }
        for (place, byte) in bytes.enumerated() {
            if bytes.count == 36, [8, 13, 18, 23].contains(place) {
                guard byte == UInt8(ascii: "-") else { return nil }
                continue
            }
            guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue, byte < 0x80 else { return nil }
            digits.append(UInt8(digit))
        }
        guard digits.count == 32 else { return nil }
        high = digits[..<16].reduce(0) { $0 << 4 | UInt64($1) }
        low = digits[16...].reduce(0) { $0 << 4 | UInt64($1) }
    }

    /// Lower case with hyphens, as the server prints it.
    package var description: String {
        let digits = Array("0123456789abcdef".utf8)
        var text: [UInt8] = []
        text.reserveCapacity(36)
        for place in 0..<32 {
            if place == 8 || place == 12 || place == 16 || place == 20 { text.append(UInt8(ascii: "-")) }
            let half = place < 16 ? high : low
            text.append(digits[Int(half >> UInt64(60 - place % 16 * 4) & 15)])
        }
        return String(decoding: text, as: UTF8.self)
    }

    package static func < (left: Self, right: Self) -> Bool {
        (left.high, left.low) < (right.high, right.low)
    }
}

extension PostgresUUID: SQLArrayElement {
    package static var bindType: PostgresType { .uuid }
    package static var arrayType: PostgresType { .uuidArray }

    package var bind: SQLBind {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(16)
        bytes.appendBigEndian(high)
        bytes.appendBigEndian(low)
        return SQLBind(.uuid, bytes)
    }
}

extension PostgresUUID: SQLReadable {
    package init(_ cell: SQLCell) throws(PostgresError) {
        try cell.expect(.uuid)
        try cell.expect(bytes: 16)
        high = cell.integer(UInt64.self, at: 0)
        low = cell.integer(UInt64.self, at: 8)
    }
}

/// A `vector` of pgvector; as a bind it needs a place that tells its type, such as a column or `::vector`.
package struct PostgresVector: Sendable, Hashable {
    package let values: [Float]

    package init(_ values: [Float]) {
        self.values = values
    }
}

extension PostgresVector: SQLBindable {
    package static var bindType: PostgresType { .inferred }

    package var bind: SQLBind {
        guard let count = Int16(exactly: values.count) else { return SQLBind(.inferred, [], flaw: .outOfRange) }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(4 + values.count * 4)
        bytes.appendBigEndian(count)
        bytes.appendBigEndian(Int16(0))
        for value in values { bytes.appendBigEndian(value.bitPattern) }
        return SQLBind(.inferred, bytes)
    }
}

extension PostgresVector: SQLReadable {
    package init(_ cell: SQLCell) throws(PostgresError) {
        guard cell.type.isOfExtension, cell.count >= 4 else { throw cell.mismatch() }
        let count = Int(cell.integer(Int16.self, at: 0))
        guard count >= 0 else { throw cell.mismatch() }
        try cell.expect(bytes: 4 + count * 4)
        values = cell.floats(count, at: 4)
    }
}

extension PostgresUUID {
    /// A fresh id of version 4.
    package static func random() -> PostgresUUID {
        let bytes = RandomBytes.make(16)
        let high = bytes[..<8].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        let low = bytes[8...].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return PostgresUUID(high: high & ~0xF000 | 0x4000, low: low & ~(0b11 << 62) | 0b10 << 62)
    }

    /// The id of version 8 that the content itself makes, the same every time.
    package init(naming content: JSONValue) {
        self.init(SHA256Digest(of: JSONWriter.bytes(content, style: .canonical)))
    }

    /// The id of version 8 that a text makes, the same every time.
    package init(of text: String) { self.init(SHA256Digest(of: text)) }

    /// The id that takes the place of this one where another vault has a row under it.
    ///
    /// Everybody can work out the id of a content. Nobody else can work out this one, since the key is out of their sight.
    package func standIn(by key: String) -> PostgresUUID { PostgresUUID(of: "\(self):\(key)") }

    private init(_ digest: SHA256Digest) {
        let bytes = digest.bytes
        let high = bytes[..<8].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        let low = bytes[8..<16].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        self.init(high: high & ~0xF000 | 0x8000, low: low & ~(0b11 << 62) | 0b10 << 62)
    }
}
