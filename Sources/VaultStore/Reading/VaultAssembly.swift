import JSONDocument
import KnotDomain
import PostgresClient

/// Makes a vault from its rows: they become a document of the same form as a fixture's, which one validation reads.
struct VaultAssembly {
    private let parts: [Rows]
    private let layout: VaultLayout
    private var columns = VaultColumns()
    /// Cells that no value of ours can hold, such as an infinite moment.
    private var badCells: [JSONProblem] = []

    /// The results of `VaultStatements.all`, and the order in which an import wrote the lists.
    init(_ parts: [Rows], layout: VaultLayout) {
        self.parts = parts
        self.layout = layout
    }

    /// The vault, or nil and every problem with its table, row and column.
    mutating func assemble() throws(PostgresError) -> (vault: Vault?, problems: [JSONProblem]) {
        // Hints and history may be many: they are made directly where all are good, else the document says what is not.
        let good = try StoredHints.all(rows(.hints)).map { layout.arrange($0, as: .hints) { $0.id.text } }
        let past = try StoredHistory.all(rows(.history), feedback: rows(.feedback), layout: layout)
        let reader = JSONReader(try document(withHints: good == nil, withHistory: past == nil))
        let vault = Vault(reading: reader)?.with(hints: good, history: past)
        var problems = badCells
        let known = Set(badCells.map(\.path))
        for problem in reader.problems.list {
            let path = columns.place(of: problem.path)
            if !known.contains(path) { problems.append(JSONProblem(path: path, message: problem.message)) }
        }
        return (problems.isEmpty ? vault : nil, problems)
    }

    private func rows(_ part: VaultStatements.Part) -> Rows { parts[part.rawValue] }

    private mutating func document(withHints: Bool, withHistory: Bool) throws(PostgresError) -> JSONValue {
        let row = try rows(.vault).only()
        let place = try ["city", "state", "country"].map { name throws(PostgresError) in
            JSONObject.Member(name: name, value: JSONValue(try row.decode("location_\(name)", as: String?.self)))
        }
        let interests = try interests()
        return [
            "id": .string(try row.decode("id", as: PostgresUUID.self).description),
            "user_id": .string(try row.decode("user_id", as: PostgresUUID.self).description),
            "partner_name": .string(try row.decode("partner_name")),
            "relationship_tenure_months": JSONValue(try row.decode("relationship_tenure_months", as: Int?.self)),
            "cohabitation_status": JSONValue(try row.decode("cohabitation_status", as: String?.self)),
            "location": place.allSatisfy(\.value.isNull) ? .null : .object(JSONObject(place)),
            "timezone": .string(try row.decode("timezone", as: String?.self) ?? Self.unknownZone),
            "likes": interests.likes, "dislikes": interests.dislikes, "vibes": try vibes(),
            "budgets": try budgets(), "love_languages": try loveLanguages(), "milestones": try milestones(),
            "hints": withHints ? try hints() : [], "history": withHistory ? try history() : [],
        ]
    }

    /// CLDR's name for a zone that nobody has told; no machine has rules for it, and the run says so.
    private static var unknownZone: String { "Etc/Unknown" }

    // MARK: Lists

    private struct Item {
        let id: String
        let json: JSONValue
    }

    private func items(
        _ part: VaultStatements.Part,
        _ body: (Row) throws(PostgresError) -> JSONValue
    ) throws(PostgresError) -> [Item] {
        try rows(part).map { row throws(PostgresError) in
            Item(id: try row.decode("id", as: PostgresUUID.self).description, json: try body(row))
        }
    }

    private static func list(_ items: [Item]) -> JSONValue { .array(items.map(\.json)) }

