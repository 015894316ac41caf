import Digest
package import Fixtures
import JSONDocument
import KnotDomain

/// Two pipelines over the same vaults: every tested figure, and the vaults that changed most.
package struct PipelineComparison: Sendable {
    package let new: PipelineEvaluation
    package let old: PipelineEvaluation
    package let figures: [FigureComparison]

    init(of new: PipelineEvaluation, against old: PipelineEvaluation, _ bootstrap: Bootstrap, seed: UInt64) {
        self.new = new
        self.old = old
        let paired = Figure.tested.map { figure in
            let pairs = zip(old.vaults, new.vaults).map { ($0[figure], $1[figure]) }
            let difference = PairedDifference(from: pairs.map(\.0), to: pairs.map(\.1))
            let values = pairs.map { pair in pair.0.flatMap { first in pair.1.map { $0 - first } } }
            return (figure, difference, Estimate(values, bootstrap), Self.p(of: difference, seed: seed))
        }
        let known = paired.compactMap(\.3)
        var adjusted = HolmAdjustment.adjusted(known)[...]
        figures = paired.map { figure, difference, estimate, p in
            FigureComparison(
                figure: figure,
                difference: difference,
                estimate: estimate,
                p: p,
                holmP: p.flatMap { _ in adjusted.popFirst() }
            )
        }
    }

    private static func p(of difference: PairedDifference, seed: UInt64) -> Double? {
        SignFlipTest.twoSidedP(difference.sample.values, seed: seed)
    }

    package subscript(figure: Figure) -> FigureComparison? { figures.first { $0.figure == figure } }

    /// The vaults whose set changed, the largest change of nDCG and grade first; equals keep the order of the fixtures.
    package func mostChanged(_ limit: Int) -> [(old: EvaluatedVault, new: EvaluatedVault)] {
        let changed = zip(old.vaults, new.vaults).enumerated().filter { _, pair in
            pair.0.cards.map(\.candidate) != pair.1.cards.map(\.candidate)
        }
        let sorted = changed.sorted { left, right in
            let (first, second) = (Self.change(left.element), Self.change(right.element))
            return first != second ? first > second : left.offset < right.offset
        }
        return sorted.prefix(limit).map { ($0.element.0, $0.element.1) }
    }

    /// How far apart two results of one vault are: a gate broken or repaired weighs as much as three grades.
    private static func change(_ pair: (EvaluatedVault, EvaluatedVault)) -> Double {
        func change(_ figure: Figure) -> Double {
            guard let before = pair.0[figure], let after = pair.1[figure] else { return 0 }
            return (after - before).magnitude
        }
        let gates = Gate.allCases.reduce(0) { $0 + (pair.1.count($1) - pair.0.count($1)).magnitude }
        return change(.meanGrade) * 3 + Double(gates) * 3 + change(.ndcg)
    }
}

/// A whole evaluation: one pipeline, perhaps against another, with segments and perhaps a sweep.
package struct EvaluationSummary: Sendable {
    package let evaluation: PipelineEvaluation
    package let comparison: PipelineComparison?
    package let segments: [SegmentFigures]
    package let sweep: Sweep?
    /// How the readings came, in words.
    package let readings: String
    package let seed: UInt64
    /// What made these figures; nil where nobody says.
    package let provenance: Provenance?

    package init(
        _ evaluation: PipelineEvaluation,
        against old: PipelineEvaluation? = nil,
        sweep: Sweep? = nil,
        readings: String,
        seed: UInt64,
        provenance: Provenance? = nil
    ) {
        self.provenance = provenance
        self.evaluation = evaluation
        let bootstrap = Bootstrap(topics: evaluation.vaults.count, seed: seed)
        comparison = old.map { PipelineComparison(of: evaluation, against: $0, bootstrap, seed: seed) }
        segments = SegmentFigures.all(of: evaluation, against: old, seed: seed)
        self.sweep = sweep
        self.readings = readings
        self.seed = seed
    }

    package var vaultCount: Int { evaluation.vaults.count }
    package var judgedCount: Int { evaluation.vaults.count(where: \.isJudged) }

    /// How many vaults there are, and how many of them are judged.
    package var vaultWords: String {
        switch judgedCount {
        case vaultCount: FigureText.plural(vaultCount, "judged vault", "judged vaults")
        case 0: "\(FigureText.plural(vaultCount, "vault", "vaults")) without judgments"
        default: "\(FigureText.plural(vaultCount, "vault", "vaults")), \(judgedCount) of them judged"
        }
    }

    /// The tested figures that have a value anywhere.
    package var testedFigures: [Figure] { Figure.tested.filter(isDefined) }

    /// The figures beside the tested ones that say something: not what repeats those because every card was judged, and
    /// no gap where every selection is exact.
    package var othersWorthShowing: [Figure] {
        let everythingIsJudged = evaluations.allSatisfy { $0.mean(.judged) == 1 }
        var silent: Set<Figure> = everythingIsJudged ? [.judged, .condensedPrecision, .condensedNDCG, .kinds] : []
        if evaluations.allSatisfy({ $0.mean(.optimalityGap) ?? 0 == 0 }) { silent.insert(.optimalityGap) }
        return Figure.allCases.filter { !Figure.tested.contains($0) && !silent.contains($0) && isDefined($0) }
    }

    private var evaluations: [PipelineEvaluation] { [evaluation, comparison?.old].compactMap(\.self) }

    private func isDefined(_ figure: Figure) -> Bool {
        // Without a single vault there is nothing to leave out either.
        vaultCount == 0 || evaluations.contains { $0.mean(figure) != nil }
    }
}

