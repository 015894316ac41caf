import TextReading

/// A secret as a service may repeat it: plain, with characters escaped as JSON, HTML and links escape them, each in its own
/// way, or with characters between them that nobody sees and that no text keeps.
struct EscapedSecret {
    /// In ASCII, as every key is.
    private let bytes: [UInt8]

    /// What escapes begin with.
    static let openings = Array(#"\%&"#.utf8)
    /// The longest character reference is no longer.
    private static let longestReference = 10

    /// Nil for a text that is no key.
    init?(_ secret: String) {
        guard secret.utf8.allSatisfy({ (0x21..<0x7F).contains($0) }) else { return nil }
        bytes = Array(secret.utf8)
    }

    var count: Int { bytes.count }
    var first: UInt8? { bytes.first }

    /// Where it ends in a text; nil where it does not begin at that place.
    func end(in text: [UInt8], from place: Int) -> Int? { end(in: text, from: place, having: 0) }

    /// Goes back only where a place reads in two ways, as `%25` does in a key that has a percent sign.
    private func end(in text: [UInt8], from start: Int, having known: Int) -> Int? {
        var place = start
        for number in known..<bytes.count {
            if number > 0 {
                while let unseen = Self.characters(text, at: place).first(where: { Self.isUnseen($0.scalar) }) {
                    place = unseen.end
                }
            }
            let wanted = Unicode.Scalar(bytes[number])
            let fitting = Self.characters(text, at: place).filter { $0.scalar == wanted }
            guard let last = fitting.last else { return nil }
            for other in fitting.dropLast() {
                if let end = end(in: text, from: other.end, having: number + 1) { return end }
            }
            place = last.end
        }
        return place
    }

    private typealias Character = (scalar: Unicode.Scalar, end: Int)

    /// What may stand at a place, as whoever decodes most reads it first.
    private static func characters(_ text: [UInt8], at place: Int) -> [Character] {
        guard let plain = plain(text, at: place) else { return [] }
        let unquoted = plain.scalar == "\\" ? unquoted(text, at: place) : nil
        let written = unquoted ?? plain
        let meant = written.scalar == "&" ? referred(text, from: written) : coded(text, from: written)
        return [meant, unquoted, plain].compactMap { $0 }
    }

    private static func plain(_ text: [UInt8], at place: Int) -> Character? {
        guard place < text.count else { return nil }
        if text[place] < 0x80 { return (Unicode.Scalar(text[place]), place + 1) }
        let scalar = String(decoding: text[place...].prefix(4), as: UTF8.self).unicodeScalars.first
        return scalar.map { ($0, min(place + Unicode.UTF8.width($0), text.count)) }
    }

    /// Behind a backslash: a letter, or four digits.
    private static func unquoted(_ text: [UInt8], at place: Int) -> Character? {
        guard place + 1 < text.count else { return nil }
        switch text[place + 1] {
        case UInt8(ascii: "u"):
            return number(text[(place + 2)...].prefix(4), digits: 4).map { ($0, place + 6) }
        case UInt8(ascii: "b"): return ("\u{8}", place + 2)
        case let byte where byte == UInt8(ascii: "/") || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\"):
            return (Unicode.Scalar(byte), place + 2)
        default: return nil
        }
    }

    /// The character that a reference of HTML names, whose own characters JSON may escape.
    private static func referred(_ text: [UInt8], from ampersand: Character) -> Character? {
        var name = Array("&".utf8)
        var place = ampersand.end
        while name.count <= longestReference, let next = written(text, at: place), next.scalar.isASCII {
            name.append(UInt8(truncatingIfNeeded: next.scalar.value))
            place = next.end
            guard next.scalar == ";" else { continue }
            let scalars = String(decoding: PlainLetters.decoded(name), as: UTF8.self).unicodeScalars
            return scalars.count == 1 ? scalars.first.map { ($0, place) } : nil
        }
        return nil
    }

    /// The character that two digits behind a percent sign stand for; one beyond ASCII is none of a key's.
    private static func coded(_ text: [UInt8], from sign: Character) -> Character? {
        guard sign.scalar == "%", let first = written(text, at: sign.end), let second = written(text, at: first.end),
            first.scalar.isASCII, second.scalar.isASCII
        else { return nil }
        let digits = [first, second].map { UInt8(truncatingIfNeeded: $0.scalar.value) }
        return number(digits[...], digits: 2).map { ($0, second.end) }
    }

    private static func written(_ text: [UInt8], at place: Int) -> Character? {
        guard let plain = plain(text, at: place) else { return nil }
        return plain.scalar == "\\" ? unquoted(text, at: place) ?? plain : plain
    }

    private static func number(_ text: ArraySlice<UInt8>, digits: Int) -> Unicode.Scalar? {
        guard text.count == digits, text.first != UInt8(ascii: "+") else { return nil }
        return UInt32(String(decoding: text, as: UTF8.self), radix: 16).flatMap { Unicode.Scalar($0) }
    }

    /// Whether texts lose it when they are cleaned.
    private static func isUnseen(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII {
            return scalar.value == 0x7F || scalar.value < 0x20 && !(0x09...0x0D).contains(scalar.value)
        }
        return [.control, .format].contains(scalar.properties.generalCategory)
            || scalar.properties.isDefaultIgnorableCodePoint || scalar.properties.isNoncharacterCodePoint
    }
}
