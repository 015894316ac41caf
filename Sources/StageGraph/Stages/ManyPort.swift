/// An input that joins any number of values in declared order.
package struct ManyPort<Value: Sendable>: Sendable {
    package let name: String

    package init(_ name: String) {
        self.name = name
    }

    package var declaration: InputDeclaration {
        InputDeclaration(
            name: name,
            arity: .many,
            type: ObjectIdentifier(Value.self),
            typeName: String(describing: Value.self)
        )
    }
}
