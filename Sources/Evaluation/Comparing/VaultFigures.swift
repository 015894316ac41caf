import KnotDomain
import Recommendation
import TextEncoding

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
