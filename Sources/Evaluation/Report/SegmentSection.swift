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
