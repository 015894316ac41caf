import KnotDomain

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
