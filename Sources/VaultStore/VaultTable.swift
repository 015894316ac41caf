import JSONDocument
import KnotDomain
import PostgresClient

/// A table of vaults: what its columns are called in statements, in a vault's document, and in the names of problems.
///
/// Only here stands which columns a vault has: a new one is a line here and a member that the domain reads.
struct VaultTable: Sendable {
    /// A column beside the row's id, and the member of a document that holds the same.
    struct Column: Sendable {
        let name: StaticString
        let member: String
        /// As a statement takes the value out of JSON.
        fileprivate let definition: SQLQuery
        fileprivate let value: SQLQuery

        init(_ name: StaticString, _ member: StaticString, _ type: StaticString = "text") {
            self.name = name
            self.member = member.description
            definition = "\"\(unescaped: member)\" \(unescaped: type)"
            value = "r.\"\(unescaped: member)\""
        }
    }

    private let table: StaticString
    let columns: [Column]
    var name: String { table.description }
    var sql: SQLQuery { "public.\(unescaped: table)" }
    /// The member that tells rows apart in the names of problems; nil where there is one row.
    private let key: String?
    /// The row's id and the columns, of a table that a statement calls `t`.
    let selection: SQLQuery
    /// By member: what stands behind a row's name for its column.
    private let suffixes: [String: String]

    private init(_ table: StaticString, by key: String? = "id", _ columns: [Column]) {
        self.table = table
        self.key = key
        self.columns = columns
        selection = .joined(["t.id"] + columns.map { "t.\(unescaped: $0.name)" }, by: ", ")
        suffixes = Dictionary(columns.map { ($0.member, ".\($0.name)") }) { first, _ in first }
    }

    static let vault = VaultTable(
        "partner_vaults",
        by: nil,
        [
            Column("user_id", "user_id", "uuid"), Column("partner_name", "partner_name"),
            Column("relationship_tenure_months", "relationship_tenure_months", "int4"),
            Column("cohabitation_status", "cohabitation_status"), Column("location_city", "city"),
            Column("location_state", "state"), Column("location_country", "country"),
        ]
    )
    static let interests = VaultTable(
        "partner_interests",
        [Column("interest_type", "type"), Column("interest_category", "name")]
    )
    static let milestones = VaultTable(
        "partner_milestones",
        [
            Column("milestone_type", "type"), Column("milestone_name", "name"),
            Column("milestone_date", "date", "date"), Column("recurrence", "recurrence"),
            Column("budget_tier", "budget_tier"),
        ]
    )
    static let vibes = VaultTable("partner_vibes", [Column("vibe_tag", "tag")])
    static let budgets = VaultTable(
        "partner_budgets",
        by: "tier",
        [
            Column("occasion_type", "tier"), Column("min_amount", "min_cents", "int4"),
            Column("max_amount", "max_cents", "int4"), Column("currency", "currency"),
        ]
    )
    static let loveLanguages = VaultTable(
        "partner_love_languages",
        [Column("language", "language"), Column("priority", "priority", "int4")]
    )
    /// `PlainRow` reads them by place.
    static let hints = VaultTable(
        "hints",
        [
            Column("hint_text", "text"), Column("source", "source"), Column("created_at", "created_at", "timestamptz"),
            Column("is_used", "is_used", "bool"),
        ]
    )
    /// `PlainRow` reads them by place, and those of the feedback.
    static let history = VaultTable(
        "recommendations",
        [
            Column("title", "title"), Column("recommendation_type", "type"), Column("merchant_name", "merchant"),
            Column("external_url", "url"), Column("price_cents", "price_cents", "int4"),
            Column("created_at", "at", "timestamptz"),
        ]
    )
    static let feedback = VaultTable(
        "recommendation_feedback",
        [
            Column("recommendation_id", "recommendation_id", "uuid"), Column("action", "action"),
            Column("rating", "rating", "int4"), Column("feedback_text", "reason"),
        ]
    )
}

extension VaultTable {
    /// One row as a document has it, with the row's `id`; a cell that no value of ours can hold is null and a problem.
    func object(_ rows: Rows, _ index: Int, _ problems: JSONReader.Problems) throws(PostgresError) -> JSONObject {
        let row = rows[index]
        let id = try row.decode(at: 0, as: PostgresUUID.self).description
        var members: [JSONObject.Member] = [.init(name: "id", value: .string(id))]
        members.reserveCapacity(columns.count + 1)
        // By index: a column with its statements is large to copy.
        for place in columns.indices {
            var value = JSONValue.null
            do throws(PostgresError) {
                value = try Self.value(row, place + 1, rows.type(of: place + 1))
            } catch {
                let message = error.detail ?? error.what
                problems.note(JSONProblem(path: "\(name)[\(id)].\(columns[place].name)", message: message))
            }
            members.append(.init(name: columns[place].member, value: value))
        }
        return JSONObject(members)
    }

