import KnotDomain
import StageGraph

/// Writes reasons in plain English from evidence; what a provider wrote is quoted only as a title on the card itself.
struct ReasonWriter {
    private let brief: Brief
    private static let quoteLimit = 110

    init(_ brief: Brief) {
        self.brief = brief
    }

    func reason(for offer: Offer, hints: [Hint], evidence: [Evidence]) -> Reason {
        var sentences: [String] = []
        var claims: [Reason.Claim] = []
        if let hint = hints.first {
            let day = brief.zone.localDate(at: hint.createdAt)
            sentences.append(
                "On \(DayText.long(day, today: brief.today)) you noted: \u{201C}\(Self.quote(hint.text))\u{201D}."
            )
            claims.append(.noted(hint.id, on: day))
        } else if let like = brief.vault.likes.first(where: { like in
            evidence.contains { $0.kind == "interest" && $0.ref == like.name }
        }) {
            sentences.append("It goes with \(like.name), which \(brief.vault.partnerName) likes.")
            claims.append(.likes(like))
        }
        let (facts, factClaims) = facts(of: offer)
        sentences.append(facts)
        return Reason(text: sentences.joined(separator: " "), claims: claims + factClaims)
    }

    private func facts(of offer: Offer) -> (String, [Reason.Claim]) {
        var parts: [String] = []
        var claims: [Reason.Claim] = []
        if let start = offer.candidate.startsAt {
            let day = brief.zone.localDate(at: start)
            parts.append("It is on \(DayText.long(day, today: brief.today))")
            claims.append(.happens(on: day))
        } else if let ships = offer.candidate.shipsInDays, let left = brief.daysLeft, left >= ships {
            parts.append("It arrives \(DayText.before(left - ships, occasion: brief.occasionName))")
            claims.append(.arrives(daysBefore: left - ships))
        }
        let (cost, claim) = cost(of: offer)
        parts.append(parts.isEmpty ? cost.prefix(1).uppercased() + cost.dropFirst() : cost)
        claims.append(claim)
        return (parts.joined(separator: "; ") + ".", claims)
    }

    private func cost(of offer: Offer) -> (String, Reason.Claim) {
        let currency = brief.budget.currency
        let budget = "\(Money(brief.budget.minimum, currency)) to \(Money(brief.budget.maximum, currency))"
        guard let total = offer.price.total(of: offer.candidate, in: brief.budget, rates: brief.rates) else {
            return ("its price is not listed; your budget is \(budget)", .priceUnknown)
        }
        let price = "it costs \(Money(total, currency))\(offer.price.party == 2 ? " for two" : "")"
        guard brief.budget.contains(total) else {
            return ("\(price), outside your \(budget)", .outsideBudget(total: total))
        }
        return ("\(price), within your \(budget)", .withinBudget(total: total))
    }

    /// The beginning of a hint, cut at a word.
    private static func quote(_ text: String) -> String {
        guard text.count > quoteLimit else { return text.hasSuffix(".") ? String(text.dropLast()) : text }
        let cut = text.prefix(quoteLimit)
        return (cut.lastIndex(of: " ").map { String(cut[..<$0]) } ?? String(cut)) + "…"
    }
}
