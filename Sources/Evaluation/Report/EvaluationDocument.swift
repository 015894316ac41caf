package import JSONDocument
import KnotDomain
import Recommendation
import StageGraph

/// An evaluation as JSON lines: every vault of every pipeline, then one summary; nothing measured, the same bytes again.
package struct EvaluationDocument {
    private let summary: EvaluationSummary

    package init(_ summary: EvaluationSummary) {
        self.summary = summary
    }

    package var rows: [JSONValue] {
        let evaluations = [summary.evaluation, summary.comparison?.old].compactMap(\.self)
        return evaluations.flatMap { evaluation in
            evaluation.vaults.map { Self.row($0, label: evaluation.label) }
        } + [document(evaluations)]
    }

    private static func row(_ vault: EvaluatedVault, label: String) -> JSONValue {
        [
            "schema": "knot.evaluation.vault/1", "pipeline": .string(label), "fixture": .string(vault.name),
            "judged": .bool(vault.isJudged), "graded": .bool(vault.isGraded),
            "outcome": .string(vault.outcome.rawValue),
            "failure": JSONValue(vault.failure),
            "tier": .string(vault.traits.tier.rawValue),
            "primary_love_language": .string(vault.traits.loveLanguage.rawValue),
            "hints": .integer(vault.traits.hintCount), "history": .integer(vault.traits.historyCount),
            "cold_start": .bool(vault.traits.isColdStart), "gates": gates { vault.count($0) },
            "figures": object(Figure.allCases.map { ($0.rawValue, JSONValue(vault[$0])) }),
            "shown": .array(vault.cards.map(card)),
        ]
    }

    private static func card(_ card: EvaluatedCard) -> JSONValue {
        [
            "candidate_id": .string(card.candidate.text), "type": .string(card.type.rawValue),
            "score": .number(card.score), "grade": JSONValue(card.grade), "forbidden": .bool(card.isForbidden),
            "gates": JSONValue(card.broken.map(\.rawValue)), "why": JSONValue(card.why),
        ]
    }

    private func document(_ evaluations: [PipelineEvaluation]) -> JSONValue {
        let verdict = Verdict(summary)
        return [
            "schema": "knot.evaluation/1", "vaults": .integer(summary.vaultCount),
            "judged": .integer(summary.judgedCount),
            "seed": .string(String(summary.seed)), "readings": .string(summary.readings),
            "verdict": .string(verdict.headline), "provenance": summary.provenance.map(Self.provenance) ?? .null,
            "pipelines": .array(evaluations.map(Self.pipeline)),
            "comparison": summary.comparison.map(Self.comparison) ?? .null,
            "segments": .array(summary.segments.map(Self.segment)), "sweep": summary.sweep.map(Self.sweep) ?? .null,
        ]
    }

    private static func provenance(_ made: Provenance) -> JSONValue {
        [
            "version": .string(made.version), "command": .string(made.command), "model": JSONValue(made.model),
            "changes": JSONValue(made.changes), "data_digest": .string(made.dataDigest),
        ]
    }

    private static func pipeline(_ evaluation: PipelineEvaluation) -> JSONValue {
        [
            "label": .string(evaluation.label), "name": .string(evaluation.plan.name),
            "hash": .string(evaluation.plan.identity), "graded": .integer(evaluation.vaults.count(where: \.isGraded)),
            "shown": .integer(evaluation.shownCount),
            "keeps_gates": .bool(evaluation.keepsGates), "gates": gates { evaluation.count($0) },
            "figures": object(Figure.allCases.map { ($0.rawValue, estimate(evaluation.estimates[$0])) }),
            "coverage": JSONValue(evaluation.exposure.coverage), "gini": JSONValue(evaluation.exposure.gini),
            "entropy": JSONValue(evaluation.exposure.entropy),
            "personalisation": JSONValue(evaluation.exposure.personalisation),
            "catalogue_size": .integer(evaluation.exposure.catalogueSize),
        ]
    }

    private static func comparison(_ comparison: PipelineComparison) -> JSONValue {
        let figures = comparison.figures.map { figure -> (String, JSONValue) in
            let difference = figure.difference
            let noWorse: JSONValue =
                figure.figure.margin.map { margin in
                    [
                        "margin": .number(margin), "non_inferiority_p": JSONValue(figure.nonInferiorityP),
                        "tost_p": JSONValue(figure.equivalenceP),
                    ]
                } ?? .null
            return (
                figure.figure.rawValue,
                [
                    "difference": estimate(figure.estimate),
                    "standard_deviation": JSONValue(
                        difference.sample.standardDeviation
                    ), "effect_size": JSONValue(difference.effectSize), "wins": .integer(difference.wins),
                    "ties": .integer(difference.ties), "losses": .integer(difference.losses),
                    "sign_flip_p": JSONValue(figure.p), "holm_p": JSONValue(figure.holmP), "no_worse": noWorse,
                    "smallest_visible": JSONValue(figure.smallestVisible),
                ]
            )
        }
        return [
            "new": .string(comparison.new.label), "old": .string(comparison.old.label), "figures": object(figures),
        ]
    }

    private static func segment(_ figures: SegmentFigures) -> JSONValue {
        [
            "kind": .string(figures.segment.kind.rawValue), "name": .string(figures.segment.name),
            "n": .integer(figures.count), "decides": .bool(figures.decides),
            "forbidden": .integer(figures.forbidden), "precision_at_3": estimate(figures.precision),
            "mean_grade": estimate(figures.meanGrade), "mean_grade_difference": estimate(figures.difference),
        ]
    }

    private static func sweep(_ sweep: Sweep) -> JSONValue {
        [
            "parameter": .string(sweep.name), "base": JSONValue(sweep.base),
            "points": .array(
                sweep.points.map { point in
                    [
                        "value": .number(point.value), "hash": .string(point.evaluation.plan.identity),
                        "gates": gates { point.evaluation.count($0) },
                        "precision_at_3": estimate(point.evaluation.estimates[.precision]),
                        "ndcg_at_3": estimate(point.evaluation.estimates[.ndcg]),
                        "mean_grade": estimate(point.evaluation.estimates[.meanGrade]),
                        "mean_grade_difference": estimate(point.difference), "sign_flip_p": JSONValue(point.p),
                    ]
                }
            ),
        ]
    }

    private static func estimate(_ estimate: Estimate?) -> JSONValue {
        guard let estimate else { return .null }
        return [
            "mean": JSONValue(estimate.mean), "low": JSONValue(estimate.interval?.lowerBound),
            "high": JSONValue(estimate.interval?.upperBound), "defined": .integer(estimate.count),
            "undefined": .integer(estimate.undefinedCount),
        ]
    }

    private static func gates(_ count: (Gate) -> Int) -> JSONValue {
        object(Gate.allCases.map { ($0.rawValue, .integer(count($0))) })
    }

    private static func object(_ members: [(String, JSONValue)]) -> JSONValue {
        .object(JSONObject(members.map { JSONObject.Member(name: $0.0, value: $0.1) }))
    }
}
