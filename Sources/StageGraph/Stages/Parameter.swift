package import JSONDocument

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
        self.init(name, default: value, among: Array(Value.allCases), summary)
    }
}

extension Parameter where Value: RawRepresentable, Value.RawValue == String {
    /// One of some words, which a catalogue may add to.
    package init(_ name: String, default value: Value, among values: [Value], _ summary: String) {
        declaration = ParameterDeclaration(
            name: name,
            domain: .choice(values.map(\.rawValue)),
            defaultValue: .string(value.rawValue),
            summary: summary
        )
        read = { $0.string.flatMap(Value.init(rawValue:)) }
    }
}

/// A number, word or switch a stage can be configured with, its bounds, and what it is for.
package struct ParameterDeclaration: Sendable {
    /// What values fit.
    package enum Domain: Sendable, Equatable {
        case double(ClosedRange<Double>)
        case integer(ClosedRange<Int>)
        case bool
        /// One of these words.
        case choice([String])
    }

    package let name: String
    package internal(set) var domain: Domain
    package let defaultValue: JSONValue
    package let summary: String
}

/// A number that each node at one input is given by its own name, such as the weight of each scorer.
package struct FeedParameter: Sendable {
    /// The input whose nodes are given one.
    package let input: String
    /// What it is called, such as `weight`.
    package let noun: String
    package let range: ClosedRange<Double>

    package init(_ noun: String, forEachNodeAt input: String, in range: ClosedRange<Double>) {
        self.input = input
        self.noun = noun
        self.range = range
    }

    /// The parameter of one node; it is read only where the definition sets it.
    package func parameter(of node: NodeID) -> Parameter<Double> {
        Parameter(node.text, default: range.lowerBound, in: range, "The \(noun) of \(node).")
    }
}

/// Who set a parameter; later layers win.
package enum ParameterLayer: String, CaseIterable, Sendable, Comparable {
    case `default`
    case file
    case experiment
    case commandLine = "command_line"

    package static func < (left: Self, right: Self) -> Bool { left.rank < right.rank }

    private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

/// The validated parameters of one node, each with the layer that set it and the reason the file gives.
package struct ParameterValues: Sendable {
    /// One value and where it came from.
    package struct Setting: Sendable, Equatable {
        package let value: JSONValue
        package let layer: ParameterLayer
        /// The file that set it, when a file did.
        package let origin: String?
        package let why: String?

        package init(value: JSONValue, layer: ParameterLayer, origin: String? = nil, why: String? = nil) {
            self.value = value
            self.layer = layer
            self.origin = origin
            self.why = why
        }
    }

    package let settings: [String: Setting]

    /// The settings must have been checked against the declarations; what is absent has its default.
    package init(_ settings: [String: Setting] = [:]) {
        self.settings = settings
    }

    package subscript<Value>(parameter: Parameter<Value>) -> Value {
        if let setting = settings[parameter.name], let value = parameter.read(setting.value) { return value }
        guard let value = parameter.read(parameter.declaration.defaultValue) else {
            preconditionFailure("the default of \(parameter.name) does not fit its own declaration")
        }
        return value
    }
}
