package import KnotDomain

/// What one run is asked for.
package struct RunRequest: Sendable, Hashable {
    package let vaultID: VaultID
    package let occasion: OccasionChoice
    /// Nil means the clock decides.
    package let asOf: Instant?
    package let refresh: RefreshRequest?
    /// False on fixtures that no service answers for: their old rates and readings are no surprise.
    package let isLive: Bool
    /// How many cards are wanted: the three of the set, and from the reserve as many more as can be had.
    package var cards = RunRequest.ofOneSet

    package static let ofOneSet = 3
    package static let mostCards = 12

    package init(
        vaultID: VaultID,
        occasion: OccasionChoice,
        asOf: Instant?,
        refresh: RefreshRequest? = nil,
        isLive: Bool = false
    ) {
        self.vaultID = vaultID
        self.occasion = occasion
        self.asOf = asOf
        self.refresh = refresh
        self.isLive = isLive
    }
}

/// What a set is for: one milestone of the vault, or a tier without a day.
package enum OccasionChoice: Sendable, Hashable {
    case milestone(MilestoneID)
    case tier(OccasionTier)
}

/// A re-roll: every rejection of all rounds of this occasion so far, and the choices that nobody turned down.
package struct RefreshRequest: Sendable, Hashable {
    /// One for the first refresh.
    package let round: Int
    package let rejections: [Rejection]
    /// What stays of the last round, each at its place; the others are chosen around them.
    package let kept: [Kept]

    /// A choice that stays where it stands.
    package struct Kept: Sendable, Hashable {
        /// 1 to 3.
        package let position: Int
        package let candidateID: CandidateID
    }

    package init(round: Int, rejections: [Rejection], kept: [Kept] = []) {
        self.round = round
        self.rejections = rejections
        self.kept = kept
    }

    /// Whether another one turns down the same items for the same reasons, and keeps the same.
    package func rejectsTheSame(as other: RefreshRequest) -> Bool {
        func rejected(_ request: RefreshRequest) -> [[String]] {
            request.rejections.filter(\.isRejected).map { [$0.candidateID.text, $0.reason.rawValue] }
        }
        return rejected(self) == rejected(other) && kept == other.kept
    }

    package func keeps(_ candidate: CandidateID) -> Bool { kept.contains { $0.candidateID == candidate } }
}

/// One item of an earlier round that was not wanted, with what the next round needs to know of it.
package struct Rejection: Sendable, Hashable {
    package let candidateID: CandidateID
    package let type: CandidateType
    package let title: String
    /// What was said of it, where that is still known.
    package let description: String?
    package let merchant: String?
    package let url: String
    /// The total in the budget's currency, when known.
    package let budgetCents: Int?
    package let reason: RefreshReason
    /// False in results of earlier versions for an item that was shown beside the rejected ones: it teaches nothing.
    package let isRejected: Bool
    /// The round that turned it down; nil in results of earlier versions.
    package var round: Int?

    /// What was rejected as something to read words of.
    var candidate: Candidate {
        Candidate(
            wordsOf: candidateID,
            type: type,
            title: title,
            description: description,
            url: url,
            merchant: merchant
        )
    }
}
