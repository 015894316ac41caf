/// One row: its cells by name or position, each decoded into the type that is asked for.
package struct Row: Sendable {
    let rows: Rows
    let index: Int

    /// Decodes the column of that name; `Optional` types take nulls, others refuse them.
    package func decode<Value: SQLReadable>(
        _ name: String,
        as type: Value.Type = Value.self
    ) throws(PostgresError) -> Value {
        guard let place = rows.columns.firstIndex(where: { $0.name == name }) else {
            throw PostgresError(.unexpectedValue, at: "column \(name)", detail: "the result has no such column")
        }
        return try decode(at: place, as: type)
    }

    /// Decodes the column at a position, counted from zero.
    package func decode<Value: SQLReadable>(
        at place: Int,
        as type: Value.Type = Value.self
    ) throws(PostgresError) -> Value {
        guard rows.columns.indices.contains(place) else {
            throw PostgresError(.unexpectedValue, at: "column \(place)", detail: "the result has no such column")
        }
        let column = rows.columns[place]
        let cell = index * rows.columns.count + place
        let length = rows.lengths[cell]
        guard length >= 0 else { return try Value(null: column.name) }
        guard !column.isText || Value.self == String.self || Value.self == String?.self else {
            throw PostgresError(.unexpectedValue, at: "column \(column.name)", detail: "it came as text")
        }
        let start = rows.starts[cell]
        let bytes = rows.bytes[start..<start + Int(length)]
        return try Value(SQLCell(column: column.name, type: column.isText ? .text : column.type, bytes: bytes))
    }
}
