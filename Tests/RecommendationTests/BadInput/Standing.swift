import KnotDomain
import Recommendation
import StageGraph
import TestSupport

/// Where every candidate of a run ended: what it scored, in which order, what was dropped by which rule, what was shown.
struct Standing: Equatable {
    struct Place: Equatable, CustomStringConvertible {
        let id: String
        let score: Double

        var description: String { "\(id) \(score)" }
    }

    let places: [Place]
    let drops: [String: String]
    let shown: [String]

    init(_ run: EngineRun, of candidates: [Candidate]) {
        let ranking = run.report.output(of: "combine", as: Ranking<Offer>.self)
        places = (ranking?.entries ?? []).map { Place(id: $0.item.candidate.id.text, score: $0.score) }
        drops = candidates.reduce(into: [:]) { $0[$1.id.text] = run.dropReason(of: $1.id.text) }
        shown = run.shown
    }

    /// The order of all candidates but one.
    func order(without id: String) -> [String] { places.map(\.id).filter { $0 != id } }

    func rank(of id: String) -> Int? { places.firstIndex { $0.id == id } }

    func score(of id: String) -> Double? { places.first { $0.id == id }?.score }

    /// The first thing in which another standing differs.
    func difference(from other: Standing) -> String? {
        if self == other { return nil }
        for (mine, theirs) in zip(places, other.places) where mine != theirs { return "\(theirs) became \(mine)" }
        if places.count != other.places.count { return "\(other.places.count) ranked became \(places.count)" }
        return drops == other.drops ? "\(other.shown) became \(shown)" : "\(other.drops) became \(drops)"
    }
}
