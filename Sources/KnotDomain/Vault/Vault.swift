/// What a user knows of their partner.
package struct Vault: Hashable, Sendable {
    package let id: VaultID
    package let userID: UserID
    package let partnerName: String
    package let tenureMonths: Int?
    package let cohabitation: Cohabitation?
    package let location: Place?
    /// The IANA name as stored; it may be unknown to this machine.
    package let timeZone: String
    package let likes: [Interest]
    package let dislikes: [Interest]
    package let vibes: [Vibe]
    package let budgets: [OccasionTier: Budget]
    package let loveLanguages: LoveLanguages
    package let milestones: [Milestone]
    package let hints: [Hint]
    package let history: [HistoryItem]
    /// What feedback on the history has taught; nil until something was learned.
    package let learned: LearnedTaste?

    package init(
        id: VaultID,
        userID: UserID,
        partnerName: String,
        tenureMonths: Int?,
        cohabitation: Cohabitation?,
        location: Place?,
        timeZone: String,
        likes: [Interest],
        dislikes: [Interest],
        vibes: [Vibe],
        budgets: [OccasionTier: Budget],
        loveLanguages: LoveLanguages,
        milestones: [Milestone],
        hints: [Hint],
        history: [HistoryItem],
        learned: LearnedTaste? = nil
    ) {
        self.id = id
        self.userID = userID
        self.partnerName = partnerName
        self.tenureMonths = tenureMonths
        self.cohabitation = cohabitation
        self.location = location
        self.timeZone = timeZone
        self.likes = likes
        self.dislikes = dislikes
        self.vibes = vibes
        self.budgets = budgets
        self.loveLanguages = loveLanguages
        self.milestones = milestones
        self.hints = hints
        self.history = history
        self.learned = learned
    }
}

/// How the two people live.
package enum Cohabitation: String, CaseIterable, Sendable, Hashable {
    case livingTogether = "living_together"
    case separate
    case longDistance = "long_distance"
}

/// A town with its region and country, any of them unknown.
package struct Place: Hashable, Sendable {
    package let city: String?
    package let state: String?
    /// ISO 3166 alpha-2, upper case.
    package let country: String?

    package init(city: String?, state: String?, country: String?) {
        self.city = city
        self.state = state
        self.country = country
    }
}

/// How large an occasion is; it decides the budget.
package enum OccasionTier: String, CaseIterable, Sendable, Hashable {
    case justBecause = "just_because"
    case minorOccasion = "minor_occasion"
    case majorMilestone = "major_milestone"
}
