package import KnotDomain
package import StageGraph
import TextEncoding
import TextReading

/// What makes three offers a good set: their mean score, and how different the choices they give are.
package struct SetObjective: Sendable {
    /// 0 asks for the three best, 1 for the three most different.
    package let strength: Double
    /// Worth of a set of more than one type beside its scores: a second type never costs more.
    let secondType: Double
    package let rules: SetRules

    package init(strength: Double, secondType: Double = 0, rules: SetRules) {
        self.strength = strength
        self.secondType = secondType
        self.rules = rules
    }

    /// Copies an objective for other rules.
    package init(_ other: SetObjective, rules: SetRules) {
        self.init(strength: other.strength, secondType: other.secondType, rules: rules)
    }

    /// The objective of a node that has the parameters of `SelectExact`.
    package init(_ parameters: ParameterValues, rules: SetRules) {
        self.init(
            strength: parameters[SelectExact.strength],
            secondType: parameters[SelectExact.secondType],
            rules: rules
        )
    }

    /// The facts of one offer that a set is judged by.
    package struct Trait: Sendable {
        package let score: Double
        let stems: StemSet
        package let type: CandidateType
        let tier: Int?
        /// Both by their fingerprints.
        let hint: UInt64?
        let merchant: UInt64?
        /// The fingerprint of what kind of thing it is.
        let thing: UInt64?
        /// That of a gift's page.
        let page: UInt64?
    }

    package static func trait(of ranked: Ranked<Offer>, in brief: Brief) -> Trait {
        let offer = ranked.item
        let total = offer.price.total(of: offer.candidate, in: brief.budget, rates: brief.rates)
        let hints = ranked.total.evidence.filter { $0.kind == "hint" }
        return Trait(
            score: Self.usable(ranked.score),
            stems: offer.words.headSet,
            type: offer.candidate.type,
            tier: total.map { Self.third(of: $0, in: brief.budget) },
            hint: hints.max { $0.weight < $1.weight }.flatMap { $0.weight >= 0.25 ? Fingerprint.of($0.ref) : nil },
            merchant: offer.words.merchant.map(Fingerprint.of),
            thing: offer.kind?.head,
            page: offer.giftPage.map(Fingerprint.of)
        )
    }

    /// What is no number counts less than any score, as the graph's order has it; absurd ones are capped.
    private static func usable(_ score: Double) -> Double { score.isFinite ? min(1e6, max(-1e6, score)) : -1e6 }

    /// Which third of the budget a total lies in.
    package static func third(of total: Int, in budget: Budget) -> Int {
        // In floating point, so that no vault's budget and no listing's price can overflow it.
        let width = max(1, Double(budget.maximum) - Double(budget.minimum) + 1)
        let place = (Double(total) - Double(budget.minimum)) * 3 / width
        return place >= 2 ? 2 : place >= 1 ? 1 : 0
    }

    /// How different two offers are as choices, 0 to 1.
    package func distance(_ left: Trait, _ right: Trait) -> Double {
        distance(left, right, overlap: Sameness.overlap(left.stems, right.stems))
    }

    /// The same where it is known how much their words overlap.
    func distance(_ left: Trait, _ right: Trait, overlap: Double) -> Double {
        var distance = 0.3 * (1 - overlap)
        if left.hint == nil || left.hint != right.hint { distance += 0.4 }
        if left.type != right.type { distance += 0.15 }
        if left.tier == nil || left.tier != right.tier { distance += 0.1 }
        if left.merchant == nil || left.merchant != right.merchant { distance += 0.05 }
        return distance
    }

    /// The value of a set of up to three; adding places are taken in the order of the indexes, so equal sets are equal.
    func value(of set: [Int], _ scores: [Double], _ distances: (Int, Int) -> Double) -> Double {
        let relevance = set.reduce(0) { $0 + scores[$1] } / 3
        var spread = 0.0
        for second in set.indices.dropFirst() {
            for first in 0..<second { spread += distances(set[first], set[second]) }
        }
        return (1 - strength) * relevance + strength * spread / 3
    }
}

