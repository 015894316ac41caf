import KnotDomain
import TextEncoding

/// Holds a written reason against the facts once more, from the facts' side: nothing untrue is ever shown.
struct ReasonCheck {
    private let brief: Brief
    private let digest: HintDigest?

    init(_ brief: Brief, _ digest: HintDigest? = nil) {
        self.brief = brief
        self.digest = digest
    }

    /// What is untrue, or nil.
    func problem(with reason: Reason, for offer: Offer) -> String? {
        for claim in reason.claims where !holds(claim, for: offer) {
            return "the reason for candidate \(offer.itemID) claims what its evidence does not show"
        }
        return nil
    }

    private func holds(_ claim: Reason.Claim, for offer: Offer) -> Bool {
        switch claim {
        case .noted(let id, let day):
            brief.vault.hints.contains { $0.id == id && brief.zone.localDate(at: $0.createdAt) == day }
        case .quoted(let id, let quote):
            brief.vault.hints.contains { hint in
                hint.id == id && NoteSentences(hint.text).pieces.contains(quote)
            }
        case .asks(let id, let phrase):
            digest?.serves.contains { $0.hint == id && $0.text == phrase } ?? false
        case .speaks(let id, let phrase):
            brief.vault.hints.contains { $0.id == id && StatedWords.speaks($0.text, of: phrase) }
        case .says(let words): StatedWords.prints(of: words).allSatisfy(StatedWords.shown(by: offer).contains)
        case .tagged(let words): StatedWords.prints(of: words).allSatisfy(offer.words.headSet.contains)
        case .likes(let interest): brief.vault.likes.contains(interest)
        case .arrives(let spare):
            offer.candidate.shipsInDays.map { brief.today.adding(days: $0 + spare) == brief.occurrence } ?? false
        case .happens(let day):
            brief.localStart(of: offer.candidate)?.date == day
        case .withinBudget(let total): brief.budget.contains(total) && self.total(of: offer) == total
        case .outsideBudget(let total): !brief.budget.contains(total) && self.total(of: offer) == total
        case .priceUnknown: offer.price.totalCents == nil && !offer.price.hasLapsed
        case .priceLapsed: offer.price.totalCents == nil && offer.price.hasLapsed
        case .rateMissing(let listed): isListed(listed, for: offer) && !brief.hasRate(from: listed.currency)
        case .beyondNumbers(let listed):
            isListed(listed, for: offer) && brief.hasRate(from: listed.currency) && total(of: offer) == nil
        }
    }

    private func isListed(_ price: Money, for offer: Offer) -> Bool {
        offer.price.totalCents == price.minorUnits && offer.candidate.currency == price.currency
    }

    private func total(of offer: Offer) -> Int? {
        offer.price.total(of: offer.candidate, in: brief.budget, rates: brief.rates)
    }
}
