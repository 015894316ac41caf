/// Fits text into columns, counting what a terminal counts.
package enum TextLayout {
    /// The text cut to a width, ending in `...` where something was cut off.
    package static func truncated(_ text: String, to width: Int) -> String {
        guard DisplayWidth.of(text) > width else { return text }
        guard width > 3 else { return String(repeating: ".", count: max(0, width)) }
        return prefix(of: text[...], width: width - 3).text + "..."
    }

    /// Lines of at most `width` columns, broken at spaces, and inside a word only when the word alone is wider.
    package static func wrapped(_ text: String, to width: Int) -> [String] {
        let width = max(width, 2)
        var lines: [String] = []
        var line = ""
        var used = 0
        for word in text.split(separator: " ") {
            var word = word
            let wordWidth = DisplayWidth.of(String(word))
            if used > 0, used + 1 + wordWidth <= width {
                line += " " + word
                used += 1 + wordWidth
                continue
            }
            if used > 0 { lines.append(line) }
            while DisplayWidth.of(String(word)) > width {
                let (head, count) = prefix(of: word, width: width)
                lines.append(head)
                word = word.dropFirst(count)
            }
            line = String(word)
            used = DisplayWidth.of(line)
        }
        if used > 0 { lines.append(line) }
        return lines
    }

    /// The first lines of a wrapped text; the last one says with `...` that there was more.
    package static func wrapped(_ text: String, to width: Int, lines limit: Int) -> [String] {
        let lines = wrapped(text, to: width)
        guard lines.count > limit, limit > 0 else { return Array(lines.prefix(limit)) }
        return lines.prefix(limit - 1) + [truncated(lines[limit - 1] + "....", to: width)]
    }

    /// The text followed by spaces up to a width.
    package static func padded(_ text: String, to width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - DisplayWidth.of(text)))
    }

    /// As many whole characters as fit, at least one, since a loop over the rest must end.
    private static func prefix(of text: Substring, width: Int) -> (text: String, count: Int) {
        var used = 0
        var count = 0
        var result = ""
        for character in text {
            let columns = DisplayWidth.of(character)
            if used + columns > width, count > 0 { break }
            used += columns
            count += 1
            result.append(character)
        }
        return (result, count)
    }
}

/// How many columns text takes: wide characters two, combining ones none.
///
/// Terminals disagree about joined emoji; the sum of the parts is the largest answer, so that a line never grows too long.
package enum DisplayWidth {
    /// Columns of a whole text.
    package static func of(_ text: String) -> Int {
        text.unicodeScalars.reduce(0) { $0 + width(of: $1) }
    }

    /// Columns of one character as a person sees it.
    package static func of(_ character: Character) -> Int {
        character.unicodeScalars.reduce(0) { $0 + width(of: $1) }
    }

    package static func isCombining(_ scalar: Unicode.Scalar) -> Bool {
        guard scalar.value >= 0x300 else { return false }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark: return true
        default: return false
        }
    }

    private static func width(of scalar: Unicode.Scalar) -> Int {
        let value = scalar.value
        if value < 0x300 { return value < 0x20 || (0x7F..<0xA0).contains(value) ? 0 : 1 }
        // The emoji selector turns the narrow symbol before it into a wide one.
        if value == 0xFE0F { return 1 }
        if isCombining(scalar) || value == 0x200D { return 0 }
        if scalar.properties.isEmojiPresentation || isWide(value) { return 2 }
        return 1
    }

    /// The blocks that Unicode's East Asian Width calls wide or full.
    private static func isWide(_ value: UInt32) -> Bool {
        switch value {
        case 0x1100...0x115F, 0x231A...0x231B, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF: true
        case 0x4E00...0x9FFF, 0xA000...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF: true
        case 0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6: true
        case 0x16FE0...0x18D08, 0x1AFF0...0x1B2FB, 0x1F200...0x1F2FF, 0x1F300...0x1F64F, 0x1F680...0x1F6FF: true
        case 0x1F900...0x1FAFF, 0x20000...0x2FFFD, 0x30000...0x3FFFD: true
        default: false
        }
    }
}
