package import KnotDomain

/// The single changes that would have chosen a candidate, the smallest first; every one of them was tried.
package struct SmallestChange: Sendable {
    package let candidate: CandidateID
    /// True when nothing needs to change.
    package let isChosen: Bool
    /// By relative change; equal ones in the order of the plan.
    package let changes: [ConfirmedChange]
    /// Verdicts that were turned over in vain.
    package let vain: [VainVerdict]
    /// How many parameters were turned.
    package let parameters: Int
    /// How often the run was done again.
    package let reruns: Int
    /// Runs among them that failed, such as those that ask a recording for what it does not hold.
    package let failures: Int
    /// The most it may be done again; when it was reached, a smaller change may exist.
    package let limit: Int
    package let hasReachedLimit: Bool

    package var best: ConfirmedChange? { changes.first }
}
