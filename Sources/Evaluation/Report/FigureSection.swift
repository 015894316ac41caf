/// The figures as a table: each with its interval, and beside the other pipeline with the difference and its p.
enum FigureSection {
    static func section(_ summary: EvaluationSummary) -> ReportSection {
        let new = summary.evaluation
        let old = summary.comparison?.old
        let others = summary.othersWorthShowing
        let head: Markup =
            old.map {
                """
                <th scope="col" class="ours label">\(new.label)</th><th scope="col" class="theirs label">\($0.label)</th>\
                <th scope="col">change</th><th scope="col" class="desk"><abbr title="paired sign-flip test, after Holm's \
                correction over \(summary.testedFigures.count) figures">p</abbr></th>
                """
            } ?? "<th scope=\"col\" class=\"ours label\">\(new.label)</th>"
        return ReportSection(
            id: "figures",
            title: "Figures",
            body: """
                <div class="panel"><table>
                <caption>Means over \(new.vaults.count) vaults with 95 % bootstrap intervals\
                \(old == nil ? "" : "; p by a paired sign-flip test, corrected by Holm").</caption>
                <thead><tr><th scope="col">figure</th>\(head)</tr></thead>
                <tbody>\((summary.testedFigures + others).map { row($0, summary) })</tbody>
                <tbody>\(exposures(new, old))</tbody>
                </table></div>
                \(margins(summary))
                """
        )
    }

    private static func row(_ figure: Figure, _ summary: EvaluationSummary) -> Markup {
        let ours = cell(summary.evaluation.estimates[figure])
        guard let comparison = summary.comparison else { return "<tr>\(name(figure))\(ours)</tr>" }
        let theirs = cell(comparison.old.estimates[figure])
        guard let change = comparison[figure] else {
            return "<tr>\(name(figure))\(ours)\(theirs)<td></td><td class=\"desk\"></td></tr>"
        }
        let isShown = change.holmP.map { $0 < Verdict.level } ?? false
        let tone = !isShown ? "" : change.isImprovement == true ? " good" : " bad"
        return """
            <tr>\(name(figure))\(ours)\(theirs)\
            <td class="number\(tone)">\(FigureText.signed(change.difference.mean))\
            <small>\(FigureText.interval(change.estimate.interval, isSigned: true))</small>\
            <small class="phone">p \(FigureText.p(change.holmP))</small></td>\
            <td class="number desk">\(FigureText.p(change.holmP))</td></tr>
            """
    }

    private static func name(_ figure: Figure) -> Markup {
        let down: Markup = figure.isBetterWhenHigher ? .empty : "<small>less is better</small>"
        return "<th scope=\"row\"><span title=\"\(figure.meaning)\">\(figure.title)</span>\(down)</th>"
    }

    private static func cell(_ estimate: Estimate?) -> Markup {
        guard let estimate else { return "<td class=\"number\">\(FigureText.undefined)</td>" }
        let missing: Markup =
            estimate.undefinedCount == 0 ? .empty : "<small>undefined in \(estimate.undefinedCount)</small>"
        return """
            <td class="number">\(FigureText.fixed(estimate.mean))\
            <small>\(FigureText.interval(estimate.interval))</small>\(missing)</td>
            """
    }

    private static func exposures(_ new: PipelineEvaluation, _ old: PipelineEvaluation?) -> [Markup] {
        let rows: [(String, KeyPath<CatalogueExposure, Double?>)] = [
            ("coverage", \.coverage), ("Gini", \.gini), ("personalisation", \.personalisation),
        ]
        return rows.map { name, path in
            let ours = FigureText.fixed(new.exposure[keyPath: path])
            let rest: Markup =
                old.map {
                    "<td class=\"number\">\(FigureText.fixed($0.exposure[keyPath: path]))</td><td></td><td class=\"desk\"></td>"
                } ?? .empty
            return "<tr><th scope=\"row\">\(name)</th><td class=\"number\">\(ours)</td>\(rest)</tr>"
        }
    }

    /// What is claimed about "no worse", and how small a difference could be seen at all.
    private static func margins(_ summary: EvaluationSummary) -> Markup {
        guard let comparison = summary.comparison else { return .empty }
        var notes: [Markup] = comparison.figures.compactMap { figure in
            guard let margin = figure.figure.margin, let p = figure.nonInferiorityP else { return nil }
            let isShown = p < Verdict.level
            return """
                <li>No worse by \(FigureText.fixed(margin)) \(figure.figure.title): \
                <strong>\(isShown ? "shown" : "not shown")</strong> (one-sided p \(FigureText.p(p))).</li>
                """
        }
        if let visible = comparison[.meanGrade]?.smallestVisible, visible > 0 {
            notes.append(
                """
                <li>With these \(summary.vaultCount) vaults a difference of \(FigureText.fixed(visible)) in mean grade is \
                seen in 80 of 100 cases; smaller ones need more vaults.</li>
                """
            )
        }
        return "<ul class=\"notes\">\(notes)</ul>"
    }
}
