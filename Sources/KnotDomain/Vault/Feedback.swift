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
