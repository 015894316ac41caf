package import KnotDomain

/// What a set is for: one milestone of the vault, or a tier without a day.
package enum OccasionChoice: Sendable, Hashable {
    case milestone(MilestoneID)
    case tier(OccasionTier)
}
