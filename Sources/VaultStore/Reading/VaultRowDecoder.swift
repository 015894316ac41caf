import JSONDocument
import KnotDomain
import PostgresClient

/// Makes a vault from its rows, each row held to the domain's own rules; a problem names its table, row and column.
struct VaultRowDecoder {
    private let parts: [Rows]
    private let layout: VaultLayout
    private let problems = JSONReader.Problems()

    /// The results of `VaultStatements.all`, and the order in which an import wrote the lists.
    init(_ parts: [Rows], layout: VaultLayout) {
        self.parts = parts
        self.layout = layout
    }

    /// The vault, or nil and every problem.
    func decode() throws(PostgresError) -> (vault: Vault?, problems: [JSONProblem]) {
        let row = try rows(.vault).only()
        let facts = try VaultTable.vault.reader(rows(.vault), 0, problems)
        let partnerName = facts.required("partner_name")?.text(limit: TextLimit.name)
        let tenureMonths = facts.optional("relationship_tenure_months")?.int(in: Vault.tenures)
        let cohabitation = facts.optional("cohabitation_status")?.choice(Cohabitation.self)
        let isPlaced = ["city", "state", "country"].contains { facts.optional($0) != nil }
        let location = isPlaced ? Place(reading: facts) : nil
        let zone = JSONValue.string(try row.decode("timezone", as: String?.self) ?? Vault.unknownZone)
        let timeZone = JSONReader(zone, path: "users.timezone", problems: problems).text(limit: TextLimit.name)
        let named = try readers(.interests, .interests)
        let likes = VaultParts.interests(interests("like", of: named, as: .likes))
        let dislikes = VaultParts.interests(interests("dislike", of: named, as: .dislikes))
        VaultParts.expectDisjoint(likes: likes, dislikes: dislikes)
        let tags = try readers(.vibes, .vibes).compactMap { $0.required("tag") }
        let vibes = VaultParts.vibes(
            layout.arrange(tags, as: .vibes) { $0.value.string ?? "" },
            of: JSONReader([], path: VaultTable.vibes.name, problems: problems)
        )
        let budgets = try budgets()
        let loveLanguages = try loveLanguages()
        let milestones = try readers(.milestones, .milestones, as: .milestones).compactMap { Milestone(reading: $0) }
        let hints = try hints()
        let history = try history()
        var seen: Set<String> = []
        let list = problems.list.filter { seen.insert($0.path).inserted }
        guard list.isEmpty, let partnerName, let timeZone, let loveLanguages else { return (nil, list) }
        let vault = Vault(
            id: VaultID(try row.decode("id", as: PostgresUUID.self).description),
            userID: UserID(try row.decode("user_id", as: PostgresUUID.self).description),
            partnerName: partnerName,
            tenureMonths: tenureMonths,
            cohabitation: cohabitation,
            location: location,
            timeZone: timeZone,
            likes: likes.map(\.interest),
            dislikes: dislikes.map(\.interest),
            vibes: vibes,
            budgets: budgets,
            loveLanguages: loveLanguages,
            milestones: milestones,
            hints: hints,
            history: history
        )
        return (vault, [])
    }

    private func rows(_ part: VaultStatements.Part) -> Rows { parts[part.rawValue] }

    // MARK: Lists

    private func readers(_ part: VaultStatements.Part, _ table: VaultTable) throws(PostgresError) -> [JSONReader] {
        let rows = rows(part)
        var readers: [JSONReader] = []
        for index in 0..<rows.count { readers.append(try table.reader(rows, index, problems)) }
        return readers
    }

    /// The rows in the layout's order of their ids.
    private func readers(
        _ part: VaultStatements.Part,
        _ table: VaultTable,
        as list: VaultLayout.List
    ) throws(PostgresError) -> [JSONReader] {
        layout.arrange(try readers(part, table), as: list) { $0.value["id"]?.string ?? "" }
    }

    private func interests(_ type: String, of all: [JSONReader], as list: VaultLayout.List) -> [JSONReader] {
        let names =
            all
            .filter { ($0.value["type"]?.string == "like") == (type == "like") }
            .compactMap { $0.required("name") }
        return layout.arrange(names, as: list) { $0.value.string ?? "" }
    }

    private func budgets() throws(PostgresError) -> [OccasionTier: Budget] {
        var found: [String: JSONReader] = [:]
        for reader in try readers(.budgets, .budgets) { found[reader.value["tier"]?.string ?? ""] = reader }
        var budgets: [OccasionTier: Budget] = [:]
        for tier in OccasionTier.allCases {
            guard let reader = found[tier.rawValue] else {
                problems.note(JSONProblem(path: "\(VaultTable.budgets.name)[\(tier.rawValue)]", message: "is missing"))
                continue
            }
            budgets[tier] = Budget(reading: reader)
        }
        return budgets
    }

    private func loveLanguages() throws(PostgresError) -> LoveLanguages? {
        let members = try readers(.loveLanguages, .loveLanguages).map { reader in
            JSONObject.Member(
                name: reader.value["priority"]?.int == 1 ? "primary" : "secondary",
                value: reader.value["language"] ?? .null
            )
        }
        return LoveLanguages(
            reading: JSONReader(
                .object(JSONObject(members)),
                path: VaultTable.loveLanguages.name,
                problems: problems,
                suffixes: ["primary": "[1].language", "secondary": "[2].language"]
            )
        )
    }

    /// There may be hundreds: a good row is read as it is, and only another one by the rules that say what is wrong.
    private func hints() throws(PostgresError) -> [Hint] {
        let rows = rows(.hints)
        var hints: [Hint] = []
        hints.reserveCapacity(rows.count)
        for index in 0..<rows.count {
            if let hint = try PlainRow.hint(rows[index]) {
                hints.append(hint)
            } else if let hint = Hint(reading: try VaultTable.hints.reader(rows, index, problems)) {
                hints.append(hint)
            }
        }
        return layout.arrange(hints, as: .hints) { $0.id.text }
    }

