import Explanation
import KnotDomain
import Recommendation
import StageGraph

/// A chooser that reads no note: it takes three of what a pipeline's filters left, by their form alone.
///
/// If it does well, the judged vaults give their grades away by that form.
package enum Baseline: String, CaseIterable, Sendable {
    /// Takes the longest descriptions.
    case longest
    /// Takes the best ratings, of equal ones those with more reviews.
    case stars

    /// Three of the offers that a run ranked; of equal ones the lower identifier.
    func choice(from run: EngineRun) -> [Candidate] {
        let ranked = RunFindings(run).ranking?.entries.map(\.item.candidate) ?? []
        return Array(ranked.sorted { (rank(of: $1), $0.id) < (rank(of: $0), $1.id) }.prefix(3))
    }

    private func rank(of candidate: Candidate) -> Rank {
        switch self {
        case .longest: Rank(first: Double(candidate.description?.count ?? 0), second: 0)
        case .stars: Rank(first: candidate.rating ?? 0, second: candidate.reviewCount ?? 0)
        }
    }

    private struct Rank: Comparable {
        let first: Double
        let second: Int

        static func < (left: Self, right: Self) -> Bool { (left.first, left.second) < (right.first, right.second) }
    }
}

extension JudgedFigures {
    /// Returns these vaults, chosen for by a baseline from what the pipeline left.
    package func chosen(by baseline: Baseline, label: String) -> JudgedFigures {
        JudgedFigures(label: label, vaults: vaults.map { JudgedVault($0, by: baseline) })
    }
}

extension JudgedVault {
    fileprivate init(_ vault: JudgedVault, by baseline: Baseline) {
        let shown = vault.baselines[baseline] ?? []
        self.init(name: vault.name, outcome: shown.count < 3 ? .short : .complete, shown: shown, baselines: [:])
    }
}
