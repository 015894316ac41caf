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

    private static func appendMember(_ member: JSONObject.Member, to output: inout [UInt8], style: Style, indent: Int) {
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

extension JSONWriter {
    static func append(_ number: Int, to output: inout [UInt8]) {
        guard number > 9 || number < 0 else { return output.append(UInt8(ascii: "0") + UInt8(number)) }
        output.append(contentsOf: String(number).utf8)
    }

    static func append(_ number: Double, to output: inout [UInt8]) {
        output.append(contentsOf: numberText(number).utf8)
    }

    /// A double as ECMAScript writes it, which RFC 8785 asks for: the shortest digits that read back the same.
    static func numberText(_ number: Double) -> String {
        guard number.isFinite else { return "null" }
        guard number != 0 else { return "0" }
        // Without a power, Swift's own layout is the same but for a fraction of nothing.
        let own = number.description
        if !own.utf8.contains(UInt8(ascii: "e")) { return own.hasSuffix(".0") ? String(own.dropLast(2)) : own }
        let (digits, exponent) = shortestDigits(of: number.magnitude)
        let sign = number < 0 ? "-" : ""
        let count = digits.count
        // `point` is where the decimal point stands, counted from the first digit.
        let point = exponent + 1
        if count <= point, point <= 21 {
            return sign + digits + String(repeating: "0", count: point - count)
        }
        if 0 < point, point <= 21 {
            return sign + digits.prefix(point) + "." + digits.dropFirst(point)
        }
        if -6 < point, point <= 0 {
            return sign + "0." + String(repeating: "0", count: -point) + digits
        }
        let power = point - 1
        let mantissa = count == 1 ? digits : digits.prefix(1) + "." + digits.dropFirst(1)
        return "\(sign)\(mantissa)e\(power < 0 ? "-" : "+")\(power.magnitude)"
    }

    /// Swift's own description has the shortest digits; only its layout differs from ECMAScript's.
    private static func shortestDigits(of number: Double) -> (digits: String, exponent: Int) {
        let parts = number.description.split(separator: "e")
        var exponent = parts.count == 2 ? Int(parts[1]) ?? 0 : 0
        let halves = parts[0].split(separator: ".")
        var digits = String(halves[0])
        if halves.count == 2, halves[1] != "0" { digits += halves[1] }
        exponent += halves[0].count - 1
        let leading = digits.prefix { $0 == "0" }.count
        digits.removeFirst(leading)
        exponent -= leading
        while digits.count > 1, digits.last == "0" { digits.removeLast() }
        return (digits, exponent)
    }
}

extension JSONWriter {
    /// Objects of no more members than these are sorted in place, without a call for each comparison.
    private static let fewMembers = 32

    /// The places of the members by the UTF-16 units of their names; equal names keep their order.
    ///
    /// Places are moved about instead of members, which would be copied each time.
    static func canonicalOrder(of members: [JSONObject.Member]) -> [Int] {
        var order = Array(members.indices)
        guard members.count <= fewMembers else {
            order.sort { precedes(members[$0].name, members[$1].name) }
            return order
        }
        for place in order.indices.dropFirst() {
            var free = place
            while free > 0, precedes(members[place].name, members[order[free - 1]].name) {
                order[free] = order[free - 1]
                free -= 1
            }
            order[free] = place
        }
        return order
    }

    /// By UTF-16 units.
    private static func precedes(_ left: String, _ right: String) -> Bool {
        var left = left.utf8.makeIterator()
        var right = right.utf8.makeIterator()
        while let second = right.next() {
            guard let first = left.next() else { return true }
            if first == second { continue }
            return rank(first) < rank(second)
        }
        return false
    }

    /// Bytes have the order of the units, but that what lies behind the surrogates comes after what they stand for.
    private static func rank(_ byte: UInt8) -> UInt8 { byte == 0xEE || byte == 0xEF ? byte + 8 : byte }
}

extension JSONWriter {
    /// Appends a text with its quotation marks; few texts hold what must be escaped.
    static func appendString(_ text: String, to output: inout [UInt8]) {
        output.append(UInt8(ascii: "\""))
        let isPlain = unsafe text.utf8.withContiguousStorageIfAvailable { bytes in
            // The storage is only read, and only while the call lasts.
            guard !(unsafe bytes.contains(where: isEscaped)) else { return false }
            unsafe output.append(contentsOf: bytes)
            return true
        }
        if isPlain != true { appendEscaped(text, to: &output) }
        output.append(UInt8(ascii: "\""))
    }

    private static func isEscaped(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    private static func appendEscaped(_ text: String, to output: inout [UInt8]) {
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
    }
}
