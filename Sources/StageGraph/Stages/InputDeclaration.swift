/// What a stage wants at one of its inputs.
package struct InputDeclaration: Sendable, Equatable {
    package enum Arity: Sendable, Equatable {
        /// Exactly one node, whose result must be there.
        case one
        /// At most one node, whose result may be missing.
        case optional
        /// Any number of nodes in declared order; those that failed are left out.
        case many
    }

    package let name: String
    package let arity: Arity
    package let type: ObjectIdentifier
    package let typeName: String
}
