/// The characters that may begin at a place of a text, one for each way to decode it.
///
/// JSON, HTML and links escape characters in their own ways, and may do so one inside another. Nothing here allocates: a
/// reply of megabytes may consist of escapes alone.
struct EscapedReadings {
    struct Character {
        let value: UInt32
        /// The place behind it.
        let end: Int
    }

    /// The character as it is written.
    let plain: Character?
    /// The character that a backslash escapes.
    let unquoted: Character?
    /// The character that a percent sign or a reference of HTML stands for.
    let meant: Character?

    /// The bytes that escapes begin with.
    static let openings = Array(#"\%&"#.utf8)
    /// The longest name of a reference.
    private static let longestName = 10

    init(_ text: [UInt8], at place: Int) {
        plain = Self.plain(text, at: place)
        unquoted = plain?.value == Self.backslash ? Self.unquoted(text, at: place) : nil
        switch unquoted ?? plain {
        case let sign? where sign.value == UInt32(UInt8(ascii: "%")): meant = Self.coded(text, from: sign.end)
        case let sign? where sign.value == UInt32(UInt8(ascii: "&")): meant = Self.referred(text, from: sign.end)
        default: meant = nil
        }
    }

    /// The reading of the most decoding reader comes first.
    func each(_ visit: (Character) -> Void) {
        if let meant { visit(meant) }
        if let unquoted { visit(unquoted) }
        if let plain { visit(plain) }
    }

    private static let backslash = UInt32(UInt8(ascii: "\\"))

    /// Nil at the end, and inside a character of several bytes.
    private static func plain(_ text: [UInt8], at place: Int) -> Character? {
        guard place < text.count else { return nil }
        let first = text[place]
        if first < 0x80 { return Character(value: UInt32(first), end: place + 1) }
        let length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC2 ? 2 : 0
        guard length > 0, place + length <= text.count else { return nil }
        var value = UInt32(first) & (0x7F >> UInt32(length))
        for next in place + 1..<place + length {
            guard text[next] & 0xC0 == 0x80 else { return nil }
            value = value << 6 | UInt32(text[next] & 0x3F)
        }
        return Character(value: value, end: place + length)
    }

    /// Behind a backslash: a letter, or four digits.
    private static func unquoted(_ text: [UInt8], at place: Int) -> Character? {
        guard place + 1 < text.count else { return nil }
        switch text[place + 1] {
        case UInt8(ascii: "u"):
            guard place + 6 <= text.count else { return nil }
            var value: UInt32 = 0
            for next in place + 2..<place + 6 {
                guard let digit = Self.digit(UInt32(text[next]), of: 16) else { return nil }
                value = value << 4 | digit
            }
            return Character(value: value, end: place + 6)
        case UInt8(ascii: "b"): return Character(value: 0x08, end: place + 2)
        case let byte where byte == UInt8(ascii: "/") || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\"):
            return Character(value: UInt32(byte), end: place + 2)
        default: return nil
        }
    }

    /// The character of two digits behind a percent sign.
    private static func coded(_ text: [UInt8], from place: Int) -> Character? {
        guard let first = written(text, at: place), let high = Self.digit(first.value, of: 16),
            let second = written(text, at: first.end), let low = Self.digit(second.value, of: 16)
        else { return nil }
        return Character(value: high << 4 | low, end: second.end)
    }

    /// The character that a reference of HTML names, whose own letters JSON may escape.
    private static func referred(_ text: [UInt8], from start: Int) -> Character? {
        var place = start
        // Eight letters of a name, or the digits of a number.
        var name: UInt64 = 0
        var number: UInt32?
        var base: UInt32 = 10
        for count in 0...longestName {
            guard let next = written(text, at: place) else { return nil }
            place = next.end
            switch (next.value, count) {
            case (UInt32(UInt8(ascii: ";")), 1...):
                let value = number ?? (name > 0 ? names[name] : nil)
                return value.map { Character(value: $0, end: place) }
            case (UInt32(UInt8(ascii: "#")), 0): number = 0
            case (UInt32(UInt8(ascii: "x")), 1) where number != nil, (UInt32(UInt8(ascii: "X")), 1) where number != nil:
                base = 16
            case (let letter, _):
                if let known = number {
                    guard let digit = Self.digit(letter, of: base), known < 0x11_0000 else { return nil }
                    number = known * base + digit
                } else {
                    guard letter < 0x80, name >> 56 == 0 else { return nil }
                    let byte = UInt8(letter)
                    guard (0x41...0x5A).contains(byte & 0xDF) || (0x30...0x39).contains(byte) else { return nil }
                    name = name << 8 | UInt64(byte)
                }
            }
        }
        return nil
    }

    private static func written(_ text: [UInt8], at place: Int) -> Character? {
        guard let plain = plain(text, at: place) else { return nil }
        return plain.value == backslash ? unquoted(text, at: place) ?? plain : plain
    }

    private static func digit(_ letter: UInt32, of base: UInt32) -> UInt32? {
        let value: UInt32
        switch letter {
        case 0x30...0x39: value = letter - 0x30
        case 0x41...0x46: value = letter - 0x41 + 10
        case 0x61...0x66: value = letter - 0x61 + 10
        default: return nil
        }
        return value < base ? value : nil
    }

    /// The references to characters that a key may have, and to those that texts lose.
    private static let names: [UInt64: UInt32] = {
        let rows: [(String, UInt32)] = [
            ("amp", 0x26), ("lt", 0x3C), ("gt", 0x3E), ("quot", 0x22), ("apos", 0x27), ("sol", 0x2F), ("bsol", 0x5C),
            ("plus", 0x2B), ("equals", 0x3D), ("num", 0x23), ("lowbar", 0x5F), ("period", 0x2E), ("commat", 0x40),
            ("colon", 0x3A), ("semi", 0x3B), ("excl", 0x21), ("dollar", 0x24), ("percnt", 0x25), ("lpar", 0x28),
            ("rpar", 0x29), ("ast", 0x2A), ("comma", 0x2C), ("quest", 0x3F), ("lsqb", 0x5B), ("lbrack", 0x5B),
            ("rsqb", 0x5D), ("rbrack", 0x5D), ("Hat", 0x5E), ("grave", 0x60), ("lcub", 0x7B), ("lbrace", 0x7B),
            ("verbar", 0x7C), ("vert", 0x7C), ("rcub", 0x7D), ("rbrace", 0x7D), ("shy", 0xAD), ("zwnj", 0x200C),
            ("zwj", 0x200D),
        ]
        return Dictionary(
            uniqueKeysWithValues: rows.map { name, value in
                (name.utf8.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }, value)
            }
        )
    }()
}

extension EscapedReadings.Character {
    /// Whether texts lose it when they are cleaned.
    var isUnseen: Bool {
        if value < 0x80 { return value == 0x7F || value < 0x20 && !(0x09...0x0D).contains(value) }
        guard let scalar = Unicode.Scalar(value) else { return false }
        return [.control, .format].contains(scalar.properties.generalCategory)
            || scalar.properties.isDefaultIgnorableCodePoint || scalar.properties.isNoncharacterCodePoint
    }
}
