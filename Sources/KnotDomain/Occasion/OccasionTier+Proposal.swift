extension OccasionTier {
    /// The tier to propose where an imported milestone names none; nil for custom ones, which must say so themselves.
    ///
    /// Only a proposal: once a milestone is stored its own tier decides.
    package static func proposed(for kind: Milestone.Kind, name: String) -> OccasionTier? {
        switch kind {
        case .birthday, .anniversary: .majorMilestone
        case .holiday: Holiday(named: name)?.tier ?? .minorOccasion
        case .custom: nil
        }
    }
}
