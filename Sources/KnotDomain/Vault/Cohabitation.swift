/// How the two people live.
package enum Cohabitation: String, CaseIterable, Sendable, Hashable {
    case livingTogether = "living_together"
    case separate
    case longDistance = "long_distance"
}
