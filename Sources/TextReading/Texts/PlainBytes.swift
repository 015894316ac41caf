package import KnotDomain

/// A quick look at a text's bytes for anything that is not plain writing.
package enum PlainBytes {
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

    /// A text without what nobody sees and what would part the words of a price.
    package static func visible(_ text: String) -> String {
        guard mayHide(text) else { return text }
        var plain = String.UnicodeScalarView()
        for scalar in text.unicodeScalars
        where scalar.properties.isWhitespace || !PlainScalars.isHidden(scalar) { plain.append(scalar) }
        return String(plain)
    }

    /// Whether there may be something that nobody sees, or spaces that are none of ASCII's.
    package static func mayHide(_ text: String) -> Bool {
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

/// A quick look whether a listing's texts could repeat its price at all, or say more of it; it may say yes in vain, and never no in error.
package enum PriceEcho {
    package static func mayOccur(_ listed: Int, _ currency: Currency, in texts: [String]) -> Bool {
        var divisor = 1
        for _ in 0..<currency.exponent { divisor *= 10 }
        let digits = Array(String(listed / divisor).utf8)
        return texts.contains { mayOccur(digits, $0) || maySayMore($0) }
    }

    /// Whether a text may name the price without repeating it, or ask a fee besides.
    private static func maySayMore(_ text: String) -> Bool {
        let bytes = text.utf8.span
        for place in bytes.indices where telling[Int(bytes[place] | 0x20)] {
            if tellingWords.contains(where: { stands($0, bytes, at: place) }) { return true }
        }
        return false
    }

    private static let tellingWords: [[UInt8]] = [
        "price", "pricing", "preis", "prix", "preci", "prezz", "prijs", "pre\u{E7}o", "shipping", "delivery", "postage",
        "versand", "fee", "charge",
    ].map { Array($0.utf8) }
    /// Whether one of them begins with a letter.
    private static let telling: [Bool] = (0..<256).map { byte in tellingWords.contains { Int($0[0]) == byte } }

    private static func stands(_ word: [UInt8], _ bytes: Span<UInt8>, at place: Int) -> Bool {
        guard place + word.count <= bytes.count else { return false }
        for offset in word.indices
        where bytes[place + offset] != word[offset] && bytes[place + offset] | 0x20 != word[offset] {
            return false
        }
        return true
    }

    /// Whether the digits stand in the text one after another, with at most three bytes of separators between two of them.
    private static func mayOccur(_ digits: [UInt8], _ text: String) -> Bool {
        if digits == [UInt8(ascii: "0")] { return true }
        let bytes = text.utf8.span
        for place in bytes.indices {
            // Digits of other scripts are left to the careful reader: full-width ones begin with this byte.
            if bytes[place] == 0xEF { return true }
            if bytes[place] == digits[0], matches(digits, bytes, from: place) { return true }
        }
        return false
    }

    private static func matches(_ digits: [UInt8], _ bytes: Span<UInt8>, from start: Int) -> Bool {
        var place = start
        var gap = 0
        var matched = 0
        while matched < digits.count {
            guard place < bytes.count, gap <= 3 else { return false }
            if bytes[place] == digits[matched] {
                matched += 1
                gap = 0
            } else if isDigit(bytes[place]) {
                return false
            } else {
                gap += 1
            }
            place += 1
        }
        return true
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}
