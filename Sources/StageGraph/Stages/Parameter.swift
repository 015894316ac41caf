import JSONDocument

/// A typed handle on one declared parameter: `parameters[Self.halfLife]` is a `Double`.
package struct Parameter<Value: Sendable>: Sendable {
    package let declaration: ParameterDeclaration
    let read: @Sendable (JSONValue) -> Value?

    package var name: String { declaration.name }
}

extension Parameter where Value == Double {
    /// A number inside a range.
    package init(_ name: String, default value: Double, in range: ClosedRange<Double>, _ summary: String) {
        declaration = ParameterDeclaration(
            name: name,
            domain: .double(range),
            defaultValue: .number(value),
            summary: summary
        )
        read = { $0.double }
    }
}

extension Parameter where Value == Int {
    /// A whole number inside a range.
    package init(_ name: String, default value: Int, in range: ClosedRange<Int>, _ summary: String) {
        declaration = ParameterDeclaration(
            name: name,
            domain: .integer(range),
            defaultValue: .integer(value),
            summary: summary
        )
        read = { $0.int }
    }
}

extension Parameter where Value == Bool {
    /// A switch.
    package init(_ name: String, default value: Bool, _ summary: String) {
        declaration = ParameterDeclaration(name: name, domain: .bool, defaultValue: .bool(value), summary: summary)
        read = { $0.bool }
    }
}

extension Parameter where Value: RawRepresentable & CaseIterable, Value.RawValue == String {
    /// One of a closed set of words.
    package init(_ name: String, default value: Value, _ summary: String) {
        declaration = ParameterDeclaration(
            name: name,
            domain: .choice(Value.allCases.map(\.rawValue)),
            defaultValue: .string(value.rawValue),
            summary: summary
        )
        read = { $0.string.flatMap(Value.init(rawValue:)) }
    }
}
