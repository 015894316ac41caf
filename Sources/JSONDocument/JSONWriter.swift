/// Writes values as text: canonical (RFC 8785), compact, or indented for people.
package enum JSONWriter {
    /// How the text is laid out.
    package enum Style: Sendable {
        /// Members sorted by UTF-16 units, no spaces: equal values have equal bytes.
        case canonical
        /// Members in their own order, no spaces: one line.
        case compact
        /// Members in their own order, two spaces of indentation; short lists of scalars stay on one line.
        case pretty
    }

    /// Returns the text; a number that is not finite becomes null, since JSON has none.
    package static func text(_ value: JSONValue, style: Style = .compact) -> String {
        String(decoding: bytes(value, style: style), as: UTF8.self)
    }

    /// Returns the UTF-8 bytes of the text.
    package static func bytes(_ value: JSONValue, style: Style = .compact) -> [UInt8] {
        var output: [UInt8] = []
        append(value, to: &output, style: style, indent: 0)
        return output
    }

    private static func append(_ value: JSONValue, to output: inout [UInt8], style: Style, indent: Int) {
        switch value {
        case .null: output.append(contentsOf: "null".utf8)
        case .bool(let flag): output.append(contentsOf: (flag ? "true" : "false").utf8)
        case .integer(let number): output.append(contentsOf: String(number).utf8)
        case .number(let number): output.append(contentsOf: numberText(number).utf8)
        case .string(let text): appendString(text, to: &output)
        case .array(let items): appendArray(items, to: &output, style: style, indent: indent)
        case .object(let object): appendObject(object, to: &output, style: style, indent: indent)
        }
    }

    private static func appendArray(_ items: [JSONValue], to output: inout [UInt8], style: Style, indent: Int) {
        let isShort = items.allSatisfy(\.isScalar)
        output.append(UInt8(ascii: "["))
        for (index, item) in items.enumerated() {
            if index > 0 { output.append(UInt8(ascii: ",")) }
            if style == .pretty {
                if !isShort { newLine(&output, indent + 1) } else if index > 0 { output.append(0x20) }
            }
            append(item, to: &output, style: style, indent: indent + 1)
        }
        if style == .pretty, !isShort { newLine(&output, indent) }
        output.append(UInt8(ascii: "]"))
    }

    private static func appendObject(_ object: JSONObject, to output: inout [UInt8], style: Style, indent: Int) {
        guard !object.isEmpty else {
            output.append(contentsOf: "{}".utf8)
            return
        }
        var members = object.members
        if style == .canonical { members.sort { precedes($0.name, $1.name) } }
        output.append(UInt8(ascii: "{"))
        for (index, member) in members.enumerated() {
            if index > 0 { output.append(UInt8(ascii: ",")) }
            if style == .pretty { newLine(&output, indent + 1) }
            appendString(member.name, to: &output)
            output.append(UInt8(ascii: ":"))
            if style == .pretty { output.append(0x20) }
            append(member.value, to: &output, style: style, indent: indent + 1)
        }
        if style == .pretty { newLine(&output, indent) }
        output.append(UInt8(ascii: "}"))
    }

    /// By UTF-16 units.
    private static func precedes(_ left: String, _ right: String) -> Bool {
        // Below the surrogates and what comes after them, bytes have the order of the units.
        guard left.utf8.allSatisfy({ $0 < 0xED }), right.utf8.allSatisfy({ $0 < 0xED }) else {
            return left.utf16.lexicographicallyPrecedes(right.utf16)
        }
        return left.utf8.lexicographicallyPrecedes(right.utf8)
    }

    private static func newLine(_ output: inout [UInt8], _ indent: Int) {
        output.append(0x0A)
        for _ in 0..<indent * 2 { output.append(0x20) }
    }

    private static func appendString(_ text: String, to output: inout [UInt8]) {
        output.append(UInt8(ascii: "\""))
        guard text.utf8.contains(where: { $0 < 0x20 || $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") }) else {
            output.append(contentsOf: text.utf8)
            output.append(UInt8(ascii: "\""))
            return
        }
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""): output.append(contentsOf: "\\\"".utf8)
            case UInt8(ascii: "\\"): output.append(contentsOf: "\\\\".utf8)
            case 0x08: output.append(contentsOf: "\\b".utf8)
            case 0x09: output.append(contentsOf: "\\t".utf8)
            case 0x0A: output.append(contentsOf: "\\n".utf8)
            case 0x0C: output.append(contentsOf: "\\f".utf8)
            case 0x0D: output.append(contentsOf: "\\r".utf8)
            case 0..<0x20:
                let digits = Array("0123456789abcdef".utf8)
                output.append(contentsOf: "\\u00".utf8)
                output.append(digits[Int(byte >> 4)])
                output.append(digits[Int(byte & 15)])
            default: output.append(byte)
            }
        }
        output.append(UInt8(ascii: "\""))
    }
}

extension JSONValue {
    fileprivate var isScalar: Bool {
        switch self {
        case .array, .object: false
        default: true
        }
    }
}
