/// The tested figures as a picture: a track for each, on it the mean and the interval of each pipeline.
enum IntervalPicture {
    private static let rowHeight = 58

    static func section(_ summary: EvaluationSummary) -> ReportSection {
        let new = summary.evaluation
        let old = summary.comparison?.old
        let figures = summary.testedFigures
        let rows = figures.enumerated().map { index, figure in
            row(figure, new, old, top: index * rowHeight)
        }
        let legend: Markup =
            old.map {
                """
                <p class="legend"><span class="key ours">\(new.label)</span> \
                <span class="key theirs">\($0.label)</span></p>
                """
            } ?? .empty
        return ReportSection(
            id: "intervals",
            title: "Intervals",
            body: """
                <figure class="panel">
                \(legend)
                <svg role="img" aria-labelledby="intervals-name intervals-more" width="100%" \
                height="\(figures.count * rowHeight)">
                <title id="intervals-name">Means and 95 % intervals of \(figures.count) figures</title>
                <desc id="intervals-more">\(description(of: figures, new, old))</desc>
                \(rows)
                </svg>
                <figcaption>Each figure on its own track, from its least to its greatest value. A dot is the mean, a bar \
                its 95 % interval.</figcaption>
                </figure>
                """
        )
    }

    private static func row(_ figure: Figure, _ new: PipelineEvaluation, _ old: PipelineEvaluation?, top: Int) -> Markup
    {
        let greatest = scale(figure, [new, old].compactMap(\.self))
        let text = [new, old].compactMap(\.self).map { FigureText.fixed($0.mean(figure)) }.joined(
            separator: "  \u{b7}  "
        )
        var marks = [mark(new.estimates[figure], greatest, "ours", y: top + (old == nil ? 38 : 34))]
        if let old { marks.append(mark(old.estimates[figure], greatest, "theirs", y: top + 43)) }
        return """
            <text x="0" y="\(top + 18)">\(figure.title)</text>
            <text class="soft" x="100%" y="\(top + 18)" text-anchor="end">\(text)  of \(FigureText.fixed(greatest))</text>
            <rect class="track" x="0" y="\(top + 27)" width="100%" height="23" rx="5"/>
            \(marks)
            """
    }

    private static func mark(_ estimate: Estimate?, _ greatest: Double, _ tone: String, y: Int) -> Markup {
        guard let estimate, let mean = estimate.mean else { return .empty }
        let range = estimate.interval ?? mean...mean
        let low = place(range.lowerBound, greatest)
        let high = place(range.upperBound, greatest)
        return """
            <line class="\(tone)" x1="\(low)" x2="\(high)" y1="\(y)" y2="\(y)"/>\
            <circle class="\(tone)" cx="\(place(mean, greatest))" cy="\(y)" r="5"/>
            """
    }

    /// A little inside the track, so that dots at its ends are whole.
    private static func place(_ value: Double, _ greatest: Double) -> String {
        FigureText.fixed(1.5 + 97 * min(1, max(0, value / greatest)), digits: 2) + "%"
    }

    /// What a figure can be at most, or for one without an end a round number above what it is.
    private static func scale(_ figure: Figure, _ evaluations: [PipelineEvaluation]) -> Double {
        switch figure {
        case .dcg: return 6.39
        case .meanGrade: return 3
        case .calibrationRegret, .novelty:
            let most =
                evaluations.compactMap { $0.estimates[figure] }.flatMap { [$0.mean, $0.interval?.upperBound] }
                .compactMap(\.self).max() ?? 0
            return max(0.5, (most * 2).rounded(.up) / 2)
        default: return 1
        }
    }

    private static func description(
        of figures: [Figure],
        _ new: PipelineEvaluation,
        _ old: PipelineEvaluation?
    ) -> String {
        figures.map { figure in
            let parts = [new, old].compactMap(\.self).map { evaluation in
                let estimate = evaluation.estimates[figure]
                return "\(evaluation.label) \(FigureText.fixed(estimate?.mean)) "
                    + "(\(FigureText.interval(estimate?.interval)))"
            }
            return "\(figure.title): \(parts.joined(separator: ", "))."
        }.joined(separator: " ")
    }
}
