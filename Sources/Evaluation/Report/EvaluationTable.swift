import Console
import KnotDomain

/// An evaluation as lines for people: gates first, then figures, then slices, of at most 80 columns.
package struct EvaluationTable {
    private let summary: EvaluationSummary
    private let isVerbose: Bool

    package init(_ summary: EvaluationSummary, isVerbose: Bool) {
        self.summary = summary
        self.isVerbose = isVerbose
    }

    private var new: PipelineEvaluation { summary.evaluation }
    private var old: PipelineEvaluation? { summary.comparison?.old }

    package var lines: [String] {
        let verdict = Verdict(summary)
        var lines = TextLayout.wrapped(safe(([verdict.headline] + verdict.details).joined(separator: " ")), to: 80)
        lines += ["", "\(summary.vaultWords), readings \(safe(summary.readings)), seed \(summary.seed)"]
        if let made = summary.provenance, made.model == nil {
            lines.append("without an embedding model: candidates were compared by words alone")
        }
        lines += ["", "gates (kept at 0)   " + columns(cut(new.label), old.map { cut($0.label) })]
        for gate in Gate.allCases {
            lines.append(row("  " + gate.title, "\(new.count(gate))", old.map { "\($0.count(gate))" }))
        }
        lines += ["", Self.padded("means [95 %]", 16) + header]
        lines += summary.testedFigures.map(figure)
        lines += summary.othersWorthShowing.map(figure)
        lines += exposure + margins + distribution + segments + sweep
        return isVerbose ? lines + vaults : lines
    }

    // MARK: figures

    private var header: String {
        guard let old else { return Self.right(cut(new.label), 17) }
        return Self.right(cut(new.label), 17) + Self.right(cut(old.label), 18) + Self.right("difference", 21)
            + Self.right("p", 8)
    }

    private func figure(_ figure: Figure) -> String {
        var line = Self.padded(Self.name(figure), 16) + Self.right(Self.cell(new.estimates[figure]), 17)
        guard let comparison = summary.comparison else { return line }
        line += Self.right(Self.cell(comparison.old.estimates[figure]), 18)
        guard let change = comparison[figure] else { return line }
        let mean = FigureText.signed(change.difference.mean)
        let range = change.estimate.interval.map {
            " [\(FigureText.signed($0.lowerBound)) \(FigureText.signed($0.upperBound))]"
        }
        return line + Self.right(mean + (range ?? ""), 21) + Self.right(FigureText.p(change.holmP), 8)
    }

    private static func cell(_ estimate: Estimate?) -> String {
        guard let estimate, let mean = estimate.mean else { return "-" }
        let range = estimate.interval.map {
            " [\(FigureText.fixed($0.lowerBound)) \(FigureText.fixed($0.upperBound))]"
        }
        return FigureText.fixed(mean) + (range ?? "")
    }

    private static func name(_ figure: Figure) -> String { figure.title }

    private var exposure: [String] {
        let rows: [(String, KeyPath<CatalogueExposure, Double?>)] = [
            ("coverage", \.coverage), ("Gini", \.gini), ("personalisation", \.personalisation),
        ]
        return rows.map { name, path in
            let cells = [new, old].compactMap(\.self).map { evaluation in
                evaluation.exposure[keyPath: path].map { FigureText.fixed($0) } ?? "-"
            }
            // Under the means, not under their brackets.
            let mine = Self.padded(name, 16) + Self.right(cells[0], 5)
            return cells.count > 1 ? mine + Self.right(cells[1], 18) : mine
        }
    }

    private var margins: [String] {
        guard let comparison = summary.comparison else { return [] }
        var lines = [""]
        lines.append(
            "p: paired sign-flip, Holm over \(summary.testedFigures.count) figures; differences vault by vault"
        )
        for figure in comparison.figures {
            guard let margin = figure.figure.margin, let p = figure.nonInferiorityP else { continue }
            let verdict = p < 0.05 ? "shown" : "not shown"
            lines.append(
                "no worse by \(FigureText.fixed(margin)) \(Self.name(figure.figure)): \(verdict), p \(FigureText.p(p))"
            )
        }
        if let visible = comparison[.meanGrade]?.smallestVisible, visible > 0 {
            lines.append(
                "a difference of \(FigureText.fixed(visible)) in mean grade is seen in 80 of 100 cases with these vaults"
            )
        }
        return lines
    }

    // MARK: parts

    /// How many vaults have which mean grade.
    private var distribution: [String] {
        let rows = [new, old].compactMap(\.self).map { (cut($0.label), GradeDistribution($0)) }
        guard rows.contains(where: { $0.1.gradedCount > 0 }) else { return [] }
        let head = GradeDistribution.grades.map { Self.right(FigureText.fixed($0), 6) }.joined()
        return ["", Self.padded("mean grade", 17) + head]
            + rows.map { label, distribution in
                Self.padded(label, 17) + distribution.counts.map { Self.right($0 == 0 ? "." : "\($0)", 6) }.joined()
            }
    }

    private var segments: [String] {
        var lines = [
            "",
            Self.padded("slices", 38) + Self.right("n", 4) + Self.right(Self.name(.precision), 10)
                + Self.right(Self.name(.meanGrade), 11)
                + (old == nil ? "" : Self.right("difference", 12)),
        ]
        for part in summary.segments {
            let name = "  \(part.segment.kind.title): \(part.segment.name)"
            let difference = part.difference.map { Self.right(FigureText.signed($0.mean), 12) } ?? ""
            let few = part.decides ? "" : "  few"
            lines.append(
                Self.padded(name, 38) + Self.right("\(part.count)", 4)
                    + Self.right(FigureText.fixed(part.precision.mean), 10)
                    + Self.right(FigureText.fixed(part.meanGrade.mean), 11) + difference + few
            )
        }
        lines.append("few: below \(Segment.smallestDeciding) vaults; shown, and decides nothing")
        return lines
    }

    private var sweep: [String] {
        guard let sweep = summary.sweep else { return [] }
        let base = sweep.base.map { " (the pipeline has \(Self.plain($0)))" } ?? ""
        var lines = [
            "", "effect of \(sweep.name)\(base)",
            Self.right("value", 12) + Self.right("forbidden", 11) + Self.right(Self.name(.precision), 10)
                + Self.right(Self.name(.ndcg), 8) + Self.right(Self.name(.meanGrade), 11) + Self.right("difference", 12)
                + Self.right("p", 9),
        ]
        for point in sweep.points {
            let evaluation = point.evaluation
            lines.append(
                Self.right(Self.plain(point.value), 12) + Self.right("\(evaluation.count(.forbidden))", 11)
                    + Self.right(FigureText.fixed(evaluation.mean(.precision)), 10)
                    + Self.right(FigureText.fixed(evaluation.mean(.ndcg)), 8)
                    + Self.right(FigureText.fixed(evaluation.mean(.meanGrade)), 11)
                    + Self.right(FigureText.signed(point.difference.mean), 12) + Self.right(FigureText.p(point.p), 9)
            )
        }
        return lines + ["p is uncorrected: a sweep looks for an effect, it does not prove one"]
    }

    private var vaults: [String] {
        var lines = ["", "every vault"]
        for (index, vault) in new.vaults.enumerated() {
            let sides = [vault] + (old.map { [$0.vaults[index]] } ?? [])
            let cards = sides.map { side in
                let grades = side.cards.map { card in
                    "\(safe(card.candidate.text)) \(card.isForbidden ? "forbidden" : card.grade.map(String.init) ?? "?")"
                }
                return grades.isEmpty ? "nothing" : grades.joined(separator: ", ")
            }
            lines.append(TextLayout.truncated("  \(safe(vault.name)): \(cards.joined(separator: "  |  "))", to: 80))
        }
        return lines
    }

    // MARK: layout

    private func row(_ name: String, _ mine: String, _ theirs: String?) -> String {
        Self.padded(name, 20) + columns(mine, theirs)
    }

    private func columns(_ mine: String, _ theirs: String?) -> String {
        Self.right(mine, 17) + (theirs.map { Self.right($0, 18) } ?? "")
    }

    private func cut(_ label: String) -> String { TextLayout.truncated(safe(label), to: 16) }
    private func safe(_ text: String) -> String { TerminalText.safe(text, limit: 400) }

    private static func plain(_ number: Double) -> String {
        number == number.rounded() && number.magnitude < 1e9 ? "\(Int(number))" : "\(number)"
    }

    private static func padded(_ text: String, _ width: Int) -> String { TextLayout.padded(text, to: width) }

    private static func right(_ text: String, _ width: Int) -> String {
        String(repeating: " ", count: max(0, width - DisplayWidth.of(text))) + text
    }
}
