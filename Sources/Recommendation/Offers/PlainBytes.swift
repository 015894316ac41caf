/// A quick look at a text's bytes for anything that is not plain writing.
enum PlainBytes {
    /// Whether there may be markup, code, an address or something that nobody sees; it may say yes in vain.
    static func areTelling(_ text: String) -> Bool {
        let bytes = text.utf8.span
        for place in bytes.indices {
            switch kinds[Int(bytes[place])] {
            case .plain: continue
            case .telling: return true
            case .opening:
                if isOpening(bytes[place], bytes, at: place) { return true }
            }
        }
        return false
    }

    /// Whether there may be something that nobody sees, or spaces that are none of ASCII's.
    static func mayHide(_ text: String) -> Bool {
        let bytes = text.utf8.span
        for place in bytes.indices {
            switch kinds[Int(bytes[place])] {
            case .plain: continue
            case .telling: if bytes[place] < 0x20 || bytes[place] == 0x7F { return true }
            case .opening: if bytes[place] >= 0x80, isOpening(bytes[place], bytes, at: place) { return true }
            }
        }
        return false
    }

    private enum Kind {
        case plain
        case telling
        /// What follows decides.
        case opening
    }

    private static let kinds: [Kind] = (0..<256).map { byte in
        switch UInt8(byte) {
        case 0x09, 0x0A, 0x0D: .plain
        case 0..<0x20, 0x7F, UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: "\\"), UInt8(ascii: "="),
            UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "|"), UInt8(ascii: "^"), UInt8(ascii: "~"),
            UInt8(ascii: "`"), UInt8(ascii: "_"), UInt8(ascii: "@"), UInt8(ascii: "["), UInt8(ascii: "]"),
            UInt8(ascii: "$"), UInt8(ascii: "#"):
            .telling
        case UInt8(ascii: "&"), UInt8(ascii: "%"), UInt8(ascii: ":"), UInt8(ascii: "."), UInt8(ascii: "w"),
            UInt8(ascii: "W"):
            .opening
        case 0xC2, 0xE1, 0xE2, 0xEE, 0xEF, 0xF3, 0xF4: .opening
        default: .plain
        }
    }

    private static func isOpening(_ byte: UInt8, _ bytes: Span<UInt8>, at place: Int) -> Bool {
        let next = place + 1 < bytes.count ? bytes[place + 1] : 0x20
        let third = place + 2 < bytes.count ? bytes[place + 2] : 0x20
        switch byte {
        case UInt8(ascii: "&"): return next > 0x20
        case UInt8(ascii: "%"): return place == 0 || bytes[place - 1] <= 0x20
        case UInt8(ascii: ":"): return next == UInt8(ascii: "/")
        // A space that is none of ASCII's may follow.
        case UInt8(ascii: "."): return next >= 0x80
        case UInt8(ascii: "w"), UInt8(ascii: "W"): return next | 0x20 == byte | 0x20 && third | 0x20 == byte | 0x20
        // Soft hyphens and control characters; marks of direction and joiners; private use and beyond.
        case 0xC2: return next < 0xA0 || next == 0xAD
        case 0xE1: return next == 0xA0
        case 0xE2:
            let isHidden = (0x8B...0x8F).contains(third) || (0xA8...0xAE).contains(third)
            return next == 0x80 && isHidden || next == 0x81
        default: return true
        }
    }
}
