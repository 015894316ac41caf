import JSONDocument

/// Reads one value of JSON as shops write it into pages, where a slip is not to hide that something is sold out.
///
/// Line breaks may stand in strings, a comma after the last item, a name twice, of which the last counts as it does to
/// browsers, and half a character, which becomes U+FFFD. Numbers with a point are texts, as amounts have to be.
struct LenientJSONReader {
    private let bytes: ArraySlice<UInt8>
    /// Behind what has been read.
    private(set) var place: Int
    private var depth = 0

    private static let mostDepth = 64

    init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        place = bytes.startIndex
    }

    private var next: UInt8? { place < bytes.endIndex ? bytes[place] : nil }

    private mutating func skipSpace() {
        while let byte = next, byte <= 0x20 { place += 1 }
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        skipSpace()
        guard next == byte else { return false }
        place += 1
        return true
    }

    /// Nil where it is broken beyond that, or ends within.
    mutating func value() -> JSONValue? {
        skipSpace()
        switch next {
        case UInt8(ascii: "{"): return nested { reader in reader.object() }
        case UInt8(ascii: "["): return nested { reader in reader.array() }
        case UInt8(ascii: "\""): return string().map { .string($0) }
        case nil: return nil
        default: return word()
        }
    }

    private mutating func nested(_ read: (inout Self) -> JSONValue?) -> JSONValue? {
        guard depth < Self.mostDepth else { return nil }
        depth += 1
        place += 1
        defer { depth -= 1 }
        return read(&self)
    }

    private mutating func object() -> JSONValue? {
        var places: [String: Int] = [:]
        var members: [JSONObject.Member] = []
        while !take(UInt8(ascii: "}")) {
            guard members.isEmpty || take(UInt8(ascii: ",")) else { return nil }
            if take(UInt8(ascii: "}")) { break }
            guard next == UInt8(ascii: "\""), let name = string(), take(UInt8(ascii: ":")), let value = value() else {
                return nil
            }
            if let known = places[name] {
                members[known].value = value
            } else {
                places[name] = members.count
                members.append(.init(name: name, value: value))
            }
        }
        return .object(JSONObject(members))
    }

    private mutating func array() -> JSONValue? {
        var items: [JSONValue] = []
        while !take(UInt8(ascii: "]")) {
            guard items.isEmpty || take(UInt8(ascii: ",")) else { return nil }
            if take(UInt8(ascii: "]")) { break }
            guard let item = value() else { return nil }
            items.append(item)
        }
        return .array(items)
    }

    /// A number or a name of a constant: whatever stands before the next mark.
    private mutating func word() -> JSONValue? {
        let start = place
        while let byte = next, byte > 0x20, !",:{}[]\"".utf8.contains(byte) { place += 1 }
        switch String(decoding: bytes[start..<place], as: UTF8.self) {
        case "true": return true
        case "false": return false
        case "null": return .null
        case "": return nil
        case let text: return Int(text).map { .integer($0) } ?? .string(text)
        }
    }

    private mutating func string() -> String? {
        place += 1
        var text: [UInt8] = []
        while let byte = next {
            place += 1
            switch byte {
            case UInt8(ascii: "\""): return String(decoding: text, as: UTF8.self)
            case UInt8(ascii: "\\"):
                guard let letter = next else { return nil }
                place += 1
                text += escaped(letter)
            case 0..<0x20: text.append(0x20)
            default: text.append(byte)
            }
        }
        return nil
    }

    private mutating func escaped(_ letter: UInt8) -> [UInt8] {
        switch letter {
        case UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"), UInt8(ascii: "b"), UInt8(ascii: "f"):
            return [0x20]
        case UInt8(ascii: "u"): return Array(String(character()).utf8)
        default: return [letter]
        }
    }

    /// Of the four digits that come next, with those of a second half where it follows.
    private mutating func character() -> Character {
        let unknown: Character = "\u{FFFD}"
        guard let first = unit() else { return unknown }
        guard (0xD800..<0xDC00).contains(first) else {
            return Unicode.Scalar(first).map { Character($0) } ?? unknown
        }
        let start = place
        if bytes[place...].starts(with: "\\u".utf8) {
            place += 2
            if let second = unit(), (0xDC00..<0xE000).contains(second) {
                let value = 0x10000 + (first - 0xD800) << 10 + (second - 0xDC00)
                return Unicode.Scalar(value).map { Character($0) } ?? unknown
            }
        }
        place = start
        return unknown
    }

    private mutating func unit() -> UInt32? {
        let digits = bytes[place...].prefix(4)
        guard digits.count == 4, let value = UInt32(String(decoding: digits, as: UTF8.self), radix: 16) else {
            return nil
        }
        place += 4
        return value
    }
}
