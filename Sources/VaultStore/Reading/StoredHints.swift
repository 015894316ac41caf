import KnotDomain

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
