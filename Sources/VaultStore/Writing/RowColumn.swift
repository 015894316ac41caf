import PostgresClient

/// One column of a table whose rows are stored many at a time: its name, the values of all rows as one array, and what the
/// table is given of each.
///
/// Arrays cost the server less than documents that it has to take apart. The statement calls the rows `a`.
struct RowColumn<Row: Sendable>: Sendable {
    let name: SQLQuery
    /// What a list of rows shows the column as; nil where it shows it not.
    let listed: SQLQuery?
    fileprivate let array: @Sendable ([Row]) -> SQLQuery
    fileprivate let stored: SQLQuery

    /// A column of values as they are, or as the server makes them of those.
    init<Value: SQLArrayElement>(
        _ name: StaticString,
        as stored: SQLQuery? = nil,
        listed: StaticString? = nil,
        _ value: @escaping @Sendable (Row) -> Value
    ) {
        self.name = "\(unescaped: name)"
        self.listed = listed.map { "'\(unescaped: $0)', c.\(unescaped: name)" }
        self.stored = stored ?? "a.\(unescaped: name)"
        array = { rows in "pg_catalog.unnest(\(rows.map(value)))" }
    }

    /// A column of lists: each travels as one text, parted by a character that stands in none of their texts.
    init(_ name: StaticString, of type: StaticString, list: @escaping @Sendable (Row) -> [String]) {
        self.init(
            name,
            as: """
                pg_catalog.string_to_array(a.\(unescaped: name), pg_catalog.chr(31))::pg_catalog.\(unescaped: type)[]
                """
        ) { list($0).joined(separator: "\u{1F}") }
    }
}

extension SQLQuery {
    /// The columns after one another: `a, b, c`.
    static func names<Row>(of columns: [RowColumn<Row>]) -> SQLQuery { .joined(columns.map(\.name), by: ", ") }

    /// What the columns of `names(of:)` are given.
    static func values<Row>(of columns: [RowColumn<Row>]) -> SQLQuery { .joined(columns.map(\.stored), by: ", ") }

    /// What stands after `from`: the rows in their order, each with its `place`.
    static func from<Row>(_ rows: [Row], _ columns: [RowColumn<Row>]) -> SQLQuery {
        """
        rows from (\(fragment: .joined(columns.map { $0.array(rows) }, by: ", "))) with ordinality
            as a (\(fragment: names(of: columns)), place)
        """
    }
}
