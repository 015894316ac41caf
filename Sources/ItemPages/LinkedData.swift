import JSONDocument
import TextReading

/// A script of linked data, as browsers and search engines read it: with the slips that shops leave in it.
struct LinkedData {
    let values: [JSONValue]
    /// Whether there is more in it that nobody can read, as where the page was cut.
    let isBroken: Bool

    private static let mostValues = 20
    /// What stands around the data to hide it from readers of long ago.
    private static let wrappings = ["//<![CDATA[", "/*<![CDATA[*/", "<![CDATA[", "<!--", "//", "/*", "*/", "\u{FEFF}"]
        .map { Array($0.utf8) }

    init(_ script: [UInt8]) {
        var rest = Self.unquoted(script)[...]
        var isUnwrapping = true
        while isUnwrapping {
            rest = rest.drop { $0 <= 0x20 }
            let wrapping = Self.wrappings.first { rest.starts(with: $0) }
            rest = rest.dropFirst(wrapping?.count ?? 0)
            isUnwrapping = wrapping != nil
        }
        var values: [JSONValue] = []
        var isBroken = false
        while let first = rest.first, first == UInt8(ascii: "{") || first == UInt8(ascii: "["),
            values.count < Self.mostValues
        {
            var reader = LenientJSONReader(rest)
            guard let value = reader.value() else {
                isBroken = true
                break
            }
            values.append(value)
            rest = rest[reader.place...].drop { $0 <= 0x20 || $0 == UInt8(ascii: ";") || $0 == UInt8(ascii: ",") }
        }
        self.values = values
        self.isBroken = isBroken
    }

    /// Some write character references where there are none.
    private static func unquoted(_ script: [UInt8]) -> [UInt8] {
        script.contains(UInt8(ascii: "\"")) ? script : PlainLetters.decoded(script)
    }
}

extension MarkedItem {
    /// The items of a page that no other speaks of, as linked data would say them; none is said twice.
    static func values(of items: [MarkedItem]) -> [JSONValue] {
        var isSaid = [Bool](repeating: false, count: items.count)
        return items.indices.compactMap { items[$0].isTop ? value(of: $0, items, &isSaid) : nil }
    }

    private static func value(of index: Int, _ items: [MarkedItem], _ isSaid: inout [Bool]) -> JSONValue? {
        guard !isSaid[index] else { return nil }
        isSaid[index] = true
        var members: [(name: String, values: [JSONValue])] = []
        for property in items[index].properties {
            let value: JSONValue?
            switch property.value {
            case .text(let text): value = .string(String(text.trimming { $0.isWhitespace }))
            case .item(let place): value = Self.value(of: place, items, &isSaid)
            }
            guard let value else { continue }
            if let known = members.firstIndex(where: { $0.name == property.name }) {
                members[known].values.append(value)
            } else {
                members.append((property.name, [value]))
            }
        }
        var object = JSONObject([.init(name: "@type", value: JSONValue(items[index].types))])
        for member in members {
            object[member.name] = member.values.count == 1 ? member.values[0] : .array(member.values)
        }
        return .object(object)
    }
}

extension String {
    fileprivate func trimming(_ isTrimmed: (Character) -> Bool) -> Substring {
        var rest = self[...]
        while let last = rest.last, isTrimmed(last) { rest = rest.dropLast() }
        return rest.drop(while: isTrimmed)
    }
}
