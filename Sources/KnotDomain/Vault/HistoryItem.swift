package import JSONDocument

/// Something that was recommended or given before, with what came of it.
package struct HistoryItem: Hashable, Sendable {
    package let title: String
    package let type: CandidateType
    package let merchant: String?
    package let url: String?
    package let priceCents: Int?
    package let at: Instant
    /// The oldest first.
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

extension HistoryItem {
    /// The feedback that still holds: who rates a thing again has changed their mind.
    package var standingFeedback: [Feedback] {
        let latest = feedback.lastIndex { $0.rating != nil }
        return feedback.enumerated().filter { $1.rating == nil || $0 == latest }.map(\.element)
    }

    /// Whether it was turned down for itself: a complaint about the price or a wish for variety is no refusal.
    package var wasRefused: Bool {
        let mild: Set<RefreshReason?> = [.tooExpensive, .tooCheap, .showDifferent]
        return standingFeedback.contains { feedback in
            let turnedDown = feedback.action == .refreshed || (feedback.rating ?? 3) <= 1
            return turnedDown && !mild.contains(feedback.refreshReason)
        }
    }
}

extension HistoryItem {
    /// Reads one item of the history and notes every problem; nil when there was one.
    package init?(reading reader: JSONReader) {
        let before = reader.problems.list.count
        let title = reader.required("title")?.text(limit: TextLimit.title)
        let type = reader.required("type")?.choice(CandidateType.self)
        let merchant = reader.optional("merchant")?.optionalText(limit: TextLimit.name)
        let url = reader.optional("url")?.webAddress()
        let priceCents = reader.optional("price_cents")?.minorUnits()
        let moment = reader.required("at")?.instant()
        let feedback = reader.optional("feedback")?.items().compactMap { Feedback(reading: $0) } ?? []
        guard reader.problems.list.count == before, let title, let type, let moment else { return nil }
        self.init(
            title: title,
            type: type,
            merchant: merchant,
            url: url,
            priceCents: priceCents,
            at: moment,
            feedback: feedback
        )
    }

    package var json: JSONValue {
        [
            "title": .string(title), "type": .string(type.rawValue), "merchant": JSONValue(merchant),
            "url": JSONValue(url), "price_cents": JSONValue(priceCents), "at": .string(at.iso8601),
            "feedback": .array(feedback.map(\.json)),
        ]
    }
}
