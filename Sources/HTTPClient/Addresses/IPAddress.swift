/// An address of a machine, of either kind.
package enum IPAddress: Sendable, Hashable {
    case v4(UInt32)
    /// Both halves, the first one the network's.
    case v6(UInt64, UInt64)
}

extension IPAddress {
    /// Reads the canonical form of either kind, without brackets and without a zone.
    ///
    /// `0177.0.0.1`, `127.1`, `0x7f000001` and `2130706433` are other ways to write an address, which some readers take and
    /// some do not: they are refused.
    package init?(_ text: some StringProtocol) {
        if let v4 = Self.v4(Array(text.utf8)) {
            self = .v4(v4)
        } else if let halves = Self.v6(Array(text.utf8)) {
            self = .v6(halves.0, halves.1)
        } else {
            return nil
        }
    }

    /// Four numbers without leading zeros, so that each address has one form; read at every call, and without a list.
    private static func v4(_ bytes: [UInt8]) -> UInt32? {
        var address: UInt32 = 0
        var value: UInt32 = 0
        var digits = 0
        var dots = 0
        for byte in bytes {
            if byte == 0x2E {
                guard digits > 0, dots < 3 else { return nil }
                address = address << 8 | value
                dots += 1
                value = 0
                digits = 0
            } else {
                guard isDigit(byte), digits == 0 || value > 0 else { return nil }
                value = value * 10 + UInt32(byte & 15)
                digits += 1
                guard value <= 255 else { return nil }
            }
        }
        return dots == 3 && digits > 0 ? address << 8 | value : nil
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    private static func v6(_ bytes: [UInt8]) -> (UInt64, UInt64)? {
        // At most eight groups of four digits with colons, or six groups and an IPv4 address.
        guard (2...45).contains(bytes.count) else { return nil }
        var groups: [UInt16] = []
        var gap: Int?
        var rest = bytes[...]
        if rest.starts(with: [0x3A, 0x3A]) {
            gap = 0
            rest = rest.dropFirst(2)
        }
        while !rest.isEmpty {
            guard groups.count < 8 else { return nil }
            let group = rest.prefix { $0 != 0x3A }
            if group.contains(UInt8(ascii: ".")) {
                guard group.endIndex == rest.endIndex, groups.count <= 6, let last = v4(Array(group)) else {
                    return nil
                }
                groups += [UInt16(last >> 16), UInt16(last & 0xFFFF)]
                break
            }
            guard (1...4).contains(group.count), let value = hexadecimal(group) else { return nil }
            groups.append(value)
            rest = rest[group.endIndex...]
            guard !rest.isEmpty else { break }
            rest = rest.dropFirst()
            if rest.first == 0x3A {
                guard gap == nil else { return nil }
                gap = groups.count
                rest = rest.dropFirst()
            } else if rest.isEmpty {
                return nil
            }
        }
        if let gap {
            guard groups.count < 8 else { return nil }
            groups.insert(contentsOf: [UInt16](repeating: 0, count: 8 - groups.count), at: gap)
        }
        guard groups.count == 8 else { return nil }
        let halves = [groups[..<4], groups[4...]].map { $0.reduce(UInt64(0)) { $0 << 16 | UInt64($1) } }
        return (halves[0], halves[1])
    }

    private static func hexadecimal(_ digits: ArraySlice<UInt8>) -> UInt16? {
        var value: UInt16 = 0
        for digit in digits {
            switch digit {
            case 0x30...0x39: value = value << 4 | UInt16(digit - 0x30)
            case 0x41...0x46, 0x61...0x66: value = value << 4 | UInt16((digit | 0x20) - 0x57)
            default: return nil
            }
        }
        return value
    }
}

extension IPAddress: CustomStringConvertible {
    /// Numeric, as it may stand in a URL, but without brackets; an IPv6 address with all its groups.
    package var description: String {
        switch self {
        case .v4(let address): (0..<4).map { String(address >> (24 - 8 * $0) & 255) }.joined(separator: ".")
        case .v6(let high, let low):
            [high, low].flatMap { half in (0..<4).map { String(half >> (48 - 16 * $0) & 0xFFFF, radix: 16) } }
                .joined(separator: ":")
        }
    }

    /// Whether it is this machine's own.
    package var isLoopback: Bool {
        switch self {
        case .v4(let address): address >> 24 == 127
        case .v6(let high, let low): high == 0 && low == 1
        }
    }
}
