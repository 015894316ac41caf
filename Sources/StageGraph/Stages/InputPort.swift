/// An input that takes exactly one value.
package struct InputPort<Value: Sendable>: Sendable {
    package let name: String

    package init(_ name: String) {
        self.name = name
    }

    package var declaration: InputDeclaration {
        InputDeclaration(
            name: name,
            arity: .one,
            type: ObjectIdentifier(Value.self),
            typeName: String(describing: Value.self)
        )
    }
}
