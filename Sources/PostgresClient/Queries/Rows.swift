/// The rows of one statement, in one piece of memory, and what the server says it did.
package struct Rows: Sendable {
    package struct Column: Sendable, Hashable {
        package let name: String
        package let type: PostgresType
        /// True for text instead of the binary form.
        let isText: Bool
    }

    /// What a statement returned; it never changes, so that parts of the rows share it.
    final class Cells: Sendable {
        let columns: [Column]
        /// All cells after one another, row by row.
        let bytes: [UInt8]
        /// Where each cell begins, and its length; a null has the length -1.
        let starts: [Int]
        let lengths: [Int32]

        init(columns: [Column], bytes: [UInt8], starts: [Int], lengths: [Int32]) {
            self.columns = columns
            self.bytes = bytes
            self.starts = starts
            self.lengths = lengths
        }

        func place(of name: String) -> Int? {
            for place in columns.indices where columns[place].name == name { return place }
            return nil
        }

        fileprivate static let none = Cells(columns: [], bytes: [], starts: [], lengths: [])
    }

    let cells: Cells
    /// The number of the first row among the cells.
    let firstRow: Int
    package let count: Int
    /// `INSERT 0 3`, `COMMIT`: what the server says it did.
    package let tag: String

    /// No rows.
    package init() {
        self.init(.none)
    }

    init(_ cells: Cells, count: Int = 0, tag: String = "") {
        self.init(cells, firstRow: 0, count: count, tag: tag)
    }

    private init(_ cells: Cells, firstRow: Int, count: Int, tag: String) {
        self.cells = cells
        self.firstRow = firstRow
        self.count = count
        self.tag = tag
    }

    package var columns: [Column] { cells.columns }
    package func type(of column: Int) -> PostgresType { cells.columns[column].type }
    package var isEmpty: Bool { count == 0 }
    /// The size of all cells that the statement returned.
    package var byteCount: Int { cells.bytes.count }

    /// How many rows the statement inserted, updated, deleted or returned; nil when its tag has no number.
    package var affected: Int? { tag.split(separator: " ").last.flatMap { Int($0) } }

    package subscript(index: Int) -> Row {
        precondition(index >= 0 && index < count, "there is no such row")
        return Row(cells: cells, index: firstRow + index)
    }

    package var first: Row? { isEmpty ? nil : self[0] }

    /// The one row of a statement that returns exactly one.
    package func only() throws(PostgresError) -> Row {
        guard count == 1 else {
            throw PostgresError(.unexpectedValue, at: "a result", detail: "it has \(count) rows instead of one")
        }
        return self[0]
    }

    /// One value from each row, in order.
    package func map<Value>(_ body: (Row) throws(PostgresError) -> Value) throws(PostgresError) -> [Value] {
        var values: [Value] = []
        values.reserveCapacity(count)
        for index in 0..<count { values.append(try body(self[index])) }
        return values
    }

    /// The rows by the value of a column that they are ordered by: each value's own stand together.
    package func grouped(by column: String) throws(PostgresError) -> [PostgresUUID: Rows] {
        guard !isEmpty else { return [:] }
        guard let place = cells.place(of: column) else {
            throw PostgresError(.unexpectedValue, at: "column \(column)", detail: "the result has no such column")
        }
        var groups: [PostgresUUID: Rows] = [:]
        var start = 0
        var key: PostgresUUID = try self[0].decode(at: place)
        for index in 1...count {
            let next: PostgresUUID? = index < count ? try self[index].decode(at: place) : nil
            if next == key { continue }
            let rows = Rows(cells, firstRow: firstRow + start, count: index - start, tag: tag)
            guard groups.updateValue(rows, forKey: key) == nil else {
                throw PostgresError(.unexpectedValue, at: "column \(column)", detail: "the rows are not in its order")
            }
            start = index
            if let next { key = next }
        }
        return groups
    }
}

/// One row: its cells by name or position, each decoded into the type that is asked for.
package struct Row: Sendable {
    let cells: Rows.Cells
    let index: Int

    // What rows are mostly made of is decoded by code of its own, since other rooms cannot specialize what stands here.

    /// Decodes the column of that name; `Optional` types take nulls, others refuse them.
    @_specialize(where Value == String)
    @_specialize(where Value == String?)
    @_specialize(where Value == [String])
    @_specialize(where Value == Int)
    @_specialize(where Value == Int?)
    @_specialize(where Value == Double)
    @_specialize(where Value == Bool)
    @_specialize(where Value == PostgresUUID)
    @_specialize(where Value == PostgresUUID?)
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
    @_specialize(where Value == String)
    @_specialize(where Value == String?)
    @_specialize(where Value == [String])
    @_specialize(where Value == Int)
    @_specialize(where Value == Int?)
    @_specialize(where Value == Double)
    @_specialize(where Value == Bool)
    @_specialize(where Value == PostgresUUID)
    @_specialize(where Value == PostgresUUID?)
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
