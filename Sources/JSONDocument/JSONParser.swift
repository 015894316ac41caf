/// A strict RFC 8259 reader with positions in its errors.
///
/// Doubled member names are errors, since two readers would pick different ones; so is a lone surrogate, which no text can
/// hold and which would be stored as something else; nesting is bounded so that hostile input cannot end the process.
package struct JSONParser {
    let bytes: [UInt8]
    var position = 0
    private var depth = 0
    private let maximumDepth: Int
    /// How a reply is read; nil for a document that has to be right.
    var leniency: Leniency?
    private static let membersCompared = 16

    /// Parses one whole document.
    package static func parse(_ bytes: [UInt8], maximumDepth: Int = 64) throws(JSONSyntaxError) -> JSONValue {
        var parser = JSONParser(bytes, maximumDepth: maximumDepth)
        return try parser.document()
    }

    /// Parses one whole document from a text.
    package static func parse(_ text: String) throws(JSONSyntaxError) -> JSONValue {
        try parse(Array(text.utf8))
    }

    init(_ bytes: [UInt8], maximumDepth: Int = 64, _ leniency: Leniency? = nil) {
        self.bytes = bytes
        self.maximumDepth = maximumDepth
        self.leniency = leniency
    }

    mutating func document() throws(JSONSyntaxError) -> JSONValue {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
        skipSpace()
        let value = try value()
        skipSpace()
        if position < bytes.count {
            let error = error("there is more text after the end of the document")
            guard leniency?.forgives(error) == true else { throw error }
        }
        return value
    }

    func error(_ message: String, at place: Int? = nil) -> JSONSyntaxError {
        let end = min(place ?? position, bytes.count)
        // To count lines for each of many errors would take the square of a reply's length.
        guard leniency == nil else { return JSONSyntaxError(line: 1, column: end + 1, message: message) }
        var line = 1
        var lineStart = 0
        for index in 0..<end where bytes[index] == 0x0A {
            line += 1
            lineStart = index + 1
        }
        return JSONSyntaxError(line: line, column: end - lineStart + 1, message: message)
    }

    mutating func skipSpace() {
        while position < bytes.count {
            switch bytes[position] {
            case 0x20, 0x09, 0x0A, 0x0D: position += 1
            default: return
            }
        }
    }

    private mutating func value() throws(JSONSyntaxError) -> JSONValue {
        guard position < bytes.count else { throw error("the text ends where a value should be") }
        if let refusal = leniency?.takeValue() { throw error(refusal) }
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
        guard depth < maximumDepth else { throw error("more than \(maximumDepth) levels of nesting") }
        depth += 1
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
            var start = position
            do throws(JSONSyntaxError) {
                let name = try string()
                if members.count == Self.membersCompared { seen = Set(members.map(\.name)) }
                let isNew = seen?.insert(name).inserted ?? !members.contains { $0.name == name }
                guard isNew else { throw error("the member \"\(name)\" appears twice", at: start) }
                skipSpace()
                guard next(is: UInt8(ascii: ":")) else { throw error("expected a colon after \"\(name)\"") }
                position += 1
                skipSpace()
                members.append(JSONObject.Member(name: name, value: try value()))
                start = position
                if try isAtEnd(of: UInt8(ascii: "}"), "a closing brace") { return .object(JSONObject(members)) }
            } catch {
                let isEnd = try skipDamage(from: start, to: UInt8(ascii: "}"), ofItem: false, error)
                if isEnd { return .object(JSONObject(members)) }
            }
        }
    }

    /// True behind the end of a list or an object, and false behind a comma.
    private mutating func isAtEnd(of closing: UInt8, _ name: String) throws(JSONSyntaxError) -> Bool {
        skipSpace()
        let isEnd = next(is: closing)
        guard isEnd || next(is: UInt8(ascii: ",")) else { throw error("expected a comma or \(name)") }
        position += 1
        if !isEnd { skipSpace() }
        return isEnd
    }

    private mutating func array() throws(JSONSyntaxError) -> JSONValue {
        try descend()
        defer { depth -= 1 }
        var items: [JSONValue] = []
        if next(is: UInt8(ascii: "]")) {
            position += 1
            return .array(items)
        }
        leniency?.listDepth += 1
        defer { leniency?.listDepth -= 1 }
        while true {
            if leniency != nil, items.count == Leniency.mostItems {
                try skipRest(from: position, to: UInt8(ascii: "]"))
                return .array(items)
            }
            var start = position
            do throws(JSONSyntaxError) {
                items.append(try value())
                leniency?.keepItem()
                start = position
                if try isAtEnd(of: UInt8(ascii: "]"), "a closing bracket") { return .array(items) }
            } catch {
                let isEnd = try skipDamage(from: start, to: UInt8(ascii: "]"), ofItem: true, error)
                if isEnd { return .array(items) }
            }
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
        // Amounts stay as they were written: no binary number may touch them.
        if leniency != nil { return .string(text) }
        guard let value = Double(text), value.isFinite else {
            throw error("the number \(text.prefix(40)) is too large", at: start)
        }
        return .number(value)
    }

    private mutating func string() throws(JSONSyntaxError) -> String {
        guard next(is: UInt8(ascii: "\"")) else { throw error("expected a member's name in double quotes") }
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
            case 0..<0x20 where leniency == nil:
                throw error("a control character inside a string must be escaped")
            default:
                buffer.append(byte)
                position += 1
            }
        }
        throw error("the string that starts here never ends", at: start - 1)
    }

    private mutating func text(_ slice: ArraySlice<UInt8>, from start: Int) throws(JSONSyntaxError) -> String {
        if let text = String(validating: slice, as: UTF8.self) { return text }
        let error = error("the string is not valid UTF-8", at: start)
        guard leniency?.forgives(error) == true else { throw error }
        return String(decoding: slice, as: UTF8.self)
    }

    /// U+FFFD, the replacement character.
    private static let unknown: [UInt8] = [0xEF, 0xBF, 0xBD]

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
        let start = position
        let first: UInt16
        do throws(JSONSyntaxError) {
            guard letter == UInt8(ascii: "u") else { throw error("unknown escape in a string") }
            first = try hexadecimal(at: position + 2)
        } catch {
            guard leniency?.forgives(error) == true else { throw error }
            // To take the letter alone would bring texts together that stand apart in the reply.
            buffer += Self.unknown
            position += letter == UInt8(ascii: "u") ? 2 : 1
            return
        }
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
        // Some services cut texts in the middle of a character.
        guard let character = Unicode.Scalar(scalar) ?? (leniency == nil ? nil : "\u{FFFD}") else {
            throw error("\\u\(String(first, radix: 16)) is half of a surrogate pair, which is no character", at: start)
        }
        buffer.append(contentsOf: String(character).utf8)
    }

    private func hexadecimal(at start: Int) throws(JSONSyntaxError) -> UInt16 {
        guard start + 4 <= bytes.count else { throw error("\\u needs four hexadecimal digits") }
        var value: UInt16 = 0
        for place in start..<start + 4 {
            let byte = bytes[place]
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): value = value << 4 | UInt16(byte & 15)
            case UInt8(ascii: "A")...UInt8(ascii: "F"), UInt8(ascii: "a")...UInt8(ascii: "f"):
                value = value << 4 | UInt16(byte & 15 + 9)
            default: throw error("\\u needs four hexadecimal digits")
            }
        }
        return value
    }
}
