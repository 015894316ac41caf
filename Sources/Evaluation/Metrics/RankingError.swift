/// Why a list is no ranking that a metric may look at.
package struct RankingError: Error, Sendable, Hashable, CustomStringConvertible {
    package enum Code: String, Sendable {
        case duplicateID = "duplicate_id"
        case scoreIsNoNumber = "score_is_no_number"
    }

    package let code: Code
    package let id: String

    package var description: String {
        switch code {
        case .duplicateID: "The item \(id) is in the ranking more than once."
        case .scoreIsNoNumber: "The score of \(id) is no number."
        }
    }
}
