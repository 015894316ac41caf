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