    /// A reader of one row, whose problems are named by table, row and column.
    func reader(
        _ rows: Rows,
        _ index: Int,
        _ problems: JSONReader.Problems,
        adjusting: (inout JSONObject) -> Void = { _ in }
    ) throws(PostgresError) -> JSONReader {
        var object = try object(rows, index, problems)
        adjusting(&object)
        let path = self.name + (key.flatMap { object[$0]?.string }.map { "[\($0)]" } ?? "")
        return JSONReader(.object(object), path: path, problems: problems, suffixes: suffixes)
    }

    private static func value(_ row: Row, _ place: Int, _ type: PostgresType) throws(PostgresError) -> JSONValue {
        switch type {
        case .int2, .int4, .int8: JSONValue(try row.decode(at: place, as: Int?.self))
        case .bool: try row.decode(at: place, as: Bool?.self).map(JSONValue.bool) ?? .null
        case .uuid: JSONValue(try row.decode(at: place, as: PostgresUUID?.self)?.description)
        case .timestamptz: JSONValue(try row.decode(at: place, as: Instant?.self)?.iso8601)
        case .date: JSONValue(try row.decode(at: place, as: CivilDate?.self)?.description)
        default: JSONValue(try row.decode(at: place, as: String?.self))
        }
    }
}

/// How rows are written.
enum RowForm {
    /// With ids of the server's own making.
    case plain
    /// The same, each a microsecond after the one before.
    case inOrder
    /// With ids that the rows name.
    case named
    /// With ids that the rows name, but for rows whose ids are taken; returns the ids of the others.
    case namedWhereFree
    case namedInOrder
    /// In place of rows that the vault has under those ids; a row of another vault is left alone.
    case replacing

    fileprivate var hasIDs: Bool { self != .plain && self != .inOrder }
    fileprivate var isOrdered: Bool { self == .inOrder || self == .namedInOrder || self == .replacing }
}

extension VaultTable {
    private var names: [SQLQuery] { columns.map { "\(unescaped: $0.name)" } }

    private var definitions: SQLQuery { .joined(["id uuid"] + columns.map(\.definition), by: ", ") }

    func insertion(_ rows: [JSONObject], of vault: PostgresUUID, _ form: RowForm) -> SQLQuery {
        let list = JSONValue.array(rows.map(JSONValue.object))
        let ids: [SQLQuery] = form.hasIDs ? ["id"] : []
        let moments: [SQLQuery] = form.isOrdered ? ["created_at"] : []
        let moment: [SQLQuery] = form.isOrdered ? ["now() + r.ordinality * interval '1 microsecond'"] : []
        let values = ids.map { "r.\(fragment: $0)" } + columns.map(\.value) + moment
        let source: SQLQuery = """
            rows from (
                pg_catalog.jsonb_to_recordset(\(list)) as (\(fragment: definitions))
            ) with ordinality as r
            """
        let insertion: SQLQuery = """
            insert into \(fragment: sql) as t
                (vault_id, \(fragment: .joined(ids + names + moments, by: ", ")))
            select \(vault), \(fragment: .joined(values, by: ", "))
            from \(fragment: source)
            """
        switch form {
        case .plain, .inOrder, .named, .namedInOrder: return insertion
        case .namedWhereFree: return "\(fragment: insertion) on conflict (id) do nothing returning t.id"
        case .replacing:
            // Rights keep another vault's row out of sight, so only what is free is inserted, without a look at the rest.
            let changes = zip(names + moments, columns.map(\.value) + moment).map {
                "\(fragment: $0) = \(fragment: $1)" as SQLQuery
            }
            return """
                with known as (
                    update \(fragment: sql) t set \(fragment: .joined(changes, by: ", "))
                    from \(fragment: source)
                    where t.id = r.id and t.vault_id = \(vault)
                    returning t.id
                )
                \(fragment: insertion)
                where not exists (select from known k where k.id = r.id)
                on conflict (id) do nothing
                """
        }
    }

    /// Inserts the one row of a vault's own table.
    func insertion(_ row: JSONObject) -> SQLQuery {
        """
        insert into \(fragment: sql) (id, \(fragment: .joined(names, by: ", ")))
        select r.id, \(fragment: .joined(columns.map(\.value), by: ", "))
        from pg_catalog.jsonb_to_record(\(.object(row) as JSONValue)) as r (\(fragment: definitions))
        """
    }

    /// Gives the one row of a vault's own table these values.
    func update(_ row: JSONObject, id: PostgresUUID) -> SQLQuery {
        let changes = columns.map { "\(unescaped: $0.name) = \(fragment: $0.value)" as SQLQuery }
        return """
            update \(fragment: sql) t set \(fragment: .joined(changes, by: ", "))
            from pg_catalog.jsonb_to_record(\(.object(row) as JSONValue)) as r (\(fragment: definitions))
            where t.id = \(id)
            """
    }
}
