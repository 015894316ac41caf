package import KnotDomain
import Recommendation

/// What a vault is sorted into segments by.
package struct VaultTraits: Sendable, Hashable {
    package let tier: OccasionTier
    package let loveLanguage: LoveLanguage
    package let hintCount: Int
    package let historyCount: Int

    /// A vault that little is known of: fewer than five hints, or nothing shown before.
    package var isColdStart: Bool { hintCount < 5 || historyCount == 0 }

    /// The segments it belongs to, one of each kind.
    package var segments: [Segment] {
        let hints =
            switch hintCount {
            case ..<5: "fewer than 5"
            case ..<10: "5 to 9"
            case ..<15: "10 to 14"
            default: "15 or more"
            }
        return [
            Segment(kind: .tier, name: tier.rawValue.replacing("_", with: " ")),
            Segment(kind: .loveLanguage, name: loveLanguage.rawValue.replacing("_", with: " ")),
            Segment(kind: .hints, name: hints),
            Segment(kind: .coldStart, name: isColdStart ? "cold start" : "known"),
        ]
    }
}

extension VaultTraits {
    init(_ fixtureCase: FixtureCase) {
        let vault = fixtureCase.fixture.vault
        let tier =
            switch fixtureCase.occasion {
            case .tier(let tier): tier
            case .milestone(let id): vault.milestones.first { $0.id == id }?.tier ?? .justBecause
            }
        self.init(
            tier: tier,
            loveLanguage: vault.loveLanguages.primary,
            hintCount: vault.hints.count,
            historyCount: vault.history.count
        )
    }
}
