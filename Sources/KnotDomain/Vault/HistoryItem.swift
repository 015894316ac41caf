/// Something that was recommended or given before, with what came of it.
package struct HistoryItem: Hashable, Sendable {
    package let title: String
    package let type: CandidateType
    package let merchant: String?
    package let url: String?
    package let priceCents: Int?
    package let at: Instant
    package let feedback: [Feedback]

    package init(
        title: String,
        type: CandidateType,
        merchant: String?,
        url: String?,
        priceCents: Int?,
        at: Instant,
        feedback: [Feedback]
    ) {
        self.title = title
        self.type = type
        self.merchant = merchant
        self.url = url
        self.priceCents = priceCents
        self.at = at
        self.feedback = feedback
    }
}
