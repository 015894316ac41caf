/// One row: its cells by name or position, each decoded into the type that is asked for.
package struct Row: Sendable {
    let cells: Rows.Cells
    let index: Int

    /// Decodes the column of that name; `Optional` types take nulls, others refuse them.
    package func decode<Value: SQLReadable>(
        _ name: String,
        as type: Value.Type = Value.self
    ) throws(PostgresError) -> Value {
        guard let place = cells.place(of: name) else {
            throw PostgresError(.unexpectedValue, at: "column \(name)", detail: "the result has no such column")
        }
        return try decode(at: place, as: type)
    }

    /// Decodes the column at a position, counted from zero.
    package func decode<Value: SQLReadable>(
        at place: Int,
        as type: Value.Type = Value.self
    ) throws(PostgresError) -> Value {
        guard cells.columns.indices.contains(place) else {
            throw PostgresError(.unexpectedValue, at: "column \(place)", detail: "the result has no such column")
        }
        let column = cells.columns[place]
        let cell = index * cells.columns.count + place
        let length = cells.lengths[cell]
        guard length >= 0 else { return try Value(null: column.name) }
        guard !column.isText || Value.self == String.self || Value.self == String?.self else {
            throw PostgresError(.unexpectedValue, at: "column \(column.name)", detail: "it came as text")
        }
        let start = cells.starts[cell]
        let bytes = cells.bytes[start..<start + Int(length)]
        return try Value(SQLCell(column: column.name, type: column.isText ? .text : column.type, bytes: bytes))
    }
}
