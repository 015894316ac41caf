/// A place in a document that reads typed values and notes every problem instead of stopping at the first.
///
/// Readers made from one another share one list of problems, so a whole document is read before anything is reported.
package struct JSONReader {
    /// The list that all readers of one document share.
    package final class Problems {
        package private(set) var list: [JSONProblem] = []

        package init() {}

        package func note(_ problem: JSONProblem) {
            list.append(problem)
        }
    }

    /// Where a value stands in its document, which is put into words only for a problem.
    private indirect enum Place {
        /// `suffixes`: what stands behind the path for a member that is not called there as it is here.
        case start(String, suffixes: [String: String]?)
        case member(String, of: Place)
        case item(Int, of: Place)

        var path: String {
            switch self {
            case .start(let path, _): path
            case .member(let name, let place): place.path(of: name)
            case .item(let index, let place): "\(place.path)[\(index)]"
            }
        }

        func path(of name: String) -> String {
            if case .start(let path, let suffixes) = self, let suffix = suffixes?[name] { return path + suffix }
            return path + JSONReader.suffix(name)
        }
    }

    package let value: JSONValue
    package let problems: Problems
    private let place: Place

    package var path: String { place.path }

    /// `suffixes` say what stands behind the path for a member that is called otherwise there, such as a row's column.
    package init(
        _ value: JSONValue,
        path: String = "$",
        problems: Problems = Problems(),
        suffixes: [String: String]? = nil
    ) {
        self.init(value, at: .start(path, suffixes: suffixes), problems)
    }

    private init(_ value: JSONValue, at place: Place, _ problems: Problems) {
        self.value = value
        self.place = place
        self.problems = problems
    }

    /// Notes a problem with this value.
    package func note(_ message: String) {
        problems.note(JSONProblem(path: path, message: message))
    }

    /// Notes a problem with a member of this value.
    package func note(_ message: String, at name: String) {
        problems.note(JSONProblem(path: place.path(of: name), message: message))
    }

    /// A reader for a member; absent members and nulls give nil without a problem.
    package func optional(_ name: String) -> JSONReader? {
        guard let member = value[name], !member.isNull else { return nil }
        return JSONReader(member, at: .member(name, of: place), problems)
    }

    /// A reader for a member that must be there.
    package func required(_ name: String) -> JSONReader? {
        guard value.object != nil else {
            note("expected an object, found \(value.kindName)")
            return nil
        }
        guard let member = optional(name) else {
            note(value[name] == nil ? "is missing" : "must not be null", at: name)
            return nil
        }
        return member
    }

    /// Readers for the items of this list; notes a problem when it is none.
    package func items() -> [JSONReader] {
        guard let items = value.array else {
            note("expected a list, found \(value.kindName)")
            return []
        }
        return items.enumerated().map { JSONReader($1, at: .item($0, of: place), problems) }
    }

    /// Notes every member that is not among the known ones.
    package func expectOnly(_ known: [String]) {
        for name in value.object?.names ?? [] where !known.contains(name) {
            note("is not a known member", at: name)
        }
    }

    /// What a member's name adds to a path.
    static func suffix(_ name: String) -> String {
        let isPlain = !name.isEmpty && name.utf8.allSatisfy { isPlainByte[Int($0)] }
        return isPlain ? ".\(name)" : "[\(JSONWriter.text(.string(name)))]"
    }

    /// For each byte whether it may stand in a path as it is.
    private static let isPlainByte: [Bool] = (UInt8.min...UInt8.max).map { byte in
        Character(Unicode.Scalar(byte)).isLetter || Character(Unicode.Scalar(byte)).isNumber
            || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "$")
    }
}

extension JSONReader {
    /// This value as text, or nil with a problem noted.
    package func string() -> String? {
        if value.string == nil { note("expected a string, found \(value.kindName)") }
        return value.string
    }

    /// This value as an integer, or nil with a problem noted.
    package func int(in range: ClosedRange<Int>? = nil) -> Int? {
        guard let number = value.int else {
            note("expected an integer, found \(value.kindName)")
            return nil
        }
        if let range, !range.contains(number) {
            let isOpen = range.upperBound == .max
            note("\(number) is not " + (isOpen ? "\(range.lowerBound) or more" : Self.words(range)))
            return nil
        }
        return number
    }

    /// This value as a number, or nil with a problem noted.
    package func double(in range: ClosedRange<Double>? = nil) -> Double? {
        guard let number = value.double else {
            note("expected a number, found \(value.kindName)")
            return nil
        }
        if let range, !range.contains(number) {
            let isOpen = range.upperBound == .greatestFiniteMagnitude
            note("\(number) is not " + (isOpen ? "\(range.lowerBound) or more" : Self.words(range)))
            return nil
        }
        return number
    }

    private static func words<Bound>(_ range: ClosedRange<Bound>) -> String {
        "from \(range.lowerBound) to \(range.upperBound)"
    }

    /// This value as a boolean, or nil with a problem noted.
    package func bool() -> Bool? {
        if value.bool == nil { note("expected true or false, found \(value.kindName)") }
        return value.bool
    }

    /// This value as one of a closed set written as text, or nil with a problem that lists the set.
    package func choice<Choice: RawRepresentable & CaseIterable>(_ type: Choice.Type) -> Choice?
    where Choice.RawValue == String {
        guard let text = string() else { return nil }
        if let choice = Choice(rawValue: text) { return choice }
        let known = Choice.allCases.map(\.rawValue).joined(separator: ", ")
        note("\"\(text.prefix(60))\" is not one of \(known)")
        return nil
    }
}
