/// What an evaluation comes to, in words that claim no more than the numbers do.
package struct Verdict: Sendable, Hashable {
    /// One sentence.
    package let headline: String
    /// The figures behind it, a sentence each.
    package let details: [String]

    /// A difference counts as shown when its corrected p is below this.
    static let level = 0.05

    package init(_ summary: EvaluationSummary) {
        let new = summary.evaluation
        guard let comparison = summary.comparison else {
            headline = Self.withGates(Self.alone(new), new)
            details = Self.star(summary) + Self.figures(new) + [Self.gates(new)] + Self.coverage([new])
            return
        }
        let (first, second) = (new.label, comparison.old.label)
        headline = Self.withGates(Self.compared(comparison), new)
        var details = Self.star(summary)
        if let grade = comparison[.meanGrade], grade.difference.mean != nil || summary.vaultCount == 0 {
            let range = FigureText.interval(grade.estimate.interval, isSigned: true)
            details.append(
                "The mean grade is \(FigureText.fixed(new.mean(.meanGrade))) with \(first) and "
                    + "\(FigureText.fixed(comparison.old.mean(.meanGrade))) with \(second): "
                    + "\(FigureText.signed(grade.difference.mean))\(range.isEmpty ? "" : ", 95 % interval \(range)"). "
                    + Self.chance(grade)
            )
        }
        if comparison[.meanGrade]?.difference.mean != nil || summary.vaultCount == 0 {
            details.append(grade(comparison))
        }
        details.append(Self.gates(new, beside: comparison.old))
        self.details = details + Self.coverage([new, comparison.old])

        func grade(_ comparison: PipelineComparison) -> String {
            let difference = comparison[.meanGrade]?.difference ?? PairedDifference([])
            return "\(first) has the better grades in \(FigureText.plural(difference.wins, "vault", "vaults")), "
                + "\(second) in \(difference.losses); "
                + "\(FigureText.plural(difference.ties, "is", "are")) level."
        }
    }

    private static func star(_ summary: EvaluationSummary) -> [String] {
        [summary.provenance?.star(summary.evaluation.label)].compactMap(\.self)
    }

    /// A broken gate comes before every figure, so no headline passes over it.
    private static func withGates(_ sentence: String, _ new: PipelineEvaluation) -> String {
        let broken = Gate.allCases.count { new.count($0) > 0 }
        guard broken > 0, sentence.hasSuffix(".") else { return sentence }
        let joint = sentence.contains(" is worse than ") ? "and" : "but"
        return "\(sentence.dropLast()), \(joint) \(broken == 1 ? "a gate is" : "\(broken) gates are") broken."
    }

    private static func compared(_ comparison: PipelineComparison) -> String {
        let (first, second) = (comparison.new.label, comparison.old.label)
        guard isJudged(comparison.new) else { return "Nobody judged what \(first) and \(second) show." }
        guard comparison[.meanGrade]?.difference.mean != nil || comparison.new.vaults.isEmpty else {
            return "Too little of what \(first) and \(second) show was judged to compare them."
        }
        let grade = comparison[.meanGrade]
        if let grade, let p = grade.holmP, p < level, let isBetter = grade.isImprovement {
            return isBetter ? "\(first) is better than \(second)." : "\(first) is worse than \(second)."
        }
        let margins = comparison.figures.compactMap(\.nonInferiorityP)
        if !margins.isEmpty, margins.allSatisfy({ $0 < level }) { return "\(first) is no worse than \(second)." }
        return "No difference between \(first) and \(second) is shown."
    }

    private static func chance(_ figure: FigureComparison) -> String {
        guard let p = figure.holmP else { return "There is nothing to test." }
        let text = p < 0.0001 ? "below 0.0001" : FigureText.p(p)
        return p < level
            ? "By chance alone that happens with a probability \(p < 0.0001 ? "" : "of ")\(text)."
            : "Chance alone may do that (p \(text))."
    }

    private static func alone(_ new: PipelineEvaluation) -> String {
        guard !new.vaults.isEmpty else { return "There was nothing to judge." }
        guard isJudged(new) else { return "Nobody judged what \(new.label) shows." }
        guard new.mean(.meanGrade) != nil else {
            return "Too little of what \(new.label) shows was judged to grade it."
        }
        return "\(FigureText.percent(new.mean(.precision))) of what \(new.label) shows is good or better."
    }

    private static func isJudged(_ evaluation: PipelineEvaluation) -> Bool {
        evaluation.vaults.isEmpty || evaluation.vaults.contains(where: \.isJudged)
    }

    private static func figures(_ new: PipelineEvaluation) -> [String] {
        guard isJudged(new), new.mean(.meanGrade) != nil || new.vaults.isEmpty else { return [] }
        return [
            "The mean grade is \(FigureText.fixed(new.mean(.meanGrade))) of 3, and "
                + "\(FigureText.percent(new.mean(.delight))) of the vaults have a card that would delight."
        ]
    }

    /// Which vaults count in no figure by grades, and why.
    private static func coverage(_ evaluations: [PipelineEvaluation]) -> [String] {
        evaluations.compactMap { evaluation in
            let left = evaluation.ungraded
            guard !left.isEmpty else { return nil }
            let all = FigureText.plural(evaluation.vaults.count, "vault", "vaults")
            let names = left.prefix(8).map(\.name).joined(separator: ", ") + (left.count > 8 ? ", \u{2026}" : "")
            return "Of \(all) with \(evaluation.label), \(left.count) \(left.count == 1 ? "shows" : "show") cards that "
                + "nobody judged and \(left.count == 1 ? "counts" : "count") in no grade (\(names)); judged@3 is "
                + "\(FigureText.fixed(evaluation.mean(.judged)))."
        }
    }

    private static func gates(_ new: PipelineEvaluation, beside old: PipelineEvaluation? = nil) -> String {
        let broken = Gate.allCases.filter { new.count($0) > 0 }
        guard !broken.isEmpty else { return "\(new.label) keeps every gate." }
        let list = broken.map { "\($0.title) \(new.count($0))" }.joined(separator: ", ")
        let other = old.map { old in " (\(old.label): \(broken.map { String(old.count($0)) }.joined(separator: ", ")))"
        }
        return "\(new.label) breaks \(FigureText.plural(broken.count, "gate", "gates")): \(list)\(other ?? "")."
    }
}