/// The figures of one segment, with how many vaults they rest on.
package struct SegmentFigures: Sendable {
    package let segment: Segment
    package let count: Int
    package let precision: Estimate
    package let meanGrade: Estimate
    /// Of the mean grade against the other pipeline; nil without one.
    package let difference: Estimate?
    package let forbidden: Int

    /// Whether there are enough vaults to conclude anything.
    package var decides: Bool { count >= Segment.smallestDeciding }

    /// All segments that have a vault, kind by kind, the larger first, equals by name.
    static func all(of new: PipelineEvaluation, against old: PipelineEvaluation?, seed: UInt64) -> [SegmentFigures] {
        var places: [Segment: [Int]] = [:]
        for (index, vault) in new.vaults.enumerated() {
            for segment in vault.traits.segments { places[segment, default: []].append(index) }
        }
        let order = Segment.Kind.allCases
        let sorted = places.sorted { left, right in
            let (first, second) = (order.firstIndex(of: left.key.kind), order.firstIndex(of: right.key.kind))
            if first != second { return (first ?? 0) < (second ?? 0) }
            if left.value.count != right.value.count { return left.value.count > right.value.count }
            return left.key.name < right.key.name
        }
        return sorted.map { segment, indices in
            let bootstrap = Bootstrap(topics: indices.count, seed: seed)
            let vaults = indices.map { new.vaults[$0] }
            let differences = old.map { old in
                indices.map { index -> Double? in
                    guard let after = new.vaults[index][.meanGrade], let before = old.vaults[index][.meanGrade] else {
                        return nil
                    }
                    return after - before
                }
            }
            return SegmentFigures(
                segment: segment,
                count: indices.count,
                precision: Estimate(vaults.map { $0[.precision] }, bootstrap),
                meanGrade: Estimate(vaults.map { $0[.meanGrade] }, bootstrap),
                difference: differences.map { Estimate($0, bootstrap) },
                forbidden: vaults.reduce(0) { $0 + $1.count(.forbidden) }
            )
        }
    }
}

/// What figures were made with and on, so that they can be made again.
package struct Provenance: Sendable, Hashable {
    /// The program's.
    package let version: String
    /// As it can be typed again, without what decides only where the output goes and how it looks.
    package let command: String
    /// The embedding model; nil where candidates were compared by words alone.
    package let model: String?
    /// What was changed of the pipeline, each as it is typed; that is what a star at its name means.
    package let changes: [String]
    /// SHA-256 over the digests of all that was read, vault by vault.
    package let dataDigest: String
    /// The vaults whose recordings were read: what is told of them goes when they are forgotten.
    package let recordedVaults: [String]

    package init(version: String, command: String, model: String?, changes: [String], cases: [FixtureCase]) {
        self.version = version
        self.command = command
        self.model = model
        self.changes = changes
        let read = cases.map { JSONValue.array([.string($0.stem), .string($0.digest)]) }
        dataDigest = SHA256Digest(of: JSONWriter.bytes(.array(read), style: .canonical)).hex
        recordedVaults = Set(cases.filter(\.isRecorded).map(\.fixture.vault.id.text)).sorted()
    }

    /// What the star means; nil where there is none.
    package func star(_ label: String) -> String? {
        guard !changes.isEmpty, label.hasSuffix("*") else { return nil }
        return "\(label) is \(label.dropLast()) with \(changes.joined(separator: ", "))."
    }

    package var modelWords: String { model ?? "none, by words alone" }
}
