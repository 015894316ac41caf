import Testing

/// One statement that breaks one rule of the schema.
struct ConstraintViolation: Sendable, CustomTestStringConvertible {
    /// The constraint's name, or `table.column` for a column that must not be null.
    let name: String
    let state: String
    /// Runs against the seed's person 1.
    let statement: String

    var testDescription: String { name }

    static func check(_ name: String, _ statement: String) -> Self {
        .init(name: name, state: "23514", statement: statement)
    }
    static func unique(_ name: String, _ statement: String) -> Self {
        .init(name: name, state: "23505", statement: statement)
    }
    static func foreign(_ name: String, _ statement: String) -> Self {
        .init(name: name, state: "23503", statement: statement)
    }
}
