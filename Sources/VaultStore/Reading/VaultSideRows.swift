package import JSONDocument
import KnotDomain
import PostgresClient
import VectorSearch

/// What the rows beside a vault say: embeddings, readings, weights, and what an import kept.
struct VaultSideRows {
    private let parts: [Rows]
    private(set) var problems: [JSONProblem] = []

    /// The results of `VaultStatements.all`.
    init(_ parts: [Rows]) {
        self.parts = parts
    }

    private func rows(_ part: VaultStatements.Part) -> Rows { parts[part.rawValue] }

    func layout() throws(PostgresError) -> VaultLayout {
        guard let row = rows(.imported).first else { return VaultLayout() }
        return VaultLayout(json: try row.decode("layout"))
    }

    mutating func embeddings() throws(PostgresError) -> [HintID: Embedding] {
        let rows = rows(.hints)
        var embeddings: [HintID: Embedding] = [:]
        embeddings.reserveCapacity(rows.count)
        for index in 0..<rows.count {
            guard let vector = try rows[index].decode(at: 5, as: PostgresVector?.self) else { continue }
            let id = try rows[index].decode(at: 0, as: PostgresUUID.self).description
            let model = try rows[index].decode(at: 6, as: String?.self) ?? StoredVault.unknownModel
            guard let embedding = Embedding(vector.values, model: model) else {
                let message = "has not \(Embedding.dimension) finite numbers"
                problems.append(JSONProblem(path: "hints[\(id)].hint_embedding", message: message))
                continue
            }
            embeddings[HintID(id)] = embedding
        }
        return embeddings
    }

    mutating func weights() throws(PostgresError) -> StoredWeights? {
        guard let row = rows(.weights).first else { return nil }
        var weights: [String: Double] = [:]
        for member in try row.decode("weights", as: JSONValue.self).object?.members ?? [] {
            guard let weight = member.value.double, weight >= 0, weight.isFinite else {
                let message = "expected a number that is not negative, found \(member.value.kindName)"
                problems.append(
                    JSONProblem(path: "learned_weights.weights.\(member.name.prefix(60))", message: message)
                )
                continue
            }
            weights[member.name] = weight
        }
        guard let asOf = moment(row, of: "learned_weights") ?? nil else { return nil }
        return StoredWeights(
            weights: weights,
            revision: try row.decode("revision"),
            signalCount: try row.decode("signal_count"),
            halfLifeDays: try row.decode("half_life_days"),
            asOf: asOf
        )
    }

    /// The row's `as_of`; a moment that is none is a problem.
    private mutating func moment(_ row: Row, of table: String) -> Instant?? {
        do throws(PostgresError) {
            return .some(try row.decode("as_of", as: Instant?.self))
        } catch {
            problems.append(JSONProblem(unreadable: row, of: table, error))
            return nil
        }
    }

    /// A request for a milestone that was deleted since is none.
    mutating func imported(_ vault: Vault?) throws(PostgresError) -> ImportedFacts? {
        guard let row = rows(.imported).first else { return nil }
        let request = try row.decode("request", as: JSONValue?.self)
        var occasion: ImportedFacts.Occasion?
        if let id = request?["milestone_id"]?.string {
            let found = vault?.milestones.first { $0.id.text.lowercased() == id.lowercased() }
            occasion = found.map { .milestone($0.id) }
        } else if let tier = request?["occasion"]?.string {
            occasion = OccasionTier(rawValue: tier).map { .tier($0) }
            if occasion == nil {
                problems.append(JSONProblem(path: "vault_imports.request.occasion", message: "is not a budget tier"))
            }
        }
        return ImportedFacts(
            name: try row.decode("name"),
            asOf: moment(row, of: "vault_imports") ?? nil,
            occasion: occasion,
            rates: try row.decode("rates"),
            fileDigest: try row.decode("file_digest")
        )
    }

    func hintReadings() throws(PostgresError) -> [StoredHintReading] {
        try rows(.hintReadings).map { row throws(PostgresError) in
            let id = try row.decode("hint_id", as: PostgresUUID.self).description
            return StoredHintReading(
                hintID: HintID(id),
                reader: try row.decode("reader"),
                inputDigest: try row.decode("input_digest"),
                json: [
                    "hint_id": .string(id), "about": .string(try row.decode("about")),
                    "stance": .string(try row.decode("stance")), "strength": .number(try row.decode("strength")),
                    "serves": JSONValue(try Self.phrases(row, "serves")),
                    "avoid": JSONValue(try Self.phrases(row, "avoid")),
                    "overrules": JSONValue(
                        try row.decode("overrules", as: [PostgresUUID?].self).compactMap { $0?.description }
                    ),
                    "limits": JSONValue(try Self.phrases(row, "limits")),
                ]
            )
        }
    }

    func vaultReadings() throws(PostgresError) -> [StoredVaultReading] {
        var readings: [StoredVaultReading] = []
        let rows = rows(.vaultReadings)
        for index in 0..<rows.count {
            let row = rows[index]
            guard let tier = OccasionTier(rawValue: try row.decode("occasion_type")) else { continue }
            readings.append(
                StoredVaultReading(
                    tier: tier,
                    reader: try row.decode("reader"),
                    inputDigest: try row.decode("input_digest"),
                    serves: try Self.phrases(row, "serves"),
                    avoid: try Self.phrases(row, "avoid")
                )
            )
        }
        return readings
    }

