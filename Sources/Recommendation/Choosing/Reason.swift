import KnotDomain
import TextEncoding
import TextReading

/// A sentence or two for the person, the same for everybody else, and the claims they make, each of which can be checked.
struct Reason: Sendable {
    /// One thing a reason says.
    enum Claim: Sendable, Hashable {
        /// The user noted something on that day.
        case noted(HintID, on: CivilDate)
        /// These are the note's own words, whole sentences of it.
        case quoted(HintID, String)
        /// As the note was read, this would serve it.
        case asks(HintID, String)
        /// The note has these words, in whatever form.
        case speaks(HintID, String)
        case likes(Interest)
        /// The offer's title or description has these words.
        case says(String)
        /// The offer's tags have these words, which no card shows.
        case tagged(String)
        case arrives(daysBefore: Int)
        case happens(on: CivilDate)
        /// It is at home or in a town of which the distance is known.
        case near
        case withinBudget(total: Int)
        /// Only a pipeline without a budget rule of ours can show such a thing.
        case outsideBudget(total: Int)
        /// No price is listed.
        case priceUnknown
        /// The listed price is no longer what the page asks, and what it asks is not known.
        case priceLapsed
        /// A price is listed, and no rate leads from its currency to the budget's.
        case rateMissing(listed: Money)
        /// In the budget's currency the listed price does not fit a number.
        case beyondNumbers(listed: Money)
    }

    /// For the person whose notes these are, on the card.
    let text: String
    /// For wherever a text leaves: no note, no name, no word of health; facts and the known interests' names alone.
    let neutral: String
    let claims: [Claim]
}

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
            digest?.serves.contains {
                $0.hint == id && $0.text == phrase && $0.condition?.isMet(by: offer.words.said) ?? true
            } ?? false
        case .speaks(let id, let phrase):
            brief.vault.hints.contains { $0.id == id && StatedWords.speaks($0.text, of: phrase) }
        case .says(let words): StatedWords.fingerprints(of: words).allSatisfy(StatedWords.shown(by: offer).contains)
        case .tagged(let words): StatedWords.fingerprints(of: words).allSatisfy(offer.words.headSet.contains)
        case .likes(let interest): brief.vault.likes.contains(interest)
        case .arrives(let spare):
            offer.candidate.shipsInDays.map { brief.today.adding(days: $0 + spare) == brief.occurrence } ?? false
        case .happens(let day):
            brief.localStart(of: offer.candidate)?.date == day
        case .near: isMapped(offer.candidate.location)
        case .withinBudget(let total): brief.budget.contains(total) && self.total(of: offer) == total
        case .outsideBudget(let total): !brief.budget.contains(total) && self.total(of: offer) == total
        case .priceUnknown: offer.price.totalCents == nil && !offer.price.hasLapsed
        case .priceLapsed: offer.price.totalCents == nil && offer.price.hasLapsed
        case .rateMissing(let listed): isListed(listed, for: offer) && !brief.hasRate(from: listed.currency)
        case .beyondNumbers(let listed):
            isListed(listed, for: offer) && brief.hasRate(from: listed.currency) && total(of: offer) == nil
        }
    }

    /// How near is near, the pipeline says; here only whether anybody knows how far it is.
    private func isMapped(_ place: Place?) -> Bool {
        let judge = PlaceJudge(home: brief.vault.location, hints: [], nearKilometres: .infinity)
        return switch judge.verdict(on: place) {
        case .here, .near(.some): true
        case .near(nil), .named, .unknown, .elsewhere: false
        }
    }

    private func isListed(_ price: Money, for offer: Offer) -> Bool {
        offer.price.totalCents == price.minorUnits && offer.candidate.currency == price.currency
    }

    private func total(of offer: Offer) -> Int? {
        offer.price.total(of: offer.candidate, in: brief.budget, rates: brief.rates)
    }
}
