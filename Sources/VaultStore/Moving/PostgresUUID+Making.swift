import Digest
package import JSONDocument

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
        let bytes = SHA256Digest(of: JSONWriter.bytes(content, style: .canonical)).bytes
        let high = bytes[..<8].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        let low = bytes[8..<16].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        self.init(high: high & ~0xF000 | 0x8000, low: low & ~(0b11 << 62) | 0b10 << 62)
    }
}
