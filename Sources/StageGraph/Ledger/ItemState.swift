/// How an item's way through a run ended; every retrieved item ends in exactly one of these.
package enum ItemState: String, CaseIterable, Sendable {
    case chosen
    case lost
    case unused
    case notSelected = "not_selected"
    case dropped
    case cut
    case merged
    /// The run ended before it was decided.
    case abandoned
}
