/// Plain lines of at most 80 columns, made of texts that may come from anywhere.
struct TextColumn {
    static let width = 80

    private(set) var lines: [String] = []

    /// Adds a text, broken at blanks; the lines after the first stand further in.
    mutating func add(_ text: String, indent: Int = 0, hanging: Int = 2) {
        var line = String(repeating: " ", count: indent)
        var used = indent
        var isEmpty = true
        for word in Self.safe(text).split(separator: " ") {
            for piece in Self.pieces(of: word, room: Self.width - indent - hanging) {
                let size = Self.columns(piece)
                if !isEmpty, used + 1 + size > Self.width {
                    lines.append(line)
                    line = String(repeating: " ", count: indent + hanging)
                    used = indent + hanging
                    isEmpty = true
                }
                line += (isEmpty ? "" : " ") + piece
                used += (isEmpty ? 0 : 1) + size
                isEmpty = false
            }
        }
        lines.append(line)
    }

    /// Adds cells at fixed columns; the last one is broken like any text.
    mutating func add(cells: [(text: String, width: Int)], _ rest: String, indent: Int) {
        var head = ""
        var size = indent
        for (text, width) in cells {
            let cell = Self.cut(text, to: width)
            head += cell + String(repeating: " ", count: max(0, width - Self.columns(cell)) + 2)
            size += width + 2
        }
        var column = TextColumn()
        column.add(rest, indent: size, hanging: 0)
        guard let first = column.lines.first else { return }
        lines.append(
            Self.trimmed(String(repeating: " ", count: indent) + head + first.drop { $0 == " " })
        )
        lines += column.lines.dropFirst()
    }

    mutating func blank() { lines.append("") }

    /// Without control and formatting characters, which could move the cursor or turn a line around.
    static func safe(_ text: String) -> String {
        var output = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate, .unassigned:
                output.append(" ")
            default: output.append(scalar)
            }
        }
        return String(output)
    }

    /// A text shortened to so many columns.
    static func cut(_ text: String, to width: Int) -> String {
        let text = safe(text)
        guard columns(text) > width else { return text }
        var output = ""
        var used = 0
        for character in text {
            let size = columns(character)
            guard used + size < width else { break }
            output.append(character)
            used += size
        }
        return output + "…"
    }

    /// Columns on a terminal, counting two where in doubt so that lines are rather too short than too long.
    static func columns(_ text: some StringProtocol) -> Int {
        text.reduce(0) { $0 + columns($1) }
    }

    private static func columns(_ character: Character) -> Int {
        guard let scalar = character.unicodeScalars.first else { return 0 }
        return scalar.value < 0x1100 || (0x2010...0x2122).contains(scalar.value) || scalar == "→" ? 1 : 2
    }

    /// A word in pieces that fit into a line of their own.
    private static func pieces(of word: Substring, room: Int) -> [String] {
        guard columns(word) > room else { return [String(word)] }
        var pieces: [String] = [""]
        var used = 0
        for character in word {
            let size = columns(character)
            if used + size > room {
                pieces.append("")
                used = 0
            }
            pieces[pieces.count - 1].append(character)
            used += size
        }
        return pieces
    }

    private static func trimmed(_ line: String) -> String {
        var line = line
        while line.last == " " { line.removeLast() }
        return line
    }
}
