/// Numbers as prices write them: `8,000`, `1.250,00`, `1 250`, `92.5`.
enum PriceNumber {
    static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }

    /// The end of the number that starts there; separators belong to it only between digits, spaces only before three.
    static func end(in scalars: [Unicode.Scalar], from start: Int) -> Int {
        func digits(from position: Int) -> Int {
            var end = position
            while end < scalars.count, isDigit(scalars[end]) { end += 1 }
            return end
        }
        var end = digits(from: start)
        var groups = end - start
        while end < scalars.count {
            let next = digits(from: end + 1)
            let count = next - end - 1
            switch scalars[end] {
            case ".", ",", "'", "’": guard count > 0 else { return end }
            case " ", "\u{A0}", "\u{2009}", "\u{202F}": guard count == 3, groups <= 3 else { return end }
            default: return end
            }
            groups = count
            end = next
        }
        return end
    }

    /// Nil when the number has no such reading or a part smaller than the currency's smallest coin.
    static func minorUnits(_ text: String, exponent: Int) -> Int? {
        var whole = ""
        var fraction = ""
        let separators = text.filter { $0 == "." || $0 == "," }
        let pieces = text.split { !$0.isASCII || !$0.isNumber }.map(String.init)
        if let last = separators.last, pieces.count > 1, isDecimal(last, separators, pieces, exponent) {
            whole = pieces.dropLast().joined()
            fraction = pieces[pieces.count - 1]
        } else {
            guard pieces.dropFirst().allSatisfy({ $0.count == 3 }) else { return nil }
            whole = pieces.joined()
        }
        while fraction.count > exponent {
            guard fraction.removeLast() == "0" else { return nil }
        }
        let digits = whole + fraction + String(repeating: "0", count: exponent - fraction.count)
        return digits.count <= 15 ? Int(digits) : nil
    }

    /// Whether the last separator is the decimal one: it comes once, last, and not before a group of three.
    private static func isDecimal(
        _ last: Character,
        _ separators: String,
        _ pieces: [String],
        _ exponent: Int
    ) -> Bool {
        guard separators.filter({ $0 == last }).count == 1 else { return false }
        if separators.count > 1 { return true }
        let count = pieces[pieces.count - 1].count
        return count != 3 || exponent == 3 && last == "."
    }
}