/// The hard rules of a set; all but the one on near duplicates may be given up, where no set can keep them.
package struct SetRules: Sendable, Equatable {
    package var distinctMerchants: Bool
    package var noNearDuplicates: Bool
    package var distinctKinds: Bool

    package static let distinctMerchants = Parameter<Bool>(
        "distinct_merchants",
        default: true,
        "Never pick two offers of one merchant."
    )
    package static let noNearDuplicates = Parameter<Bool>(
        "no_near_duplicates",
        default: true,
        "Never pick two nearly identical offers."
    )
    package static let distinctKinds = Parameter<Bool>(
        "distinct_kinds",
        default: true,
        "Never pick two gifts of one kind, such as two scarves."
    )
    static let declarations = [
        distinctMerchants.declaration, noNearDuplicates.declaration, distinctKinds.declaration,
    ]

    package init(_ parameters: ParameterValues) {
        distinctMerchants = parameters[Self.distinctMerchants]
        noNearDuplicates = parameters[Self.noNearDuplicates]
        distinctKinds = parameters[Self.distinctKinds]
    }

    package init(distinctMerchants: Bool, noNearDuplicates: Bool, distinctKinds: Bool = false) {
        self.distinctMerchants = distinctMerchants
        self.noNearDuplicates = noNearDuplicates
        self.distinctKinds = distinctKinds
    }

    /// Whether two offers may stand side by side.
    package func allows(_ left: Ranked<Offer>, _ right: Ranked<Offer>) -> Bool {
        if distinctMerchants, let merchant = left.item.words.merchant, merchant == right.item.words.merchant {
            return false
        }
        if distinctKinds, Sameness.isSameKind(left.item, right.item) { return false }
        return !(noNearDuplicates && Sameness.isNearDuplicate(left.item, right.item))
    }

    /// One step of the ladder: the size of the set that is looked for, the rules it keeps and those it gives up.
    struct Rung {
        let size: Int
        let rules: SetRules
        let given: [String]
    }

    /// Those that may be given up, the least strict one first.
    private static var softRules: [(name: String, isKept: WritableKeyPath<SetRules, Bool>)] {
        [(distinctKinds.name, \.distinctKinds), (distinctMerchants.name, \.distinctMerchants)]
    }

    /// These rules without those of some names.
    package func without(_ names: Set<String>) -> SetRules {
        Self.softRules.reduce(into: self) { rules, rule in
            if names.contains(rule.name) { rules[keyPath: rule.isKept] = false }
        }
    }

    /// What every selector and the check try one after another: the greatest set first, and for one size first all rules,
    /// then without the least strict ones.
    ///
    /// Near duplicates are one thing, so that rule is never given up: then the set is smaller.
    func ladder(from size: Int) -> [Rung] {
        stride(from: size, to: 0, by: -1).flatMap { size in
            (0..<(1 << Self.softRules.count)).compactMap { pattern in
                var rules = self
                var given: [String] = []
                for (place, rule) in Self.softRules.enumerated() where pattern & 1 << place != 0 {
                    guard rules[keyPath: rule.isKept] else { return nil }
                    rules[keyPath: rule.isKept] = false
                    given.append(rule.name)
                }
                return Rung(size: size, rules: rules, given: given)
            }
        }
    }
}

extension SetRules {
    /// The places of the best of a ranking that a set is searched among: all, or so many.
    ///
    /// Where there are more, one that is nearly the same as a better one takes no place: ten thousand copies of one offer
    /// would otherwise hide everything else.
    package func considered(of ranking: Ranking<Offer>, atMost limit: Int) -> [Int] {
        let entries = ranking.entries
        guard entries.count > limit, noNearDuplicates else { return Array(entries.indices.prefix(limit)) }
        var places: [Int] = []
        places.reserveCapacity(limit)
        var (gifts, outings): ([StemSet], [StemSet]) = ([], [])
        for place in entries.indices {
            if places.count == limit { break }
            let offer = entries[place].item
            let (isGift, title) = (offer.candidate.type == .gift, offer.words.titleSet)
            if (isGift ? gifts : outings).contains(where: { $0.overlaps(title, Sameness.nearTitle) }) { continue }
            if isGift { gifts.append(title) } else { outings.append(title) }
            places.append(place)
        }
        return places
    }
}

extension StageContext {
    /// Says why a set is smaller than three where there was more to choose from: a card is never shown twice in other words.
    func noteTwins(beside count: Int, of all: Int) {
        guard count < 3, all > count else { return }
        note(
            "near_duplicates",
            "\(all - count) more could be had, each nearly the same thing as one of the \(count) chosen",
            degrades: false
        )
    }
}
