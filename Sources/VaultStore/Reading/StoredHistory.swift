import KnotDomain
import PostgresClient

/// Makes the history from its rows without a document between, as it grows with every set.
enum StoredHistory {
    /// All items in the layout's order; nil when one of them is no good, which the document's validation then names.
    static func all(_ rows: Rows, feedback: Rows, layout: VaultLayout) throws(PostgresError) -> [HistoryItem]? {
        guard let given = try Self.feedback(feedback, layout) else { return nil }
        var items: [(id: PostgresUUID, item: HistoryItem)] = []
        items.reserveCapacity(rows.count)
        for index in 0..<rows.count {
            let id: PostgresUUID = try rows[index].decode(at: 0)
            guard let item = try item(rows[index], given[id] ?? []) else { return nil }
            items.append((id, item))
        }
        return layout.arrange(items, as: .history) { $0.id.description }.map(\.item)
    }

    /// Nil also where the document's rules might be of another opinion.
    private static func item(_ row: Row, _ feedback: [Feedback]) throws(PostgresError) -> HistoryItem? {
        let title = BoundaryText.clean(try row.decode(at: 1), limit: TextLimit.title)
        let merchant = try row.decode(at: 3, as: String?.self).map { BoundaryText.clean($0, limit: TextLimit.name) }
        let url = try row.decode(at: 4, as: String?.self)
        let price = try row.decode(at: 5, as: Int?.self)
        guard !title.isEmpty, let type = CandidateType(rawValue: try row.decode(at: 2)), url.map(isPlain) ?? true,
            price.map({ $0 >= 0 }) ?? true, let moment = StoredHints.moment(row, at: 6)
        else { return nil }
        return HistoryItem(
            title: title,
            type: type,
            merchant: merchant.flatMap { $0.isEmpty ? nil : $0 },
            url: url,
            priceCents: price,
            at: moment,
            feedback: feedback
        )
    }

    /// By recommendation.
    private static func feedback(
        _ rows: Rows,
        _ layout: VaultLayout
    ) throws(PostgresError) -> [PostgresUUID: [Feedback]]? {
        guard !rows.isEmpty else { return [:] }
        var found: [(id: PostgresUUID, recommendation: PostgresUUID, feedback: Feedback)] = []
        for index in 0..<rows.count {
            let row = rows[index]
            let rating = try row.decode(at: 3, as: Int?.self)
            guard let action = Feedback.Action(rawValue: try row.decode(at: 2)),
                rating.map({ (1...5).contains($0) }) ?? true
            else { return nil }
            let reason = try row.decode(at: 4, as: String?.self).map { BoundaryText.clean($0, limit: TextLimit.reason) }
            let feedback = Feedback(
                action: action,
                rating: rating,
                reason: reason.flatMap { $0.isEmpty ? nil : $0 }
            )
            found.append((try row.decode(at: 0), try row.decode(at: 1), feedback))
        }
        var given: [PostgresUUID: [Feedback]] = [:]
        for item in layout.arrange(found, as: .feedback, by: { $0.id.description }) {
            given[item.recommendation, default: []].append(item.feedback)
        }
        return given
    }

    /// True for addresses of the plainest form; of others the document's rules tell.
    private static func isPlain(_ url: String) -> Bool {
        let start = url.hasPrefix("https://") ? 8 : url.hasPrefix("http://") ? 7 : 0
        guard start > 0, url.utf8.count <= TextLimit.url, url.utf8.allSatisfy({ (0x21..<0x7F).contains($0) }),
            let first = url.utf8.dropFirst(start).first
        else { return false }
        return !"/?#:@".utf8.contains(first)
    }
}

/// Makes hints from their rows without a document between, as there may be hundreds of them.
enum StoredHints {
    /// All hints in the rows' order; nil when one of them is no good, which the document's validation then names.
    static func all(_ rows: Rows) throws(PostgresError) -> [Hint]? {
        var hints: [Hint] = []
        hints.reserveCapacity(rows.count)
        for index in 0..<rows.count {
            guard let hint = try hint(rows[index]) else { return nil }
            hints.append(hint)
        }
        return hints
    }

    /// Nil also where the document's rules might be of another opinion.
    private static func hint(_ row: Row) throws(PostgresError) -> Hint? {
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

    /// A moment that can be written with a year of four digits.
    static func moment(_ row: Row, at place: Int) -> Instant? {
        do throws(PostgresError) {
            let moment = try row.decode(at: place, as: Instant.self)
            return years.contains(moment.millisecondsSinceEpoch) ? moment : nil
        } catch {
            // An infinite one, which is for the document to tell.
            return nil
        }
    }

    /// From the year 1 to 9999.
    private static let years: Range<Int64> = -62_135_596_800_000..<253_402_300_800_000
}

extension Vault {
    /// The same vault with other hints, another history, or with what was learned of it.
    func with(hints: [Hint]? = nil, history: [HistoryItem]? = nil, learned: LearnedTaste? = nil) -> Vault {
        Vault(
            id: id,
            userID: userID,
            partnerName: partnerName,
            tenureMonths: tenureMonths,
            cohabitation: cohabitation,
            location: location,
            timeZone: timeZone,
            likes: likes,
            dislikes: dislikes,
            vibes: vibes,
            budgets: budgets,
            loveLanguages: loveLanguages,
            milestones: milestones,
            hints: hints ?? self.hints,
            history: history ?? self.history,
            learned: learned ?? self.learned
        )
    }
}
