import KnotDomain
import StageGraph
import TextEncoding

/// Writes reasons in plain English from a tie and facts; of what a provider wrote only the words of a tie are quoted.
struct ReasonWriter {
    private let brief: Brief

    init(_ brief: Brief) {
        self.brief = brief
    }

    func reason(for offer: Offer, tie: Tie, evidence: [Evidence] = []) -> Reason {
        let (beginning, open, claims) = beginning(of: tie, for: offer)
        let facts = facts(of: offer)
        let neutral = open + " " + neutralFacts(of: offer)
        guard case .none = tie else {
            return Reason(text: beginning + " " + facts.text, neutral: neutral, claims: claims + facts.claims)
        }
        let near = evidence.contains(where: ScorePlace.saysNear)
        let likes = evidence.filter { $0.kind == "interest" }.prefix(2).map(\.ref).joined(separator: " and ")
        let liked = likes.isEmpty ? "" : ", and \(brief.vault.partnerName) likes \(likes)"
        let standing = facts.budget + (near ? ", near you" : "") + liked
        let text = "No note of yours clearly asks for it; it is \(standing). " + facts.text
        return Reason(text: text, neutral: neutral, claims: claims + facts.claims + (near ? [.near] : []))
    }

    /// What ties it, for the person and for others.
    private func beginning(of tie: Tie, for offer: Offer) -> (text: String, neutral: String, claims: [Reason.Claim]) {
        switch tie {
        case .quote(let id, let quote, let phrase):
            let noted = noted(id)
            var text = "On \(noted.day) you noted: \u{201C}\(Self.trimmed(quote))\u{201D}."
            if let phrase { text += " That suggests \u{201C}\(phrase)\u{201D}." }
            let asks = phrase.map { [Reason.Claim.asks(id, $0)] } ?? []
            return (text, "It answers something that was noted.", noted.claims + [.quoted(id, quote)] + asks)
        case .wish(let id, let phrase):
            let noted = noted(id)
            // What a note says is a fact; what would serve it is somebody's reading of it.
            let isSaid = brief.vault.hints.contains { $0.id == id && StatedWords.speaks($0.text, of: phrase) }
            let text =
                "What you noted on \(noted.day) \(isSaid ? "speaks of" : "suggests") \u{201C}\(phrase)\u{201D}."
            return (
                text, "It answers something that was noted.",
                noted.claims + [.asks(id, phrase)] + (isSaid ? [.speaks(id, phrase)] : [])
            )
        case .noted(let id):
            let noted = noted(id)
            return (
                "It goes with what you noted on \(noted.day).", "It answers something that was noted.", noted.claims
            )
        case .like(let like, let words):
            let isShown = StatedWords.fingerprints(of: words).allSatisfy(StatedWords.shown(by: offer).contains)
            let text =
                "It goes with \(like.name), which \(brief.vault.partnerName) likes: "
                + "\(isShown ? "it says" : "it is listed under") \u{201C}\(words)\u{201D}."
            let interest = like.known.map { "an interest in \($0.rawValue)" } ?? "a known interest"
            return (text, "It goes with \(interest).", [.likes(like), isShown ? .says(words) : .tagged(words)])
        case .none: return ("", "Nothing noted clearly asks for it.", [])
        }
    }

    private func noted(_ id: HintID) -> (day: String, claims: [Reason.Claim]) {
        guard let hint = brief.vault.hints.first(where: { $0.id == id }) else { return ("a day", []) }
        let day = brief.zone.localDate(at: hint.createdAt)
        return (DayText.long(day, today: brief.today), [.noted(id, on: day)])
    }

    private func facts(of offer: Offer) -> (text: String, budget: String, claims: [Reason.Claim]) {
        var parts: [String] = []
        var claims: [Reason.Claim] = []
        if let day = brief.localStart(of: offer.candidate)?.date {
            parts.append("It is on \(DayText.long(day, today: brief.today))")
            claims.append(.happens(on: day))
        } else if let spare = spareDays(of: offer) {
            parts.append("It arrives \(DayText.before(spare, occasion: brief.occasionName))")
            claims.append(.arrives(daysBefore: spare))
        }
        let (cost, claim) = cost(of: offer)
        parts.append(parts.isEmpty ? cost.prefix(1).uppercased() + cost.dropFirst() : cost)
        claims.append(claim)
        return (parts.joined(separator: "; ") + ".", Self.standing(claim), claims)
    }

    private func spareDays(of offer: Offer) -> Int? {
        guard offer.candidate.startsAt == nil, let ships = offer.candidate.shipsInDays, let left = brief.daysLeft,
            left >= ships
        else { return nil }
        return left - ships
    }

    /// Days as ISO writes them, since a month may be somebody's name.
    private func neutralFacts(of offer: Offer) -> String {
        var parts: [String] = []
        if let day = brief.localStart(of: offer.candidate)?.date {
            parts.append("It is on \(day)")
        } else if let spare = spareDays(of: offer) {
            parts.append("It arrives \(spare == 0 ? "on the day" : DayText.before(spare, occasion: "the day"))")
        }
        let cost = cost(of: offer, whose: "the budget of ").text
        parts.append(parts.isEmpty ? cost.prefix(1).uppercased() + cost.dropFirst() : cost)
        return parts.joined(separator: "; ") + "."
    }

    private func cost(of offer: Offer, whose: String = "your ") -> (text: String, claim: Reason.Claim) {
        let currency = brief.budget.currency
        let budget = "\(Money(brief.budget.minimum, currency)) to \(Money(brief.budget.maximum, currency))"
        guard let total = offer.price.total(of: offer.candidate, in: brief.budget, rates: brief.rates) else {
            return unknownCost(of: offer, whose == "your " ? "your budget" : "the budget", budget)
        }
        let price = "it costs \(Money(total, currency))\(offer.price.party == 2 ? " for two" : "")"
        guard brief.budget.contains(total) else {
            return ("\(price), outside \(whose)\(budget)", .outsideBudget(total: total))
        }
        return ("\(price), within \(whose)\(budget)", .withinBudget(total: total))
    }

    /// Why a price cannot be held against the budget: none is listed, it lapsed, or no rate is known.
    private func unknownCost(of offer: Offer, _ owner: String, _ budget: String) -> (text: String, claim: Reason.Claim)
    {
        guard let amount = offer.price.totalCents else {
            return offer.price.hasLapsed
                ? (
                    "its listed price no longer holds, and the new one is not known; \(owner) is \(budget)",
                    .priceLapsed
                )
                : ("its price is not listed; \(owner) is \(budget)", .priceUnknown)
        }
        let listed = Money(amount, offer.candidate.currency)
        let price = "it costs \(listed)\(offer.price.party == 2 ? " for two" : "")"
        return brief.hasRate(from: listed.currency)
            ? ("\(price), more than can be held against \(owner) of \(budget)", .beyondNumbers(listed: listed))
            : ("\(price); there is no exchange rate to \(owner) of \(budget)", .rateMissing(listed: listed))
    }

    private static func standing(_ claim: Reason.Claim) -> String {
        switch claim {
        case .withinBudget: "within your budget"
        case .outsideBudget: "outside your budget"
        case .priceLapsed: "of a price that is not known now"
        case .rateMissing, .beyondNumbers: "of a price that cannot be held against your budget"
        default: "of no listed price"
        }
    }

    /// A quote ends where its mark does.
    private static func trimmed(_ quote: String) -> String {
        quote.hasSuffix(".") && !quote.hasSuffix("..") ? String(quote.dropLast()) : quote
    }
}
