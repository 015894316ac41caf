/// What a filter says of one item.
package enum FilterVerdict: Sendable, Hashable {
    case keep
    /// Kept although something is unknown or doubtful; the flags are traced.
    case keepFlagged([String])
    case drop(reason: String, evidence: String)
}
