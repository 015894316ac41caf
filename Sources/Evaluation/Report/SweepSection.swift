/// The effect of one parameter: the mean grade along its range as a curve with its band, and the points as a table.
enum SweepSection {
    private static let height = 200.0

    static func section(_ summary: EvaluationSummary) -> ReportSection? {
        guard let sweep = summary.sweep, sweep.points.count > 1 else { return nil }
        return ReportSection(
            id: "sweep",
            title: "The effect of \(sweep.name)",
            body: """
                <figure class="panel">
                \(picture(sweep))
                <figcaption>Mean grade along the range, with its 95 % interval\
                \(sweep.base.map { "; the dashed line is the pipeline's own value, \(value($0))" } ?? ""). \
                The scale shows the part of 0 to 3 that the intervals need.</figcaption>
                </figure>
                <div class="panel"><table>
                <caption>p is uncorrected: a sweep looks for an effect, it does not prove one.</caption>
                <thead><tr><th scope="col">value</th><th scope="col"><span class="desk">forbidden</span>\
                <abbr class="phone" title="forbidden cards shown">\u{2715}</abbr></th><th scope="col">\(Figure.precision.title)</th>\
                <th scope="col">mean grade</th><th scope="col">change</th><th scope="col">p</th></tr></thead>
                <tbody>\(sweep.points.map(row))</tbody>
                </table></div>
                """
        )
    }

    private static func row(_ point: SweepPoint) -> Markup {
        let evaluation = point.evaluation
        return """
            <tr><th scope="row">\(value(point.value))</th><td class="number">\(evaluation.count(.forbidden))</td>\
            <td class="number">\(FigureText.fixed(evaluation.mean(.precision)))</td>\
            <td class="number">\(FigureText.fixed(evaluation.mean(.meanGrade)))</td>\
            <td class="number">\(FigureText.signed(point.difference.mean))</td>\
            <td class="number">\(FigureText.p(point.p))</td></tr>
            """
    }

    /// As many digits as it needs, four at most.
    static func value(_ number: Double) -> String {
        var text = FigureText.fixed(number, digits: 4)
        while text.contains("."), text.hasSuffix("0") || text.hasSuffix(".") { text.removeLast() }
        return text
    }

    private static func picture(_ sweep: Sweep) -> Markup {
        let estimates = sweep.points.map { $0.evaluation.estimates[.meanGrade] }
        let (first, last) = (sweep.points[0].value, sweep.points[sweep.points.count - 1].value)
        func x(_ value: Double) -> String {
            FigureText.fixed(8 + 88 * (last > first ? (value - first) / (last - first) : 0))
        }
        let scale = GradeScale(covering: estimates.compactMap { $0 })
        func y(_ grade: Double) -> String { FigureText.fixed(height * (1 - scale.place(of: grade))) }
        let means = zip(sweep.points, estimates).compactMap { point, estimate in
            estimate?.mean.map { (x(point.value), y($0)) }
        }
        let upper = zip(sweep.points, estimates).compactMap { point, estimate in
            estimate?.interval.map { "\(x(point.value)),\(y($0.upperBound))" }
        }
        let lower = zip(sweep.points, estimates).compactMap { point, estimate in
            estimate?.interval.map { "\(x(point.value)),\(y($0.lowerBound))" }
        }
        let base: Markup =
            sweep.base.flatMap { base in
                guard (first...max(first, last)).contains(base) else { return nil }
                return "<line class=\"base\" x1=\"\(x(base))%\" x2=\"\(x(base))%\" y1=\"10\" y2=\"210\"/>"
            } ?? .empty
        let told = zip(sweep.points, estimates).map { "\(value($0.value)): \(FigureText.fixed($1?.mean))" }
        return """
            <svg role="img" aria-labelledby="sweep-name sweep-more" width="100%" height="240">
            <title id="sweep-name">Mean grade by \(sweep.name)</title>
            <desc id="sweep-more">\(told.joined(separator: "; "))</desc>
            \(scale.lines.map { grid($0, scale) })
            \(base)
            <svg x="0" y="10" width="100%" height="200" viewBox="0 0 100 200" preserveAspectRatio="none">
            <polygon class="band" points="\((upper + lower.reversed()).joined(separator: " "))"/>
            <polyline class="curve" points="\(means.map { "\($0.0),\($0.1)" }.joined(separator: " "))"/>
            </svg>
            <g transform="translate(0 10)">\(means.map(dot))</g>
            <text class="soft" x="8%" y="234" text-anchor="middle">\(value(first))</text>
            <text class="soft" x="96%" y="234" text-anchor="middle">\(value(last))</text>
            </svg>
            """
    }

    private static func dot(_ place: (String, String)) -> Markup {
        "<circle class=\"ours\" cx=\"\(place.0)%\" cy=\"\(place.1)\" r=\"4\"/>"
    }

    private static func grid(_ grade: Double, _ scale: GradeScale) -> Markup {
        let y = FigureText.fixed(10 + height * (1 - scale.place(of: grade)))
        return """
            <line class="grid" x1="8%" x2="96%" y1="\(y)" y2="\(y)"/>\
            <text class="soft" x="5%" y="\(y)" dy="4" text-anchor="end">\(value(grade))</text>
            """
    }
}
