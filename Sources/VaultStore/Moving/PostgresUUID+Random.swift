import Digest

extension PostgresUUID {
    /// A fresh id of version 4.
    package static func random() -> PostgresUUID {
        let bytes = RandomBytes.make(16)
        let high = bytes[..<8].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        let low = bytes[8...].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return PostgresUUID(high: high & ~0xF000 | 0x4000, low: low & ~(0b11 << 62) | 0b10 << 62)
    }
}
