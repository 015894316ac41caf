/// Makes text from elsewhere safe to print: no escape sequences, no reordering, no unbounded pile of accents.
enum TerminalText {
    /// Accents on one letter beyond which they only smear the lines around.
    private static let combiningLimit = 4

    /// The text on one line with everything removed that could steer a terminal or a reader.
    ///
    /// Spaces of all kinds and line breaks become one space; at most `limit` characters are kept, and looked at, so that a title
    /// of a megabyte costs nothing.
    static func safe(_ text: String, limit: Int = 4_096) -> String {
        var scalars = String.UnicodeScalarView()
        var combining = 0
        var isAfterSpace = true
        for scalar in text.unicodeScalars.prefix(limit) {
            if isSpace(scalar) {
                if !isAfterSpace { scalars.append(" ") }
                isAfterSpace = true
                continue
            }
            guard !isSteering(scalar) else { continue }
            combining = DisplayWidth.isCombining(scalar) ? combining + 1 : 0
            guard combining <= combiningLimit else { continue }
            scalars.append(scalar)
            isAfterSpace = false
        }
        if scalars.last == " " { scalars.removeLast() }
        return String(scalars)
    }

    /// The text on one line with steering characters written out as `\u{1B}`, for messages that quote what was given.
    static func escaped(_ text: String, limit: Int) -> String {
        var result = ""
        for scalar in text.unicodeScalars.prefix(limit) {
            switch scalar {
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            case _ where isSteering(scalar) || scalar.value == 0x2028 || scalar.value == 0x2029:
                result += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return text.unicodeScalars.dropFirst(limit).isEmpty ? result : result + "..."
    }

    private static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x09...0x0D, 0x20, 0x85, 0xA0, 0x1680, 0x2000...0x200A, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000: true
        default: false
        }
    }

    /// Controls, escapes, reordering marks and invisible characters; the joiner stays, since emoji are made with it.
    private static func isSteering(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x00...0x1F, 0x7F...0x9F, 0xAD, 0x034F, 0x061C, 0x115F, 0x1160, 0x180E, 0x3164, 0xFFA0: true
        case 0x200B, 0x200C, 0x200E, 0x200F, 0x202A...0x202E, 0x2060...0x206F, 0xFEFF, 0xFFF9...0xFFFB: true
        case 0xE000...0xF8FF, 0xE0000...0xE0FFF, 0xF0000...0x10FFFF: true
        default: false
        }
    }
}
