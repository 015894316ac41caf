import KnotDomain

/// A quick look whether a listing's texts could repeat its price at all; it may say yes in vain, and never no in error.
enum PriceEcho {
    static func mayOccur(_ listed: Int, _ currency: Currency, in texts: [String]) -> Bool {
        var divisor = 1
        for _ in 0..<currency.exponent { divisor *= 10 }
        let digits = Array(String(listed / divisor).utf8)
        return texts.contains { mayOccur(digits, $0) }
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
