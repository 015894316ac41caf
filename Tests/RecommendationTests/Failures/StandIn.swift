import KnotDomain
import Recommendation

@testable import StageGraph

/// Stages that keep their role's types and answer wrongly.
enum StandIn {
    /// The wrong stage for a role, or nil where the role has no such way to be wrong.
    static func body(for facts: StageFacts, _ mishap: Mishap) -> NodeBody? {
        guard [.answersNothing, .answersNonsense, .answersTwice].contains(mishap) else { return nil }
        switch facts.role {
        case .source: return .source(WrongSource(mishap: mishap))
        case .aggregator: return .aggregate(WrongAggregator(mishap: mishap))
        case .filter: return .filter(WrongFilter(mishap: mishap))
        case .scorer: return .score(WrongScorer(mishap: mishap))
        case .shortlist: return .shortlist(WrongShortlist(mishap: mishap))
        case .combiner: return .combine(WrongCombiner(mishap: mishap))
        case .selector: return .select(WrongSelector(mishap: mishap))
        case .check: return .check(WrongCheck(mishap: mishap))
        default: return WrongValue.body(for: facts.kind, mishap)
        }
    }
}
