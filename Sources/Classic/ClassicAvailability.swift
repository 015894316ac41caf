import JSONDocument
import KnotDomain
package import Recommendation
package import StageGraph

/// The original's check: one page after another, alive is 200 to 399, at most three replacements a slot by score.
package struct ClassicAvailability: CheckStage {
    package static let kind = "classic.availability"
    package static let summary = "Requests one page after another; a status of 200 to 399 counts as available."

    static let replacements = Parameter<Int>(
        "replacements",
        default: 3,
        in: 0...50,
        "Most replacements for one position."
    )
    package static let parameters = [replacements.declaration]

    private let replacements: Int
    private let ports: StagePorts

    package init(_ parameters: ParameterValues, ports: StagePorts) {
        replacements = parameters[Self.replacements]
        self.ports = ports
    }

    package func check(
        _ selection: Selection<Offer>,
        _ inputs: StageInputs,
        in context: StageContext
    ) async throws(StageFailure) -> CheckedSelection<Offer> {
        var standing: [CheckedSelection<Offer>.Standing] = []
        var lost: [Removal] = []
        var reserve = Array(selection.reserve.enumerated())[...]
        for selected in selection.selected {
            var next: (entry: Ranked<Offer>, from: Int?)? = (selected, nil)
            var tries = 0
            while let (entry, from) = next {
                if try await isAlive(entry.item.candidate, in: context) {
                    standing.append(.init(ranked: entry, verdict: "available", refilledFrom: from))
                    break
                }
                lost.append(
                    Removal(item: entry.item.itemID, reason: "dead_link", evidence: "status outside 200 to 399")
                )
                tries += 1
                next = tries <= replacements ? reserve.popFirst().map { ($0.element, $0.offset) } : nil
            }
        }
        var further: [CheckedSelection<Offer>.Standing] = []
        for (place, entry) in reserve where further.count < ports.request.cards - RunRequest.ofOneSet {
            guard standing.count == RunRequest.ofOneSet, try await isAlive(entry.item.candidate, in: context) else {
                continue
            }
            further.append(.init(ranked: entry, verdict: "available", refilledFrom: place))
        }
        return CheckedSelection(
            standing: standing,
            lost: lost,
            unused: reserve.map(\.element.item.itemID),
            relaxations: selection.relaxations,
            further: further
        )
    }

    private func isAlive(_ candidate: Candidate, in context: StageContext) async throws(StageFailure) -> Bool {
        let checker = ports.checker
        do throws(StageFailure) {
            let probe = try await context.effects.perform(
                .availabilityProbe,
                key: .array([.string(candidate.id.text), .string(candidate.url)]),
                codec: .probe
            ) { () async throws(StageFailure) in try await checker.probe(candidate) }
            return probe.status.map { (200..<400).contains($0) } ?? false
        } catch {
            if error.failureClass == .data || error.failureClass == .cancelled { throw error }
            // The original knows no doubt; a page that a recording says nothing of is no dead link.
            if error.code == StageFailure.notRecorded {
                context.note(
                    "availability_unknown",
                    "candidate \(candidate.id) could not be checked",
                    degrades: false
                )
                return true
            }
            return false
        }
    }
}

/// The original's diversity: the best first, then whoever adds most unseen among price tier, type and merchant.
package struct ClassicDiversity: SelectStage {
    package static let kind = "classic.diversity"
    package static let summary = "Picks the best, then offers that add most new tiers, types and merchants."
    static let brief = InputPort<Brief>("brief")
    package static let inputs = [brief.declaration]

    package init() {}

    package func select(
        from ranking: Ranking<Offer>,
        _ inputs: StageInputs,
        in context: StageContext
    ) async throws(StageFailure) -> Selection<Offer> {
        let brief = try inputs.value(Self.brief)
        let budget = brief.budget
        let facets = ranking.entries.map { Self.facets(of: $0.item, in: budget) }
        var chosen = brief.kept(among: ranking.entries)
        while chosen.count < min(3, ranking.entries.count) {
            let seen = Set(chosen.flatMap { facets[$0] })
            let gains = facets.map { facets in facets.count { !seen.contains($0) } }
            let open = ranking.entries.indices.filter { !chosen.contains($0) }
            let best = open.max { left, right in
                if !chosen.isEmpty, gains[left] != gains[right] { return gains[left] < gains[right] }
                let (first, second) = (ranking.entries[left], ranking.entries[right])
                if first.score != second.score { return first.score < second.score }
                return first.item.candidate.title > second.item.candidate.title
            }
            guard let best else { break }
            chosen.append(best)
        }
        let others = ranking.entries.indices.filter { !chosen.contains($0) }
        return Selection(
            selected: chosen.map { ranking.entries[$0] },
            reserve: others.map { ranking.entries[$0] },
            rest: []
        )
    }

    /// An unknown price counts as the middle third; bare cents, whatever the currency.
    private static func facets(of offer: Offer, in budget: Budget) -> [String] {
        let tier = offer.candidate.priceCents.map { SetObjective.third(of: $0, in: budget) } ?? 1
        return ["tier \(tier)", "type \(offer.candidate.type.rawValue)", "merchant \(offer.candidate.merchant ?? "")"]
    }
}
