import Fixtures
import JSONDocument
import KnotDomain
import TextEncoding
import TextReading
import VectorSearch

/// What is shown when the judged offers of vaults are hidden among many others, of which no judge knows.
///
/// Of the others a rule stands in for the judge: one is good where it is at least as near, by the encoder's cosine, to one of
/// the phrases asked as the middle one of those offers is that the judge of the same vault found good.
struct HiddenSets {
    /// The grades of what was shown and is judged for its vault.
    private var grades: [Int] = []
    private var forbidden = 0
    private var others = 0
    private var goodOthers = 0
    private var short = 0

    private let encoder: Encoder

    init(_ encoder: Encoder) { self.encoder = encoder }

    /// Adds one vault's set, in which its own offers have the ids that its judge knows.
    mutating func add(_ shown: [Candidate], asked phrases: [String], of one: FixtureCase) throws {
        let judgments = one.fixture.judgments ?? [:]
        if shown.count < 3 { short += 1 }
        let strangers = shown.filter { judgments[$0.id] == nil }
        for judgment in shown.compactMap({ judgments[$0.id] }) {
            grades.append(judgment.grade)
            if judgment.isForbidden { forbidden += 1 }
        }
        guard !strangers.isEmpty else { return }
        others += strangers.count
        let good = one.fixture.candidates.filter { (judgments[$0.id]?.grade ?? 0) >= 2 }
        let asked = try encoder.encode(phrases.map { MeaningText.of(phrase: $0) })
        let usual = try nearness(of: good, to: asked).sorted()
        guard !usual.isEmpty else { return }
        goodOthers += try nearness(of: strangers, to: asked).count { $0 >= usual[usual.count / 2] }
    }

    /// For each offer, its cosine to the phrase that it is nearest to.
    private func nearness(of offers: [Candidate], to asked: [Embedding]) throws -> [Float] {
        try encoder.encode(offers.map { MeaningText.of($0) }).map { offer in
            var most: Float = 0
            for phrase in asked {
                var cosine: Float = 0
                for (one, other) in zip(offer.values, phrase.values) { cosine += one * other }
                most = max(most, cosine)
            }
            return most
        }
    }

    func report(among count: Int, pool: Int) {
        let cards = grades.count + others
        let good = grades.count { $0 >= 2 }
        CatalogueBench.report([
            "shown_among": .integer(count), "pool": .integer(pool), "cards": .integer(cards), "short": .integer(short),
            "judged": .integer(grades.count), "forbidden": .integer(forbidden),
            "precision_of_judged": .number(Double(good) / Double(max(1, grades.count))),
            "mean_of_judged": .number(Double(grades.reduce(0, +)) / Double(max(1, grades.count))),
            "others": .integer(others), "others_good_by_rule": .integer(goodOthers),
            "precision_with_others": .number(Double(good + goodOthers) / Double(max(1, cards))),
        ])
    }
}
