/// An input that takes one value or goes without.
package struct OptionalPort<Value: Sendable>: Sendable {
    package let name: String

    package init(_ name: String) {
        self.name = name
    }

    package var declaration: InputDeclaration {
        InputDeclaration(
            name: name,
            arity: .optional,
            type: ObjectIdentifier(Value.self),
            typeName: String(describing: Value.self)
        )
    }
}
