package import KnotDomain

/// What one run is asked for.
package struct RunRequest: Sendable, Hashable {
    package let vaultID: VaultID
    package let occasion: OccasionChoice
    /// Nil means the clock decides.
    package let asOf: Instant?
    package let refresh: RefreshRequest?
    /// False on fixtures and replays, whose old rates and readings are no surprise.
    package let isLive: Bool
    /// How many cards are wanted: the three of the set, and from the reserve as many more as can be had.
    package var cards = RunRequest.ofOneSet

    package static let ofOneSet = 3
    package static let mostCards = 12

    package init(
        vaultID: VaultID,
        occasion: OccasionChoice,
        asOf: Instant?,
        refresh: RefreshRequest? = nil,
        isLive: Bool = false
    ) {
        self.vaultID = vaultID
        self.occasion = occasion
        self.asOf = asOf
        self.refresh = refresh
        self.isLive = isLive
    }
}
