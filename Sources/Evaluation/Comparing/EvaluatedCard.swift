package import KnotDomain
import Recommendation
package import StageGraph

/// One shown card: what it is, why it was chosen, and the judge's word on it.
package struct EvaluatedCard: Sendable {
    package let candidate: CandidateID
    package let type: CandidateType
    package let title: String
    package let merchant: String?
    /// The total as shown, by its currency's code; nil when unknown.
    package let price: String?
    package let reason: String
    package let score: Double
    /// The parts that add up to the score.
    package let contributions: [Total.Part]
    /// Nil when nobody judged it.
    package let grade: Int?
    package let isForbidden: Bool
    /// Why the judge gave the grade.
    package let why: String?
    /// The gates that this card breaks.
    package let broken: [Gate]
    /// The same thing has the same one in every vault.
    let identity: String

    /// Its address, which is the same in every vault, or its title where it has none.
    static func identity(of candidate: Candidate) -> String {
        candidate.url.isEmpty ? candidate.title : candidate.url
    }
}

extension EvaluatedCard {
    init(_ choice: Choice, judgment: Judgment?, broken: [Gate]) {
        let offer = choice.offer
        let total = offer.price.totalCents.map { Money($0, offer.candidate.currency).description }
        self.init(
            candidate: offer.candidate.id,
            type: offer.candidate.type,
            title: offer.candidate.title,
            merchant: offer.candidate.merchant,
            price: offer.price.party == 2 ? total.map { "\($0) for two" } : total,
            reason: choice.reason,
            score: choice.ranked.score,
            contributions: choice.ranked.total.parts,
            grade: judgment?.grade,
            isForbidden: judgment?.isForbidden ?? false,
            why: judgment?.why,
            broken: broken,
            identity: Self.identity(of: offer.candidate)
        )
    }
}
