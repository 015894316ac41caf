package import Console
package import JSONDocument
import KnotDomain
import Recommendation

/// The judged figures as a table: gates first, then quality, then each row against the first one.
package struct JudgedTable {
    private let model: String?
    private var rows: [JudgedFigures] = []
    /// How each row differs from the first one, and how surely: worked out once, for it takes longer than many runs.
    private var differences: [Difference?] = []

    /// The paired difference in mean grade to the first row, vault by vault.
    private struct Difference {
        let mean: Double
        let p: Double
    }

    /// Takes the embedding model of all rows; nil if candidates were compared by words alone.
    package init(model: String?) { self.model = model }

    package mutating func add(_ figures: JudgedFigures) {
        differences.append(difference(figures))
        rows.append(figures)
    }

    /// A row for each vault of each row of figures.
    package var table: CSVTable {
        var table = CSVTable([
            "row", "fixture", "outcome", "forbidden", "precision_at_3", "mean_grade", "any_grade_3", "judged_at_3",
            "cards",
        ])
        for row in rows {
            for vault in row.vaults {
                let cards = vault.shown.map {
                    "\($0.candidate):\($0.isForbidden ? "x" : $0.grade.map(String.init) ?? "?")"
                }
                table.add([
                    .text(row.label), .text(vault.name), .text(vault.outcome.rawValue), .whole(vault.forbiddenCount),
                    .number(vault.precision), .number(vault.meanGrade), .whole(vault.hasDelight.map { $0 ? 1 : 0 }),
                    .number(vault.judgedShare), .text(cards.joined(separator: " ")),
                ])
            }
        }
        return table
    }

    /// `knot.judged/1`.
    package var json: JSONValue {
        [
            "schema": "knot.judged/1", "model": JSONValue(model),
            "rows": .array(
                zip(rows, differences).map { row, difference in
                    [
                        "label": .string(row.label), "vaults": .integer(row.vaults.count),
                        "shown": .integer(row.shownCount),
                        "forbidden": .integer(row.forbiddenCount), "short": .integer(row.shortCount),
                        "precision_at_3": JSONValue(row.precision), "mean_grade": JSONValue(row.meanGrade),
                        "any_grade_3": JSONValue(row.delightShare), "judged_at_3": JSONValue(row.judgedShare),
                        "graded": .integer(row.vaults.count - row.ungraded.count),
                        "against_first": Self.json(difference),
                        "fixtures": .array(row.vaults.map(Self.json)),
                    ]
                }
            ),
        ]
    }

    private static func json(_ vault: JudgedVault) -> JSONValue {
        [
            "fixture": .string(vault.name), "outcome": .string(vault.outcome.rawValue),
            "mean_grade": JSONValue(vault.meanGrade), "judged_at_3": .number(vault.judgedShare),
            "forbidden": .integer(vault.forbiddenCount),
            "shown": .array(
                vault.shown.map {
                    [
                        "candidate_id": .string($0.candidate.text), "grade": JSONValue($0.grade),
                        "forbidden": .bool($0.isForbidden), "why": JSONValue($0.why),
                    ]
                }
            ),
        ]
    }

    private static func json(_ difference: Difference?) -> JSONValue {
        guard let difference else { return .null }
        return ["mean_grade_difference": .number(difference.mean), "sign_flip_p": .number(difference.p)]
    }

    private func difference(_ row: JudgedFigures) -> Difference? {
        guard let first = rows.first, first.label != row.label else { return nil }
        let base = Dictionary(first.vaults.map { ($0.name, $0.meanGrade) }) { first, _ in first }
        let differences = row.vaults.compactMap { vault -> Double? in
            guard let new = vault.meanGrade, let old = base[vault.name] ?? nil else { return nil }
            return new - old
        }
        guard let p = SignFlipTest.twoSidedP(differences) else { return nil }
        return Difference(mean: differences.reduce(0, +) / Double(differences.count), p: p)
    }

    /// For people; verbose names every card.
    package func lines(isVerbose: Bool) -> [String] {
        var lines = [
            Self.columns("", "forbidden", "short", "P(>=2)@3", "mean", "any 3", "vs first (p)")
        ]
        for (row, difference) in zip(rows, differences) {
            let change = difference.map { "\(Self.signed($0.mean)) (\(Self.small($0.p)))" } ?? ""
            lines.append(
                Self.columns(
                    row.label,
                    "\(row.forbiddenCount)/\(row.shownCount)",
                    "\(row.shortCount)",
                    Self.fixed(row.precision),
                    Self.fixed(row.meanGrade),
                    Self.fixed(row.delightShare),
                    change
                )
            )
        }
        if model == nil { lines.append("without an embedding model: candidates were compared by words alone") }
        for row in rows where !row.ungraded.isEmpty {
            let names = row.ungraded.map(\.name).joined(separator: ", ")
            let words = FigureText.plural(row.ungraded.count, "vault shows", "vaults show")
            lines += TextLayout.wrapped(
                TerminalText.safe(
                    "\(row.label): \(words) cards that nobody judged (judged@3 \(Self.fixed(row.judgedShare))) and count "
                        + "in no grade: \(names)",
                    limit: 2_000
                ),
                to: 80
            )
        }
        guard isVerbose else { return lines }
        for row in rows {
            lines += ["", row.label]
            for vault in row.vaults {
                let cards = vault.shown.map {
                    "\($0.candidate) \($0.isForbidden ? "forbidden" : $0.grade.map(String.init) ?? "not judged")"
                }
                lines.append("  \(vault.name): \(cards.joined(separator: ", "))")
            }
        }
        return lines
    }

    private static func columns(_ label: String, _ rest: String...) -> String {
        let widths = [9, 5, 8, 5, 5, 15]
        let cells = zip(rest, widths).map { String(repeating: " ", count: max(0, $1 - $0.count)) + $0 }
        return label.prefix(27).padded(to: 27) + " " + cells.joined(separator: " ")
    }

    private static func fixed(_ value: Double?) -> String {
        guard let value else { return "-" }
        let hundredths = Int((value * 100).rounded())
        let digits = String(hundredths.magnitude + 1_000).suffix(2)
        return "\(hundredths < 0 ? "-" : "")\(hundredths.magnitude / 100).\(digits)"
    }

    private static func signed(_ value: Double) -> String { (value < 0 ? "" : "+") + fixed(value) }

    /// p to one significant digit below a hundredth.
    private static func small(_ p: Double) -> String {
        if p >= 0.01 { return fixed(p) }
        return p < 0.0001 ? "<0.0001" : "\((p * 10_000).rounded() / 10_000)"
    }
}

extension Substring {
    fileprivate func padded(to width: Int) -> String {
        self + String(repeating: " ", count: Swift.max(0, width - count))
    }
}
