import Explanation
import Fixtures
package import KnotDomain
package import Recommendation
package import StageGraph
import TextEncoding

/// What one pipeline did for one judged vault, with every figure of it.
package struct EvaluatedVault: Sendable {
    /// The fixture file's name without its ending.
    package let name: String
    package let story: String?
    package let traits: VaultTraits
    /// Whether anybody judged any of its candidates; else only figures that need no judge are defined.
    package let isJudged: Bool
    package let outcome: Outcome
    /// The code of what ended the run; nil for a run that ended well.
    package let failure: String?
    package let cards: [EvaluatedCard]
    package let gates: [Gate: Int]
    /// Without an entry: undefined here.
    package let figures: [Figure: Double]

    /// Whether every card it shows was judged; else its grades are unknown, which is not the same as poor.
    package var isGraded: Bool { isJudged && cards.allSatisfy { $0.grade != nil } }
    package func count(_ gate: Gate) -> Int { gates[gate] ?? 0 }
    package subscript(figure: Figure) -> Double? { figures[figure] }
}

extension EvaluatedVault {
    init(_ fixtureCase: FixtureCase, _ run: EngineRun) {
        let fixture = fixtureCase.fixture
        var cards: [EvaluatedCard] = []
        var choices: [Choice] = []
        var failure: String?
        switch run.result {
        case .failure(let error): failure = error.code
        case .success(let set):
            choices = set.choices
            let watch = GateWatch(fixture, budget: set.brief.budget)
            for (index, choice) in choices.enumerated() {
                let judgment = fixture.judgments?[choice.offer.candidate.id]
                let broken = watch.broken(by: choice, after: choices.prefix(index), judgment)
                cards.append(EvaluatedCard(choice, judgment: judgment, broken: broken))
            }
        }
        var gates: [Gate: Int] = [:]
        for gate in cards.flatMap(\.broken) { gates[gate, default: 0] += 1 }
        if cards.count < 3 { gates[.short] = 1 }
        var figures = VaultFigures(fixture, choices).values
        figures[.optimalityGap] = OptimalityGap(run).map { 100 * $0.share }
        self.init(
            name: fixtureCase.stem,
            story: fixture.story,
            traits: VaultTraits(fixtureCase),
            isJudged: fixture.isJudged,
            outcome: run.outcome,
            failure: failure,
            cards: cards,
            gates: gates,
            figures: figures
        )
    }
}

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

/// Works out the figures of one shown set; `CONVENTIONS.md` beside the metrics says what each one is.
struct VaultFigures {
    /// Without an entry: undefined.
    private(set) var values: [Figure: Double] = [:]

    init(_ fixture: Fixture, _ choices: [Choice]) {
        if fixture.isJudged { grade(fixture.judgments ?? [:], choices) } else { values[.judged] = 0 }
        let types = choices.map(\.offer.candidate.type)
        values[.kinds] = Double(Set(types).count)
        values[.calibrationRegret] = Self.regret(of: types, fixture)
        let words = choices.map { choice in
            let words = choice.offer.words
            return StemSet(contentOf: words.title, words.body, words.tags)
        }
        values[.diversity] = ListDiversity.meanDistance(count: choices.count) { Self.cosine(words[$0], words[$1]) }
        // How much an item is reviewed stands for how known it is; what says nothing of it is left out.
        let most = fixture.candidates.compactMap(\.reviewCount).max() ?? 0
        values[.novelty] = Novelty.selfInformation(
            popularity: choices.compactMap(\.offer.candidate.reviewCount),
            users: most
        )
    }

    private mutating func grade(_ judgments: [CandidateID: Judgment], _ choices: [Choice]) {
        let grades = Dictionary(uniqueKeysWithValues: judgments.map { ($0.key.text, $0.value.grade) })
        var seen: Set<String> = []
        // A card that is shown twice breaks a gate; it is not graded twice.
        let shown = choices.map(\.offer.candidate.id.text).filter { seen.insert($0).inserted }
        guard let ranking = try? CanonicalRanking(ordered: shown) else { return }  // never: each is there once
        let good = RankingMetrics(ranking, JudgedGrades(grades, relevantFrom: 2))
        values[.judged] = good.judgedShare(at: 3)
        values[.condensedPrecision] = good.condensed.precision(at: 3)
        values[.condensedNDCG] = good.condensed.ndcg(at: 3)
        // What nobody judged has no grade, so what rests on the grades of all three is unknown with it.
        guard shown.prefix(3).allSatisfy({ grades[$0] != nil }) else { return }
        values[.precision] = good.precision(at: 3)
        values[.dcg] = good.dcg(at: 3)
        values[.ndcg] = good.ndcg(at: 3)
        values[.meanGrade] = Double(shown.prefix(3).reduce(0) { $0 + (grades[$1] ?? 0) }) / 3
        values[.delight] = shown.prefix(3).contains { (grades[$0] ?? 0) >= 3 } ? 1 : 0
    }

    /// Against the mix of types among the items judged good; the pool is what a judge did not rule out.
    private static func regret(of types: [CandidateType], _ fixture: Fixture) -> Double? {
        let kinds = CandidateType.allCases
        var target = [Double](repeating: 0, count: kinds.count)
        var pool = [Int](repeating: 0, count: kinds.count)
        for candidate in fixture.candidates {
            guard let judgment = fixture.judgments?[candidate.id], !judgment.isForbidden,
                let kind = kinds.firstIndex(of: candidate.type)
            else { continue }
            pool[kind] += 1
            if judgment.grade >= 2 { target[kind] += 1 }
        }
        let good = target.reduce(0, +)
        guard good > 0 else { return nil }
        return Calibration.regret(
            of: types.compactMap { kinds.firstIndex(of: $0) },
            target: target.map { $0 / good },
            pool: pool
        )
    }

    /// The cosine of two texts as sets of words.
    private static func cosine(_ left: StemSet, _ right: StemSet) -> Double {
        let sizes = (Double(left.count) * Double(right.count)).squareRoot()
        return sizes == 0 ? 0 : Double(left.sharedCount(with: right)) / sizes
    }
}

/// What a vault is sorted into segments by.
package struct VaultTraits: Sendable, Hashable {
    package let tier: OccasionTier
    package let loveLanguage: LoveLanguage
    package let hintCount: Int
    package let historyCount: Int

    /// A vault that little is known of: fewer than five hints, or nothing shown before.
    package var isColdStart: Bool { hintCount < 5 || historyCount == 0 }

    /// The segments it belongs to, one of each kind.
    package var segments: [Segment] {
        let hints =
            switch hintCount {
            case ..<5: "fewer than 5"
            case ..<10: "5 to 9"
            case ..<15: "10 to 14"
            default: "15 or more"
            }
        return [
            Segment(kind: .tier, name: tier.rawValue.replacing("_", with: " ")),
            Segment(kind: .loveLanguage, name: loveLanguage.rawValue.replacing("_", with: " ")),
            Segment(kind: .hints, name: hints),
            Segment(kind: .coldStart, name: isColdStart ? "cold start" : "known"),
        ]
    }
}

extension VaultTraits {
    init(_ fixtureCase: FixtureCase) {
        let vault = fixtureCase.fixture.vault
        let tier =
            switch fixtureCase.occasion {
            case .tier(let tier): tier
            case .milestone(let id): vault.milestones.first { $0.id == id }?.tier ?? .justBecause
            }
        self.init(
            tier: tier,
            loveLanguage: vault.loveLanguages.primary,
            hintCount: vault.hints.count,
            historyCount: vault.history.count
        )
    }
}
