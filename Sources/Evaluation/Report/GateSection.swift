/// The gates as tiles: a count, what it counts, and in words whether it is kept.
enum GateSection {
    static func section(_ summary: EvaluationSummary) -> ReportSection {
        let new = summary.evaluation
        let tiles = Gate.allCases.map { gate -> Markup in
            let count = new.count(gate)
            let isKept = count == 0
            let before: Markup =
                summary.comparison.map { "<p class=\"soft\">\($0.old.label): \($0.old.count(gate))</p>" } ?? .empty
            return """
                <li class="tile \(isKept ? "kept" : "broken")">
                <p class="count">\(count)</p>
                <p class="what">\(gate.title)</p>
                <p class="mark">\(isKept ? "\u{2713} kept" : "\u{2715} broken")</p>
                \(before)
                </li>
                """
        }
        return ReportSection(
            id: "gates",
            title: "Gates",
            body: """
                <p>What must never happen, counted over \(new.shownCount) cards for \(new.vaults.count) vaults. \
                A gate is kept at zero, and comes before every figure.</p>
                <ul class="tiles">\(tiles)</ul>
                """
        )
    }
}

/// Parts of the vaults by themselves, each with how many it rests on.
enum SegmentSection {
    static func section(_ summary: EvaluationSummary) -> ReportSection? {
        guard !summary.segments.isEmpty else { return nil }
        let hasOther = summary.comparison != nil
        let groups = Segment.Kind.allCases.compactMap { kind -> Markup? in
            let rows = summary.segments.filter { $0.segment.kind == kind }
            guard !rows.isEmpty else { return nil }
            return """
                <tbody><tr class="group"><th scope="rowgroup" colspan="\(hasOther ? 5 : 4)">\(kind.title)</th></tr>
                \(rows.map { row($0) })</tbody>
                """
        }
        let difference: Markup = hasOther ? "<th scope=\"col\">change</th>" : .empty
        return ReportSection(
            id: "slices",
            title: "Slices",
            body: """
                <div class="panel"><table>
                <caption>Slices with fewer than \(Segment.smallestDeciding) vaults are shown in grey and decide nothing. \
                The change is in mean grade.</caption>
                <thead><tr><th scope="col">slice</th><th scope="col">n</th><th scope="col">\(Figure.precision.title)</th>\
                <th scope="col">mean grade</th>\(difference)</tr></thead>
                \(groups)
                </table></div>
                """
        )
    }

    private static func row(_ figures: SegmentFigures) -> Markup {
        let difference: Markup =
            figures.difference.map {
                """
                <td class="number">\(FigureText.signed($0.mean))\
                <small>\(FigureText.interval($0.interval, isSigned: true))</small></td>
                """
            } ?? .empty
        return """
            <tr\(figures.decides ? "" : " class=\"few\"" as Markup)><th scope="row">\(figures.segment.name)</th>\
            <td class="number">\(figures.count)</td>\
            <td class="number">\(FigureText.fixed(figures.precision.mean))</td>\
            <td class="number">\(FigureText.fixed(figures.meanGrade.mean))\
            <small>\(FigureText.interval(figures.meanGrade.interval))</small></td>\(difference)</tr>
            """
    }
}
