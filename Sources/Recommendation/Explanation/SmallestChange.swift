package import KnotDomain

/// The single changes that would have chosen a candidate, the smallest first; every one of them was tried.
package struct SmallestChange: Sendable {
    package let candidate: CandidateID
    /// True when nothing needs to change.
    package let isChosen: Bool
    /// By relative change, far-fetched ones last; equal ones in the order of the plan.
    package let changes: [ConfirmedChange]
    /// Verdicts that were turned over in vain.
    package let vain: [VainVerdict]
    /// How many parameters were turned.
    package let parameters: Int
    /// How often the run was done again.
    package let reruns: Int
    /// Runs among them that failed, such as those that ask a recording for what it does not hold.
    package let failures: Int
    /// The most it may be done again; when it was reached, what is larger than `searched` was not all tried.
    package let limit: Int
    package let hasReachedLimit: Bool
    /// A narrowed change was tried in vain when smaller by this share of itself.
    package let precision: Double
    /// Every parameter that matters was turned this far, as a share of itself; infinite where all reached their ends.
    package let searched: Double
    /// The parameters that were not turned farther than that.
    package let left: [String]

    package var best: ConfirmedChange? { changes.first }
}