/// Figures as text: two digits behind the point, signs where they say something, p as small as it needs.
package enum FigureText {
    /// What stands for a value that is not defined.
    package static let undefined = "\u{2013}"

    package static func fixed(_ value: Double?, digits: Int = 2) -> String {
        guard let value, value.isFinite else { return undefined }
        let scale = (0..<digits).reduce(1.0) { scale, _ in scale * 10 }
        guard value.magnitude * scale < 1e15 else { return "\(value)" }
        let whole = Int((value * scale).rounded())
        let text = String(whole.magnitude)
        let padded = String(repeating: "0", count: max(0, digits + 1 - text.count)) + text
        let sign = whole < 0 ? "-" : ""
        return digits == 0 ? sign + padded : "\(sign)\(padded.dropLast(digits)).\(padded.suffix(digits))"
    }

    package static func signed(_ value: Double?, digits: Int = 2) -> String {
        let text = fixed(value, digits: digits)
        return text == undefined || text.hasPrefix("-") ? text : "+" + text
    }

    package static func interval(_ range: ClosedRange<Double>?, isSigned: Bool = false) -> String {
        guard let range else { return "" }
        let text = { (value: Double) in isSigned ? signed(value) : fixed(value) }
        return "\(text(range.lowerBound)) to \(text(range.upperBound))"
    }

    package static func p(_ value: Double?) -> String {
        guard let value else { return undefined }
        if value < 0.0001 { return "<0.0001" }
        return fixed(value, digits: value < 0.01 ? 4 : value < 0.1 ? 3 : 2)
    }

    package static func percent(_ share: Double?) -> String {
        share.map { "\(fixed($0 * 100, digits: 0)) %" } ?? undefined
    }

    package static func plural(_ count: Int, _ one: String, _ many: String) -> String {
        "\(count) \(count == 1 ? one : many)"
    }
}