    private mutating func interests() throws(PostgresError) -> (likes: JSONValue, dislikes: JSONValue) {
        var likes: [Item] = []
        var dislikes: [Item] = []
        let rows = rows(.interests)
        for index in 0..<rows.count {
            let item = Item(
                id: try rows[index].decode("id", as: PostgresUUID.self).description,
                json: .string(try rows[index].decode("interest_category"))
            )
            let isLiked = try rows[index].decode("interest_type", as: String.self) == "like"
            if isLiked { likes.append(item) } else { dislikes.append(item) }
        }
        likes = layout.arrange(likes, as: .likes) { $0.json.string ?? "" }
        dislikes = layout.arrange(dislikes, as: .dislikes) { $0.json.string ?? "" }
        columns.likes = likes.map(\.id)
        columns.dislikes = dislikes.map(\.id)
        return (Self.list(likes), Self.list(dislikes))
    }

    private mutating func vibes() throws(PostgresError) -> JSONValue {
        let found = try items(.vibes) { row throws(PostgresError) in .string(try row.decode("vibe_tag")) }
        let vibes = layout.arrange(found, as: .vibes) { $0.json.string ?? "" }
        columns.vibes = vibes.map(\.id)
        return Self.list(vibes)
    }

    private func budgets() throws(PostgresError) -> JSONValue {
        let members = try rows(.budgets).map { row throws(PostgresError) in
            JSONObject.Member(
                name: try row.decode("occasion_type"),
                value: [
                    "min_cents": .integer(try row.decode("min_amount")),
                    "max_cents": .integer(try row.decode("max_amount")),
                    "currency": .string(try row.decode("currency")),
                ]
            )
        }
        return .object(JSONObject(members))
    }

    private func loveLanguages() throws(PostgresError) -> JSONValue {
        let members = try rows(.loveLanguages).map { row throws(PostgresError) in
            JSONObject.Member(
                name: try row.decode("priority", as: Int.self) == 1 ? "primary" : "secondary",
                value: .string(try row.decode("language"))
            )
        }
        return .object(JSONObject(members))
    }

    private mutating func milestones() throws(PostgresError) -> JSONValue {
        var bad: [JSONProblem] = []
        let found = try items(.milestones) { row throws(PostgresError) in
            let id = try row.decode("id", as: PostgresUUID.self).description
            let date = Self.value("partner_milestones[\(id)].milestone_date", &bad) { () throws(PostgresError) in
                JSONValue.string(try row.decode("milestone_date", as: CivilDate.self).description)
            }
            return [
                "id": .string(id), "type": .string(try row.decode("milestone_type")),
                "name": .string(try row.decode("milestone_name")), "date": date,
                "recurrence": .string(try row.decode("recurrence")),
                "budget_tier": .string(try row.decode("budget_tier")),
            ]
        }
        badCells += bad
        let milestones = layout.arrange(found, as: .milestones, by: \.id)
        columns.milestones = milestones.map(\.id)
        return Self.list(milestones)
    }

    private mutating func hints() throws(PostgresError) -> JSONValue {
        var bad: [JSONProblem] = []
        let found = try rows(.hints).map { row throws(PostgresError) in
            let id = try row.decode(at: 0, as: PostgresUUID.self).description
            let createdAt = Self.value("hints[\(id)].created_at", &bad) { () throws(PostgresError) in
                JSONValue.string(try row.decode(at: 3, as: Instant.self).iso8601)
            }
            return Item(
                id: id,
                json: [
                    "id": .string(id), "text": .string(try row.decode(at: 1)),
                    "source": .string(try row.decode(at: 2)), "created_at": createdAt,
                    "is_used": .bool(try row.decode(at: 4)),
                ]
            )
        }
        badCells += bad
        let hints = layout.arrange(found, as: .hints, by: \.id)
        columns.hints = hints.map(\.id)
        return Self.list(hints)
    }

