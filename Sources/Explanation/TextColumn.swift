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

/// Numbers as short decimals, without a formatter of the system.
enum DecimalText {
    /// A value with so many digits after the point; out of all bounds it says what it is.
    static func fixed(_ value: Double, _ places: Int) -> String {
        guard value.isFinite else { return value.isNaN ? "nan" : value < 0 ? "-inf" : "inf" }
        guard abs(value) < 1e12 else { return "\(value)" }
        var scale = 1
        for _ in 0..<places { scale *= 10 }
        let scaled = Int((abs(value) * Double(scale)).rounded())
        let sign = value < 0 && scaled > 0 ? "-" : ""
        guard places > 0 else { return "\(sign)\(scaled)" }
        let fraction = "\(scaled % scale)"
        return "\(sign)\(scaled / scale)." + String(repeating: "0", count: places - fraction.count) + fraction
    }

    /// A value the way a person would write it: no `.0`, no trailing noise.
    static func plain(_ value: Double) -> String {
        guard value.isFinite, abs(value) < 1e12 else { return fixed(value, 0) }
        if value == value.rounded() { return "\(Int(value))" }
        return "\(value)"
    }

    /// A value cut to so many significant digits.
    static func rounded(_ value: Double, digits: Int) -> Double {
        guard value.isFinite, value != 0 else { return value }
        // Going through text gives the double nearest to the decimal, which multiplying by powers of ten does not.
        var exponent = 0
        var size = abs(value)
        while size >= 10 {
            size /= 10
            exponent += 1
        }
        while size < 1 {
            size *= 10
            exponent -= 1
        }
        let kept = Int((size * power(digits - 1)).rounded())
        return Double("\(value < 0 ? "-" : "")\(kept)e\(exponent - digits + 1)") ?? value
    }

    /// The value with the fewest digits after the point that lies between two bounds, the second one included.
    static func roundest(after excluded: Double, to included: Double) -> Double {
        for places in 0...9 {
            let scale = power(places)
            // The multiple nearest to the bound that is left out, for that is the smaller change.
            let whole =
                excluded < included ? (excluded * scale).rounded(.down) + 1 : (excluded * scale).rounded(.up) - 1
            let value = Double("\(fixed(whole, 0))e-\(places)") ?? whole / scale
            let isInside =
                excluded < included ? value > excluded && value <= included : value < excluded && value >= included
            if isInside { return value }
        }
        return included
    }

    private static func power(_ exponent: Int) -> Double {
        (0..<max(0, exponent)).reduce(1) { power, _ in power * 10 }
    }
}
