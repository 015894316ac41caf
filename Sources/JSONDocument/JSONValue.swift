/// One JSON value, its object members in the order they were written.
package enum JSONValue: Sendable, Equatable {
    case null
    case bool(Bool)
    case integer(Int)
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object(JSONObject)
}

extension JSONValue {
    /// The type's name as a person reads it in an error.
    package var kindName: String {
        switch self {
        case .null: "null"
        case .bool: "a boolean"
        case .integer: "an integer"
        case .number: "a number"
        case .string: "a string"
        case .array: "a list"
        case .object: "an object"
        }
    }

    package var string: String? {
        if case .string(let text) = self { text } else { nil }
    }

    package var bool: Bool? {
        if case .bool(let value) = self { value } else { nil }
    }

    package var int: Int? {
        if case .integer(let value) = self { value } else { nil }
    }

    /// Integers count as numbers.
    package var double: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .number(let value): value
        default: nil
        }
    }

    package var array: [JSONValue]? {
        if case .array(let items) = self { items } else { nil }
    }

    package var object: JSONObject? {
        if case .object(let members) = self { members } else { nil }
    }

    package var isNull: Bool { self == .null }

    /// A member of an object, or nil when there is none or this is no object.
    package subscript(name: String) -> JSONValue? { object?[name] }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByNilLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    package init(stringLiteral value: String) { self = .string(value) }
    package init(integerLiteral value: Int) { self = .integer(value) }
    package init(floatLiteral value: Double) { self = .number(value) }
    package init(booleanLiteral value: Bool) { self = .bool(value) }
    package init(nilLiteral: ()) { self = .null }
    package init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
    package init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(JSONObject(elements.map { JSONObject.Member(name: $0.0, value: $0.1) }))
    }
}

extension JSONValue {
    /// The string, or null where there is none.
    package init(_ text: String?) { self = text.map(JSONValue.string) ?? .null }
    /// The integer, or null where there is none.
    package init(_ value: Int?) { self = value.map(JSONValue.integer) ?? .null }
    /// The number, or null where there is none.
    package init(_ value: Double?) { self = value.map(JSONValue.number) ?? .null }
    /// A list of strings.
    package init(_ texts: [String]) { self = .array(texts.map(JSONValue.string)) }
}

/// The members of an object, in order; setting a known name keeps its place.
package struct JSONObject: Sendable, Equatable {
    /// One name and its value.
    package struct Member: Sendable, Equatable {
        package let name: String
        package var value: JSONValue

        package init(name: String, value: JSONValue) {
            self.name = name
            self.value = value
        }
    }

    package private(set) var members: [Member]

    package init(_ members: [Member] = []) {
        self.members = members
    }

    package var names: [String] { members.map(\.name) }
    package var isEmpty: Bool { members.isEmpty }

    /// Looks a name up in order, since objects here are small; setting nil removes the member.
    package subscript(name: String) -> JSONValue? {
        get { place(of: name).map { members[$0].value } }
        set {
            let place = place(of: name)
            switch (place, newValue) {
            case (let place?, let value?): members[place].value = value
            case (let place?, nil): members.remove(at: place)
            case (nil, let value?): members.append(Member(name: name, value: value))
            case (nil, nil): break
            }
        }
    }

    /// By places, since to go from member to member would copy each.
    private func place(of name: String) -> Int? {
        for place in members.indices where members[place].name == name { return place }
        return nil
    }
}

/// One thing wrong with a document, at a path such as `$.vault.likes[2]`.
package struct JSONProblem: Sendable, Hashable, CustomStringConvertible {
    package let path: String
    package let message: String

    package init(path: String, message: String) {
        self.path = path
        self.message = message
    }

    package var description: String { "\(path): \(message)" }
}

/// Where a text stops being JSON, and why.
package struct JSONSyntaxError: Error, Sendable, Equatable, CustomStringConvertible {
    /// Counted from one.
    package let line: Int
    /// Counted from one, in bytes.
    package let column: Int
    package let message: String

    package var description: String { "line \(line), column \(column): \(message)" }
}

extension JSONValue {
    /// The same without any U+0000, which many that texts are handed to cannot store.
    package var withoutZeros: JSONValue {
        switch self {
        case .null, .bool, .integer, .number: self
        case .string(let text): text.utf8.contains(0) ? .string(text.withoutZeros) : self
        case .array(let items): .array(items.map(\.withoutZeros))
        case .object(let object):
            .object(
                JSONObject(object.members.map { .init(name: $0.name.withoutZeros, value: $0.value.withoutZeros) })
            )
        }
    }
}

extension String {
    /// The same without any U+0000.
    package var withoutZeros: String {
        utf8.contains(0) ? String(unicodeScalars.filter { $0 != "\0" }.map(Character.init)) : self
    }
}
