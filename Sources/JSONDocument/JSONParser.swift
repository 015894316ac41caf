/// A strict RFC 8259 reader with positions in its errors.
///
/// Doubled member names are errors, since two readers would pick different ones; so is a lone surrogate, which no text can
/// hold and which would be stored as something else; nesting is bounded so that hostile input cannot end the process.
package struct JSONParser {
    private let bytes: [UInt8]
    private var position = 0
    private var depth = 0
    private let maximumDepth: Int
    private let keepsDecimals: Bool
    private let replacesHalves: Bool
    private static let membersCompared = 16

    /// Parses one whole document.
    ///
    /// Decimals that are kept are strings of what was written, for amounts that no binary number may touch. Where halves are
    /// replaced, a lone surrogate reads as U+FFFD: some strangers cut texts in the middle of a character.
    package static func parse(
        _ bytes: [UInt8],
        maximumDepth: Int = 64,
        keepsDecimals: Bool = false,
        replacesHalves: Bool = false
    ) throws(JSONSyntaxError) -> JSONValue {
        var parser = JSONParser(bytes, maximumDepth, keepsDecimals: keepsDecimals, replacesHalves: replacesHalves)
        return try parser.document()
    }

    /// Parses one whole document from a text.
    package static func parse(_ text: String) throws(JSONSyntaxError) -> JSONValue {
        try parse(Array(text.utf8))
    }

    private init(_ bytes: [UInt8], _ maximumDepth: Int, keepsDecimals: Bool, replacesHalves: Bool) {
        self.bytes = bytes
        self.maximumDepth = maximumDepth
        self.keepsDecimals = keepsDecimals
        self.replacesHalves = replacesHalves
    }

    private mutating func document() throws(JSONSyntaxError) -> JSONValue {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
        skipSpace()
        let value = try value()
        skipSpace()
        guard position == bytes.count else { throw error("there is more text after the end of the document") }
        return value
    }

    private func error(_ message: String, at place: Int? = nil) -> JSONSyntaxError {
        let end = min(place ?? position, bytes.count)
        var line = 1
        var lineStart = 0
        for index in 0..<end where bytes[index] == 0x0A {
            line += 1
            lineStart = index + 1
        }
        return JSONSyntaxError(line: line, column: end - lineStart + 1, message: message)
    }

    private mutating func skipSpace() {
        while position < bytes.count {
            switch bytes[position] {
            case 0x20, 0x09, 0x0A, 0x0D: position += 1
            default: return
            }
        }
    }

    private mutating func value() throws(JSONSyntaxError) -> JSONValue {
        guard position < bytes.count else { throw error("the text ends where a value should be") }
        switch bytes[position] {
        case UInt8(ascii: "{"): return try object()
        case UInt8(ascii: "["): return try array()
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try word("true", .bool(true))
        case UInt8(ascii: "f"): return try word("false", .bool(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
        default: throw error("no value starts with this character")
        }
    }

    private mutating func word(_ word: StaticString, _ value: JSONValue) throws(JSONSyntaxError) -> JSONValue {
        let expected = Array(word.description.utf8)
        guard bytes[position...].starts(with: expected) else { throw error("expected \(word)") }
        position += expected.count
        return value
    }

    private mutating func descend() throws(JSONSyntaxError) {
        depth += 1
        guard depth <= maximumDepth else { throw error("more than \(maximumDepth) levels of nesting") }
        position += 1
        skipSpace()
    }

    private func next(is byte: UInt8) -> Bool {
        position < bytes.count && bytes[position] == byte
    }

    private mutating func object() throws(JSONSyntaxError) -> JSONValue {
        try descend()
        defer { depth -= 1 }
        var members: [JSONObject.Member] = []
        // Only of an object with many members: few are compared sooner than hashed.
        var seen: Set<String>?
        if next(is: UInt8(ascii: "}")) {
            position += 1
            return .object(JSONObject())
        }
        while true {
            guard next(is: UInt8(ascii: "\"")) else { throw error("expected a member's name in double quotes") }
            let start = position
            let name = try string()
            if members.count == Self.membersCompared { seen = Set(members.map(\.name)) }
            let isNew = seen?.insert(name).inserted ?? !members.contains { $0.name == name }
            guard isNew else { throw error("the member \"\(name)\" appears twice", at: start) }
            skipSpace()
            guard next(is: UInt8(ascii: ":")) else { throw error("expected a colon after \"\(name)\"") }
            position += 1
            skipSpace()
            members.append(JSONObject.Member(name: name, value: try value()))
            skipSpace()
            if next(is: UInt8(ascii: "}")) {
                position += 1
                return .object(JSONObject(members))
            }
            guard next(is: UInt8(ascii: ",")) else { throw error("expected a comma or a closing brace") }
            position += 1
            skipSpace()
        }
    }

    private mutating func array() throws(JSONSyntaxError) -> JSONValue {
        try descend()
        defer { depth -= 1 }
        var items: [JSONValue] = []
        if next(is: UInt8(ascii: "]")) {
            position += 1
            return .array(items)
        }
        while true {
            items.append(try value())
            skipSpace()
            if next(is: UInt8(ascii: "]")) {
                position += 1
                return .array(items)
            }
            guard next(is: UInt8(ascii: ",")) else { throw error("expected a comma or a closing bracket") }
            position += 1
            skipSpace()
        }
    }

    private mutating func digits() -> Int {
        let start = position
        while position < bytes.count, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[position]) {
            position += 1
        }
        return position - start
    }

    private mutating func number() throws(JSONSyntaxError) -> JSONValue {
        let start = position
        var isIntegral = true
        if next(is: UInt8(ascii: "-")) { position += 1 }
        let leadingZero = next(is: UInt8(ascii: "0"))
        let whole = digits()
        guard whole > 0, !leadingZero || whole == 1 else { throw error("not a number", at: start) }
        if next(is: UInt8(ascii: ".")) {
            isIntegral = false
            position += 1
            guard digits() > 0 else { throw error("a number needs a digit after its point") }
        }
        if next(is: UInt8(ascii: "e")) || next(is: UInt8(ascii: "E")) {
            isIntegral = false
            position += 1
            if next(is: UInt8(ascii: "+")) || next(is: UInt8(ascii: "-")) { position += 1 }
            guard digits() > 0 else { throw error("a number needs a digit in its exponent") }
        }
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        if isIntegral, let value = Int(text) { return .integer(value) }
        if keepsDecimals { return .string(text) }
        guard let value = Double(text), value.isFinite else {
            throw error("the number \(text.prefix(40)) is too large", at: start)
        }
        return .number(value)
    }

    private mutating func string() throws(JSONSyntaxError) -> String {
        position += 1
        let start = position
        // All of its bytes together, which tell whether one of them is beyond ASCII.
        var bits: UInt8 = 0
        while position < bytes.count {
            let byte = bytes[position]
            if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte < 0x20 { break }
            bits |= byte
            position += 1
        }
        if next(is: UInt8(ascii: "\"")) {
            defer { position += 1 }
            // Most texts are ASCII, which is UTF-8 as it stands; validating costs a thousand instructions a text.
            if bits < 0x80 { return String(decoding: bytes[start..<position], as: UTF8.self) }
            return try text(bytes[start..<position], from: start)
        }
        var buffer = Array(bytes[start..<position])
        while position < bytes.count {
            let byte = bytes[position]
            switch byte {
            case UInt8(ascii: "\""):
                defer { position += 1 }
                return try text(buffer[...], from: start)
            case UInt8(ascii: "\\"):
                try escape(into: &buffer)
            case 0..<0x20:
                throw error("a control character inside a string must be escaped")
            default:
                buffer.append(byte)
                position += 1
            }
        }
        throw error("the string that starts here never ends", at: start - 1)
    }

    private func text(_ slice: ArraySlice<UInt8>, from start: Int) throws(JSONSyntaxError) -> String {
        guard let text = String(validating: slice, as: UTF8.self) else {
            throw error("the string is not valid UTF-8", at: start)
        }
        return text
    }

    /// What an escape of one letter stands for.
    private static func plainEscape(_ letter: UInt8) -> UInt8? {
        switch letter {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): letter
        case UInt8(ascii: "b"): 0x08
        case UInt8(ascii: "f"): 0x0C
        case UInt8(ascii: "n"): 0x0A
        case UInt8(ascii: "r"): 0x0D
        case UInt8(ascii: "t"): 0x09
        default: nil
        }
    }

    private mutating func escape(into buffer: inout [UInt8]) throws(JSONSyntaxError) {
        guard position + 1 < bytes.count else { throw error("the text ends inside an escape") }
        let letter = bytes[position + 1]
        if let byte = Self.plainEscape(letter) {
            buffer.append(byte)
            position += 2
            return
        }
        guard letter == UInt8(ascii: "u") else { throw error("unknown escape in a string") }
        let start = position
        let first = try hexadecimal(at: position + 2)
        position += 6
        var scalar = UInt32(first)
        if (0xD800..<0xDC00).contains(first), position + 5 < bytes.count, bytes[position] == UInt8(ascii: "\\"),
            bytes[position + 1] == UInt8(ascii: "u")
        {
            let second = try hexadecimal(at: position + 2)
            if (0xDC00..<0xE000).contains(second) {
                scalar = 0x10000 + (UInt32(first) - 0xD800) << 10 + (UInt32(second) - 0xDC00)
                position += 6
            }
        }
        guard let character = Unicode.Scalar(scalar) ?? (replacesHalves ? "\u{FFFD}" : nil) else {
            throw error("\\u\(String(first, radix: 16)) is half of a surrogate pair, which is no character", at: start)
        }
        buffer.append(contentsOf: Array(String(Character(character)).utf8))
    }

    private func hexadecimal(at start: Int) throws(JSONSyntaxError) -> UInt16 {
        guard start + 4 <= bytes.count,
            bytes[start..<start + 4].allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
            let value = UInt16(String(decoding: bytes[start..<start + 4], as: UTF8.self), radix: 16)
        else { throw error("\\u needs four hexadecimal digits") }
        return value
    }
}
