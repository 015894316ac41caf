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
        case .integer(let number): append(number, to: &output)
        case .number(let number): append(number, to: &output)
        case .string(let text): appendString(text, to: &output)
        case .array(let items): appendArray(items, to: &output, style: style, indent: indent)
        case .object(let object): appendObject(object, to: &output, style: style, indent: indent)
        }
    }

    private static func appendArray(_ items: [JSONValue], to output: inout [UInt8], style: Style, indent: Int) {
        let isSpread = style == .pretty && !items.allSatisfy(\.isScalar)
        output.append(UInt8(ascii: "["))
        for index in items.indices {
            if index > 0 { output.append(UInt8(ascii: ",")) }
            if style == .pretty {
                if isSpread { newLine(&output, indent + 1) } else if index > 0 { output.append(0x20) }
            }
            append(items[index], to: &output, style: style, indent: indent + 1)
        }
        if isSpread { newLine(&output, indent) }
        output.append(UInt8(ascii: "]"))
    }

    private static func appendObject(_ object: JSONObject, to output: inout [UInt8], style: Style, indent: Int) {
        let members = object.members
        guard !members.isEmpty else {
            output.append(contentsOf: "{}".utf8)
            return
        }
        output.append(UInt8(ascii: "{"))
        if style == .canonical {
            for (index, place) in canonicalOrder(of: members).enumerated() {
                if index > 0 { output.append(UInt8(ascii: ",")) }
                appendMember(members[place], to: &output, style: style, indent: indent)
            }
        } else {
            for place in members.indices {
                if place > 0 { output.append(UInt8(ascii: ",")) }
                if style == .pretty { newLine(&output, indent + 1) }
                appendMember(members[place], to: &output, style: style, indent: indent)
            }
        }
        if style == .pretty { newLine(&output, indent) }
        output.append(UInt8(ascii: "}"))
    }

    private static func appendMember(
        _ member: JSONObject.Member,
        to output: inout [UInt8],
        style: Style,
        indent: Int
    ) {
        appendString(member.name, to: &output)
        output.append(UInt8(ascii: ":"))
        if style == .pretty { output.append(0x20) }
        append(member.value, to: &output, style: style, indent: indent + 1)
    }

    private static func newLine(_ output: inout [UInt8], _ indent: Int) {
        output.append(0x0A)
        for _ in 0..<indent * 2 { output.append(0x20) }
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
