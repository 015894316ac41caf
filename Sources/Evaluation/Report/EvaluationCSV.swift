import Console
import KnotDomain
import Recommendation
import StageGraph

/// An evaluation as a table for other programs: a row for each vault of each pipeline.
package struct EvaluationCSV: Sendable {
    /// Characters of a name that tell it from others.
    private static let longestName = 200

    private let table: CSVTable

    package init(_ summary: EvaluationSummary) {
        var table = CSVTable(
            [
                "pipeline", "pipeline_hash", "fixture", "judged", "graded", "outcome", "occasion", "love_language",
                "hints",
            ]
                + Gate.allCases.map(\.rawValue) + Figure.allCases.map(\.rawValue) + ["cards"]
        )
        for evaluation in [summary.evaluation, summary.comparison?.old].compactMap(\.self) {
            for vault in evaluation.vaults {
                let facts: [CSVTable.Cell] = [
                    .text(String(evaluation.label.prefix(Self.longestName))), .text(evaluation.plan.identity),
                    .text(String(vault.name.prefix(Self.longestName))), .flag(vault.isJudged),
                    .flag(vault.isGraded), .text(vault.outcome.rawValue), .text(vault.traits.tier.rawValue),
                    .text(vault.traits.loveLanguage.rawValue), .whole(vault.traits.hintCount),
                ]
                let gates = Gate.allCases.map { CSVTable.Cell.whole(vault.count($0)) }
                let figures = Figure.allCases.map { CSVTable.Cell.number(vault[$0]) }
                table.add(facts + gates + figures + [.text(vault.cards.map(Self.card).joined(separator: " "))])
            }
        }
        self.table = table
    }

    package var text: String { table.text }
    var lines: [String] { table.lines }

    /// The candidate and its grade, an x for a forbidden one, a ? for one that nobody judged.
    private static func card(_ card: EvaluatedCard) -> String {
        "\(card.candidate):\(card.isForbidden ? "x" : card.grade.map(String.init) ?? "?")"
    }
}
