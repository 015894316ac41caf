package import KnotDomain

/// One of a vault's interests, made ready to be looked for in every offer of a pool.
package struct InterestSign: Sendable {
    package let interest: Interest
    /// Set for an interest in the user's own words.
    private let free: FreeInterest?

    init(_ interest: Interest) {
        self.interest = interest
        free = interest.known == nil ? FreeInterest(interest) : nil
    }

    /// How clearly the offer, whose signs these are, is about the interest.
    func sign(in offer: Offer, _ signs: TasteSigns) -> TasteSigns.Sign? {
        if let known = interest.known { return signs.sign(of: known) }
        return free?.sign(in: offer)
    }
}
