package import KnotDomain

extension Vault {
    /// The same vault with its lists in one order, each entry once, so that nothing depends on how they were listed.
    ///
    /// Sums in floating point, cuts after so many and the first of equals would otherwise tell one listing from another.
    package var inOneOrder: Vault {
        Vault(
            id: id,
            userID: userID,
            partnerName: partnerName,
            tenureMonths: tenureMonths,
            cohabitation: cohabitation,
            location: location,
            timeZone: timeZone,
            likes: Set(likes).sorted(),
            dislikes: Set(dislikes).sorted(),
            vibes: Set(vibes).sorted { $0.rawValue < $1.rawValue },
            budgets: budgets,
            loveLanguages: loveLanguages,
            milestones: milestones,
            hints: hints.sorted { ($0.createdAt, $0.id) < ($1.createdAt, $1.id) },
            history: history.map(\.inOneOrder).sorted { $0.place < $1.place },
            learned: learned
        )
    }
}

extension HistoryItem {
    fileprivate var inOneOrder: HistoryItem {
        guard feedback.count > 1 else { return self }
        return HistoryItem(
            title: title,
            type: type,
            merchant: merchant,
            url: url,
            priceCents: priceCents,
            at: at,
            feedback: feedback.sorted { $0.place < $1.place }
        )
    }

    fileprivate var place: (Instant, String, String, String, Int, String) {
        (at, title, url ?? "", merchant ?? "", priceCents ?? -1, type.rawValue)
    }
}

extension Feedback {
    fileprivate var place: (String, Int, String) { (action.rawValue, rating ?? 0, reason ?? "") }
}
