/// A part of the vaults that is looked at by itself.
package struct Segment: Sendable, Hashable {
    package enum Kind: String, CaseIterable, Sendable {
        case tier
        case loveLanguage = "love_language"
        case hints
        case coldStart = "cold_start"

        package var title: String {
            switch self {
            case .tier: "occasion"
            case .loveLanguage: "love language"
            case .hints: "hints"
            case .coldStart: "what is known"
            }
        }
    }

    package let kind: Kind
    package let name: String

    /// Below this many vaults a segment is shown and decides nothing.
    package static let smallestDeciding = 20
}
