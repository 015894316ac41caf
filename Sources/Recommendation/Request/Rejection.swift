package import KnotDomain

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

    package init(
        candidateID: CandidateID,
        type: CandidateType,
        title: String,
        description: String?,
        merchant: String?,
        url: String,
        budgetCents: Int?,
        reason: RefreshReason,
        isRejected: Bool
    ) {
        self.candidateID = candidateID
        self.type = type
        self.title = title
        self.description = description
        self.merchant = merchant
        self.url = url
        self.budgetCents = budgetCents
        self.reason = reason
        self.isRejected = isRejected
    }
}
