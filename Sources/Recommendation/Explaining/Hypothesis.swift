package import StageGraph

/// One thing that could have been different in a run, and nothing else.
package enum Hypothesis: Sendable, Equatable {
    /// One parameter had another value.
    case setting(CommandLineSetting)
    /// One filter or shortlist had kept one item.
    case kept(ItemID, at: NodeID)
    /// The check had found one item available.
    case available(ItemID)
}
