/// Fits text into columns, counting what a terminal counts.
enum TextLayout {
    /// The text cut to a width, ending in `...` where something was cut off.
    static func truncated(_ text: String, to width: Int) -> String {
        guard DisplayWidth.of(text) > width else { return text }
        guard width > 3 else { return String(repeating: ".", count: max(0, width)) }
        return prefix(of: text[...], width: width - 3).text + "..."
    }

    /// Lines of at most `width` columns, broken at spaces, and inside a word only when the word alone is wider.
    static func wrapped(_ text: String, to width: Int) -> [String] {
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
    static func wrapped(_ text: String, to width: Int, lines limit: Int) -> [String] {
        let lines = wrapped(text, to: width)
        guard lines.count > limit, limit > 0 else { return Array(lines.prefix(limit)) }
        return lines.prefix(limit - 1) + [truncated(lines[limit - 1] + "....", to: width)]
    }

    /// The text followed by spaces up to a width.
    static func padded(_ text: String, to width: Int) -> String {
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
