import KnotDomain
package import Recommendation
import StageGraph

#if canImport(Glibc)
import Glibc
#endif

/// How far the set of a selector falls below the best set on the selector's own objective, as a share of the best.
///
/// For MMR that is the mean score and the mean distance at the same strength, for greedy DPP the determinant; both under
/// the hard rules that the set keeps. The exact selector has none.
package struct OptimalityGap: Sendable {
    /// 0 where nothing is better, towards 1 where nothing is reached.
    package let share: Double

    /// Nil for a run that chose nothing, and for selectors without an objective of whole sets.
    package init?(_ run: EngineRun) {
        let findings = RunFindings(run)
        guard let node = findings.selector, let selection = findings.selection, let ranking = findings.ranking,
            let brief = findings.brief, !selection.selected.isEmpty
        else { return nil }
        switch node.stage.kind {
        case SelectExact.kind: share = 0
        case SelectGreedy.kind:
            let whole = SetRules(node.parameters)
            let considered = whole.considered(of: ranking, atMost: SelectExact.poolLimit)
                .map { ranking.entries[$0] }
            let names = Set(selection.selected.map(\.item.itemID))
            let chosen = considered.indices.filter { names.contains(considered[$0].item.itemID) }
            let rules = whole.without(Set(selection.relaxations.map(\.rule)))
            let found =
                switch node.parameters[SelectGreedy.method] {
                case .mmr:
                    Self.ofSum(chosen, among: considered, 1 - node.parameters[SelectGreedy.lambda], rules, brief)
                case .dpp:
                    Self.ofDeterminant(chosen, among: considered, node.parameters[SelectGreedy.alpha], rules, brief)
                }
            guard let found else { return nil }
            share = found
        default: return nil
        }
    }

    static func ofSum(
        _ chosen: [Int],
        among ranked: [Ranked<Offer>],
        _ strength: Double,
        _ rules: SetRules,
        _ brief: Brief
    ) -> Double? {
        let search = SetSearch(ranked, objective: SetObjective(strength: strength, rules: rules), brief: brief)
        for size in stride(from: min(3, ranked.count), through: chosen.count, by: -1) {
            guard let best = search.best(size: size, open: Array(ranked.indices)) else { continue }
            return below(search.value(of: chosen), search.value(of: best))
        }
        return nil
    }

    /// Only whole sets of three are compared: determinants of other sizes are other numbers.
    static func ofDeterminant(
        _ chosen: [Int],
        among ranked: [Ranked<Offer>],
        _ alpha: Double,
        _ rules: SetRules,
        _ brief: Brief
    ) -> Double? {
        guard chosen.count == 3 else { return nil }
        let count = ranked.count
        let objective = SetObjective(strength: 0, rules: rules)
        let traits = ranked.map { SetObjective.trait(of: $0, in: brief) }
        var similarity = [Double](repeating: 1, count: count * count)
        var allows = [Bool](repeating: false, count: count * count)
        for left in 0..<count {
            for right in (left + 1)..<max(left + 1, count) {
                let near = 1 - objective.distance(traits[left], traits[right])
                (similarity[left * count + right], similarity[right * count + left]) = (near, near)
                let fits = rules.allows(ranked[left], ranked[right])
                (allows[left * count + right], allows[right * count + left]) = (fits, fits)
            }
        }
        // Qualities relative to the best three, so that no exponent is too great.
        let most = traits.prefix(3).reduce(0) { $0 + $1.score }
        func value(_ set: (Int, Int, Int)) -> Double {
            let (a, b) = (similarity[set.0 * count + set.1], similarity[set.0 * count + set.2])
            let c = similarity[set.1 * count + set.2]
            let scores = traits[set.0].score + traits[set.1].score + traits[set.2].score
            return exp(alpha * (scores - most)) * (1 + 2 * a * b * c - a * a - b * b - c * c)
        }
        var best = 0.0
        for first in 0..<count {
            for second in (first + 1)..<max(first + 1, count) where allows[first * count + second] {
                for third in (second + 1)..<max(second + 1, count)
                where allows[first * count + third] && allows[second * count + third] {
                    best = max(best, value((first, second, third)))
                }
            }
        }
        return below(value((chosen[0], chosen[1], chosen[2])), best)
    }

    private static func below(_ value: Double, _ best: Double) -> Double? {
        best > 0 ? min(1, max(0, 1 - value / best)) : nil
    }
}
