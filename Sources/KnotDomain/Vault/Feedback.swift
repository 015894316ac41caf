package import JSONDocument

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

/// Why a person wants another set.
package enum RefreshReason: String, CaseIterable, Sendable, Hashable {
    case tooExpensive = "too_expensive"
    case tooCheap = "too_cheap"
    case notTheirStyle = "not_their_style"
    case alreadyHaveSimilar = "already_have_similar"
    case showDifferent = "show_different"
}

extension Feedback {
    /// What it says, from −1 to 1 in the product's own scale: (rating − 3) / 2, bought 0.5, chosen or shared 0.3, saved 0.2,
    /// handed off 0.1, refreshed −0.5.
    package var signal: Double {
        if let rating { return Double(min(5, max(1, rating)) - 3) / 2 }
        switch action {
        case .purchased: return 0.5
        case .selected, .shared: return 0.3
        case .saved: return 0.2
        case .handoff: return 0.1
        case .refreshed: return -0.5
        case .rated: return 0
        }
    }

    /// The reason, where it is one of the product's own.
    package var refreshReason: RefreshReason? { reason.flatMap(RefreshReason.init(rawValue:)) }
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
