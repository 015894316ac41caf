package import JSONDocument
package import KnotDomain

/// Replies are read leniently: what is missing, null or of another kind is not there.
extension JSONValue {
    /// A text that is not blank; of a list the first one, as some services write one value both ways.
    package var text: String? {
        switch self {
        case .string(let text): text.contains { !$0.isWhitespace } ? text : nil
        case .array(let items): items.lazy.compactMap(\.text).first
        default: nil
        }
    }

    /// A number as it was written, whether as a number or as a text.
    package var decimal: DecimalAmount? {
        switch self {
        case .integer(let value): DecimalAmount(value)
        case .string(let text): DecimalAmount(text)
        default: nil
        }
    }

    /// A number for which binary digits are good enough: stars, degrees.
    package var measure: Double? {
        switch self {
        case .string(let text): Double(text).flatMap { $0.isFinite ? $0 : nil }
        default: double
        }
    }

    /// An integer, also where it is written as a text or as a decimal.
    package var count: Int? { decimal?.whole }

    /// Whether it says that something is so, also where it is written as a text or as a number; nil where it says neither.
    package var flag: Bool? {
        switch self {
        case .bool(let flag): flag
        case .integer(let number): number == 1 ? true : number == 0 ? false : nil
        case .string(let text): ["true": true, "false": false][text.lowercased()]
        default: nil
        }
    }

    /// Whether something is said, and not that it is not so: for whatever takes an offer away.
    package var mayBeTrue: Bool { !isNull && flag != false }

    /// The items of a list, at most so many as a reply may have; none where this is no list.
    package var items: ArraySlice<JSONValue> { (array ?? []).prefix(5_000) }

    /// The value at the end of a path of member names.
    package func at(_ path: String...) -> JSONValue? {
        var value: JSONValue? = self
        for name in path { value = value?[name] }
        return value
    }
}