    private func history() throws(PostgresError) -> [HistoryItem] {
        let given = try feedback()
        let rows = rows(.history)
        var items: [(id: PostgresUUID, item: HistoryItem)] = []
        items.reserveCapacity(rows.count)
        for index in 0..<rows.count {
            let id: PostgresUUID = try rows[index].decode(at: 0)
            var item = try PlainRow.historyItem(rows[index])
            if item == nil {
                let reader = try VaultTable.history.reader(rows, index, problems) { row in
                    // Whatever wrote it, nothing is asked of an old address: the item counts without it.
                    if !Self.isWebAddress(row["url"]) { row["url"] = .null }
                }
                item = HistoryItem(reading: reader)
            }
            guard let item else { continue }
            items.append((id, given[id].map { item.with($0) } ?? item))
        }
        return layout.arrange(items, as: .history) { $0.id.description }.map(\.item)
    }

    private static func isWebAddress(_ value: JSONValue?) -> Bool {
        JSONReader(value ?? .null).webAddress() != nil
    }

    /// By recommendation.
    private func feedback() throws(PostgresError) -> [PostgresUUID: [Feedback]] {
        let rows = rows(.feedback)
        var found: [(id: PostgresUUID, recommendation: PostgresUUID, feedback: Feedback)] = []
        for index in 0..<rows.count {
            var feedback = try PlainRow.feedback(rows[index])
            if feedback == nil { feedback = Feedback(reading: try VaultTable.feedback.reader(rows, index, problems)) }
            guard let feedback else { continue }
            found.append((try rows[index].decode(at: 0), try rows[index].decode(at: 1), feedback))
        }
        var given: [PostgresUUID: [Feedback]] = [:]
        for item in layout.arrange(found, as: .feedback, by: { $0.id.description }) {
            given[item.recommendation, default: []].append(item.feedback)
        }
        return given
    }
}

/// Rows of which there may be many, as they mostly are; nil where only the domain's rules can tell what is wrong, if anything.
private enum PlainRow {
    static func hint(_ row: Row) throws(PostgresError) -> Hint? {
        let text = BoundaryText.clean(try row.decode(at: 1), limit: 8 * TextLimit.hintCharacters)
        guard !text.isEmpty, text.unicodeScalars.count <= TextLimit.hintCharacters,
            let source = Hint.Source(rawValue: try row.decode(at: 2)), let createdAt = moment(row, at: 3)
        else { return nil }
        return Hint(
            id: HintID(try row.decode(at: 0, as: PostgresUUID.self).description),
            text: text,
            source: source,
            createdAt: createdAt,
            isUsed: try row.decode(at: 4)
        )
    }

    /// Without its feedback, which has rows of its own.
    static func historyItem(_ row: Row) throws(PostgresError) -> HistoryItem? {
        let title = BoundaryText.clean(try row.decode(at: 1), limit: TextLimit.title)
        let merchant = try row.decode(at: 3, as: String?.self).map { BoundaryText.clean($0, limit: TextLimit.name) }
        let url = try row.decode(at: 4, as: String?.self)
        let price = try row.decode(at: 5, as: Int?.self)
        guard !title.isEmpty, let type = CandidateType(rawValue: try row.decode(at: 2)), url.map(isPlain) ?? true,
            price.map({ $0 >= 0 }) ?? true, let moment = moment(row, at: 6)
        else { return nil }
        return HistoryItem(
            title: title,
            type: type,
            merchant: merchant.flatMap { $0.isEmpty ? nil : $0 },
            url: url,
            priceCents: price,
            at: moment,
            feedback: []
        )
    }

    static func feedback(_ row: Row) throws(PostgresError) -> Feedback? {
        let rating = try row.decode(at: 3, as: Int?.self)
        guard let action = Feedback.Action(rawValue: try row.decode(at: 2)),
            rating.map({ (1...5).contains($0) }) ?? true
        else { return nil }
        let reason = try row.decode(at: 4, as: String?.self).map { BoundaryText.clean($0, limit: TextLimit.reason) }
        return Feedback(action: action, rating: rating, reason: reason.flatMap { $0.isEmpty ? nil : $0 })
    }

    /// True for addresses of the plainest form.
    private static func isPlain(_ url: String) -> Bool {
        let start = url.hasPrefix("https://") ? 8 : url.hasPrefix("http://") ? 7 : 0
        guard start > 0, url.utf8.count <= TextLimit.url, url.utf8.allSatisfy({ (0x21..<0x7F).contains($0) }),
            let first = url.utf8.dropFirst(start).first
        else { return false }
        return !"/?#:@".utf8.contains(first)
    }

    /// A moment that can be written with a year of four digits; nil also for an infinite one.
    private static func moment(_ row: Row, at place: Int) -> Instant? {
        do throws(PostgresError) {
            let moment = try row.decode(at: place, as: Instant.self)
            return years.contains(moment.millisecondsSinceEpoch) ? moment : nil
        } catch {
            return nil
        }
    }

    /// From the year 1 to 9999.
    private static let years: Range<Int64> = -62_135_596_800_000..<253_402_300_800_000
}

extension HistoryItem {
    /// The same with what came of it.
    fileprivate func with(_ feedback: [Feedback]) -> HistoryItem {
        HistoryItem(
            title: title,
            type: type,
            merchant: merchant,
            url: url,
            priceCents: priceCents,
            at: at,
            feedback: feedback
        )
    }
}
