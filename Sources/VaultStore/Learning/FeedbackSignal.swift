package import KnotDomain
import Recommendation

/// One thing a person did with something they were shown, and what it had been chosen for.
package struct FeedbackSignal: Sendable, Hashable {
    /// What a stored row's evidence names, with the share it had.
    package struct Ground: Sendable, Hashable {
        package let kind: String
        package let ref: String
        package let weight: Double

        package init(kind: String, ref: String, weight: Double) {
            self.kind = kind
            self.ref = ref
            self.weight = weight
        }
    }

    package let id: PostgresUUID
    /// The set the item was shown in; nil for items that are older than sets.
    package let run: PostgresUUID?
    package let feedback: Feedback
    package let at: Instant
    package let type: CandidateType
    package let grounds: [Ground]

    package init(
        id: PostgresUUID,
        run: PostgresUUID?,
        feedback: Feedback,
        at: Instant,
        type: CandidateType,
        grounds: [Ground]
    ) {
        self.id = id
        self.run = run
        self.feedback = feedback
        self.at = at
        self.type = type
        self.grounds = grounds
    }

    /// From −1 to 1 in the product's own scale; nil for what says nothing, such as a rating without a number.
    var value: Double? {
        feedback.action == .rated && feedback.rating == nil ? nil : HistorySignal.value(of: feedback)
    }

    /// The one order of signals, whatever order they were read in.
    static func precedes(_ left: Self, _ right: Self) -> Bool {
        (left.at, left.id) < (right.at, right.id)
    }
}
