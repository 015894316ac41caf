import KnotDomain
import Recommendation

@testable import StageGraph

/// Stages that keep their role's types and answer wrongly.
enum StandIn {
    /// The wrong stage for a role, or nil where the role has no such way to be wrong.
    static func body(for facts: StageFacts, _ mishap: Mishap) -> NodeBody? {
        guard [.answersNothing, .answersNonsense, .answersTwice].contains(mishap) else { return nil }
        switch facts.role {
        case .source: return WrongSource(mishap: mishap).nodeBody
        case .aggregator: return WrongAggregator(mishap: mishap).nodeBody
        case .filter: return WrongFilter(mishap: mishap).nodeBody
        case .scorer: return WrongScorer(mishap: mishap).nodeBody
        case .shortlist: return WrongShortlist(mishap: mishap).nodeBody
        case .combiner: return WrongCombiner(mishap: mishap).nodeBody
        case .selector: return WrongSelector(mishap: mishap).nodeBody
        case .check: return WrongCheck(mishap: mishap).nodeBody
        default: return WrongValue.body(for: facts.kind, mishap)
        }
    }
}
