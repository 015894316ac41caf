/// Reads fixed-width numbers and single characters from an ASCII text.
struct DigitScanner {
    private let bytes: [UInt8]
    private var position = 0

    init(_ text: String) {
        // Dates are short: what is longer than this is none, whatever follows.
        bytes = Array(text.utf8.prefix(64))
    }

    var isAtEnd: Bool { position == bytes.count }

    /// A number of exactly that many digits.
    mutating func digits(_ count: Int) -> Int? {
        guard position + count <= bytes.count else { return nil }
        var number = 0
        for byte in bytes[position..<position + count] {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
            number = number * 10 + Int(byte - UInt8(ascii: "0"))
        }
        position += count
        return number
    }

    /// Passes over one of these characters, and says whether there was one.
    mutating func skip(_ characters: StaticString) -> Bool {
        guard position < bytes.count, characters.description.utf8.contains(bytes[position]) else { return false }
        position += 1
        return true
    }
}
