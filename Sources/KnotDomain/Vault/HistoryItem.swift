package import JSONDocument

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

/// What the user did with a recommendation.
package struct Feedback: Hashable, Sendable {
    package enum Action: String, CaseIterable, Sendable {
        case selected
        case refreshed
        case saved
        case shared
        case rated
        case handoff
        case purchased
    }

    package let action: Action
    /// One to five, for `rated`.
    package let rating: Int?
    package let reason: String?

    package init(action: Action, rating: Int?, reason: String?) {
        self.action = action
        self.rating = rating
        self.reason = reason
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

extension Feedback {
    /// Reads one feedback and notes every problem; nil when there was one.
    package init?(reading reader: JSONReader) {
        let before = reader.problems.list.count
        let action = reader.required("action")?.choice(Action.self)
        let rating = reader.optional("rating")?.int(in: 1...5)
        let reason = reader.optional("reason")?.optionalText(limit: TextLimit.reason)
        guard reader.problems.list.count == before, let action else { return nil }
        self.init(action: action, rating: rating, reason: reason)
    }

    package var json: JSONValue {
        ["action": .string(action.rawValue), "rating": JSONValue(rating), "reason": JSONValue(reason)]
    }
}
