/// How large an occasion is; it decides the budget.
package enum OccasionTier: String, CaseIterable, Sendable, Hashable {
    case justBecause = "just_because"
    case minorOccasion = "minor_occasion"
    case majorMilestone = "major_milestone"
}
