import KnotDomain

extension PlaceJudge {
    /// The judge for one run: home is the vault's, and towns count as named where a steering hint names them.
    static func forRun(_ brief: Brief, _ digest: HintDigest, nearKilometres: Double) -> PlaceJudge {
        PlaceJudge(
            home: brief.vault.location,
            hints: digest.ranked.filter { $0.weight > 0 }.map(\.words),
            nearKilometres: nearKilometres
        )
    }
}

extension Offer {
    /// Whether somebody has to go where it is: a posted gift comes by itself.
    var needsGoingThere: Bool {
        candidate.location != nil && !(candidate.type == .gift && candidate.shipsInDays != nil)
    }
}