    private mutating func history() throws(PostgresError) -> JSONValue {
        var bad: [JSONProblem] = []
        let given = try feedback()
        let found = try items(.history) { row throws(PostgresError) in
            let id = try row.decode("id", as: PostgresUUID.self).description
            let moment = Self.value("recommendations[\(id)].created_at", &bad) { () throws(PostgresError) in
                JSONValue.string(try row.decode("created_at", as: Instant.self).iso8601)
            }
            return [
                "title": .string(try row.decode("title")), "type": .string(try row.decode("recommendation_type")),
                "merchant": JSONValue(try row.decode("merchant_name", as: String?.self)),
                "url": JSONValue(try row.decode("external_url", as: String?.self)),
                "price_cents": JSONValue(try row.decode("price_cents", as: Int?.self)), "at": moment,
                "feedback": Self.list(given[id] ?? []),
            ]
        }
        badCells += bad
        let history = layout.arrange(found, as: .history, by: \.id)
        columns.history = history.map(\.id)
        columns.feedback = history.map { (given[$0.id] ?? []).map(\.id) }
        return Self.list(history)
    }

    /// By recommendation.
    private func feedback() throws(PostgresError) -> [String: [Item]] {
        let found = try rows(.feedback).map { row throws(PostgresError) in
            (
                recommendation: try row.decode("recommendation_id", as: PostgresUUID.self).description,
                item: Item(
                    id: try row.decode("id", as: PostgresUUID.self).description,
                    json: [
                        "action": .string(try row.decode("action")),
                        "rating": JSONValue(try row.decode("rating", as: Int?.self)),
                        "reason": JSONValue(try row.decode("feedback_text", as: String?.self)),
                    ]
                )
            )
        }
        let ordered = layout.arrange(found, as: .feedback, by: \.item.id)
        return Dictionary(grouping: ordered, by: \.recommendation).mapValues { $0.map(\.item) }
    }

    /// The value of a cell, or null and a problem where the cell has none that can be held.
    private static func value(
        _ place: String,
        _ bad: inout [JSONProblem],
        _ body: () throws(PostgresError) -> JSONValue
    ) -> JSONValue {
        do throws(PostgresError) {
            return try body()
        } catch {
            bad.append(JSONProblem(path: place, message: error.detail ?? error.what))
            return .null
        }
    }
}

/// Makes a stored vault from the results of `VaultStatements.all`, away from the connection.
enum VaultDecoding {
    static func stored(
        _ parts: [Rows],
        id: VaultID,
        identity: ActingIdentity,
        model: String?
    ) throws(VaultReadError) -> StoredVault {
        guard let row = parts.first?.first else { throw .noVault(id) }
        let (stored, problems): (StoredVault?, [JSONProblem])
        do throws(PostgresError) {
            try identity.check(role: row.decode("role"), session: row.decode("session"))
            (stored, problems) = try all(parts, model: model)
        } catch {
            // A row that cannot be read is this vault's alone.
            guard error.code == .unexpectedValue else { throw .database(error) }
            throw .unusable(id, [JSONProblem(path: error.place, message: error.detail ?? error.what)])
        }
        guard let stored else { throw .unusable(id, problems) }
        return stored
    }

    private static func all(
        _ parts: [Rows],
        model: String?
    ) throws(PostgresError) -> (StoredVault?, [JSONProblem]) {
        var beside = VaultSideRows(parts)
        var assembly = VaultAssembly(parts, layout: try beside.layout())
        let (vault, problems) = try assembly.assemble()
        let embeddings = try beside.embeddings()
        let weights = try beside.weights()
        let imported = try beside.imported(vault)
        guard let vault, beside.problems.isEmpty else { return (nil, problems + beside.problems) }
        let stock = parts.dropFirst(VaultStatements.Part.allCases.count)
        let stored = StoredVault(
            vault: weights?.taste.map { vault.with(learned: $0) } ?? vault,
            hintEmbeddings: embeddings,
            hintReadings: try beside.hintReadings(),
            vaultReadings: try beside.vaultReadings(),
            weights: weights,
            imported: imported,
            stock: stock.count == 2
                ? try CatalogueStock(stock[stock.startIndex], stock[stock.startIndex + 1], model: model) : nil
        )
        return (stored, [])
    }
}