    /// As they were written, blank ones left out: whoever reads the reading refuses what is too long or too many.
    private static func phrases(_ row: Row, _ column: String) throws(PostgresError) -> [String] {
        let texts = try row.decode(column, as: [String?].self).compactMap(\.self)
        return texts.filter { !BoundaryText.clean($0, limit: TextLimit.phrase).isEmpty }
    }
}

/// Where in the tables a place of a vault's document comes from, so that a problem names the row to repair.
struct VaultColumns {
    /// The ids of the rows of each list, in the lists' order.
    var likes: [String] = []
    var dislikes: [String] = []
    var vibes: [String] = []
    var milestones: [String] = []
    var hints: [String] = []
    var history: [String] = []
    /// For each item of the history the ids of its feedback.
    var feedback: [[String]] = []

    /// `hints[…].hint_text` for `$.hints[3].text`; a path that belongs to no column stays as it is.
    func place(of path: String) -> String {
        let steps = Self.steps(path)
        guard let first = steps.first else { return "partner_vaults" }
        let rest = Array(steps.dropFirst())
        switch first {
        case "likes": return row("partner_interests", likes, rest, columns: [:]) + ".interest_category"
        case "dislikes": return row("partner_interests", dislikes, rest, columns: [:]) + ".interest_category"
        case "vibes": return row("partner_vibes", vibes, rest, columns: [:]) + (rest.isEmpty ? "" : ".vibe_tag")
        case "milestones": return row("partner_milestones", milestones, rest, columns: Self.milestoneColumns)
        case "hints": return row("hints", hints, rest, columns: Self.hintColumns)
        case "history": return historyPlace(rest)
        case "budgets":
            let column = rest.dropFirst().first.map { ".\(Self.budgetColumns[$0] ?? $0)" } ?? ""
            return "partner_budgets" + (rest.first.map { "[\($0)]" } ?? "") + column
        case "love_languages":
            let priority = rest.first.map { $0 == "primary" ? "[1].language" : "[2].language" } ?? ""
            return "partner_love_languages" + priority
        case "location": return "partner_vaults.location_" + (rest.first ?? "city")
        case "timezone": return "users.timezone"
        default: return "partner_vaults.\(first)"
        }
    }

    private func historyPlace(_ steps: [String]) -> String {
        guard steps.count > 2, steps[1] == "feedback", let item = Int(steps[0]), feedback.indices.contains(item) else {
            return row("recommendations", history, steps, columns: Self.historyColumns)
        }
        let rest = Array(steps.dropFirst(2))
        return row("recommendation_feedback", feedback[item], rest, columns: Self.feedbackColumns)
    }

    private func row(_ table: String, _ ids: [String], _ steps: [String], columns: [String: String]) -> String {
        guard let step = steps.first else { return table }
        let id = Int(step).flatMap { ids.indices.contains($0) ? ids[$0] : nil } ?? step
        return "\(table)[\(id)]" + (steps.dropFirst().first.map { ".\(columns[$0] ?? $0)" } ?? "")
    }

    /// The steps of a path as readers write them; their names are plain here.
    private static func steps(_ path: String) -> [String] {
        path.split(whereSeparator: { ".[]".contains($0) }).map(String.init).filter { $0 != "$" }
    }

    private static let milestoneColumns = [
        "type": "milestone_type", "name": "milestone_name", "date": "milestone_date",
    ]
    private static let hintColumns = ["text": "hint_text"]
    private static let historyColumns = [
        "type": "recommendation_type", "merchant": "merchant_name", "url": "external_url", "at": "created_at",
    ]
    private static let feedbackColumns = ["reason": "feedback_text"]
    private static let budgetColumns = ["min_cents": "min_amount", "max_cents": "max_amount"]
}

/// In which order the lists of an imported vault were written, where `vault_imports.layout` says another than that of
/// their moments.
///
/// Interests and vibes are listed by name, all other rows by id; what was added later comes after what is listed.
package struct VaultLayout: Sendable, Hashable {
    /// A list of a vault whose order means something.
    package enum List: String, CaseIterable, Sendable {
        case likes
        case dislikes
        case vibes
        case milestones
        case hints
        /// Ids of recommendations.
        case history
        /// Ids of feedback, over all of the history.
        case feedback
    }

    package var orders: [List: [String]]

    package init(orders: [List: [String]] = [:]) {
        self.orders = orders
    }

    /// Reads what is there; what is no list of texts says nothing, since a layout only arranges.
    package init(json: JSONValue) {
        orders = [:]
        for list in List.allCases {
            guard let names = json["order"]?[list.rawValue]?.array?.compactMap(\.string), !names.isEmpty else {
                continue
            }
            orders[list] = names
        }
    }

    /// One member for each list that has an order.
    package var json: JSONValue {
        let members = List.allCases.compactMap { list in
            orders[list].map { JSONObject.Member(name: list.rawValue, value: JSONValue($0)) }
        }
        return ["order": .object(JSONObject(members))]
    }

    /// The items with the listed ones first, in the listed order; the others keep theirs behind them.
    func arrange<Item>(_ items: [Item], as list: List, by name: (Item) -> String) -> [Item] {
        guard let order = orders[list] else { return items }
        var places: [String: Int] = [:]
        for (place, name) in order.enumerated() where places[name] == nil { places[name] = place }
        return items.enumerated()
            .map { (place: places[name($0.element)] ?? order.count + $0.offset, item: $0.element) }
            .sorted { $0.place < $1.place }
            .map(\.item)
    }
}
