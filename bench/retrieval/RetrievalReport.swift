/// The figures as a page to read.
package struct RetrievalReport {
    /// What was measured: machine, model, commit.
    package let heading: String
    package let sets: [RetrievalSet]
    package let figures: [RetrievalFigure]
    package let bars: [RetrievalBar]

    package init(
        heading: String,
        sets: [RetrievalSet],
        figures: [RetrievalFigure],
        bars: [RetrievalBar] = RetrievalBar.all
    ) {
        self.heading = heading
        self.sets = sets
        self.figures = figures
        self.bars = bars
    }

    /// Whether every bar is met by what it asks for and by nothing that does nothing.
    package var isFine: Bool {
        bars.allSatisfy {
            if case .met = $0.verdict(figures) { true } else { false }
        }
    }

    package var markdown: String {
        (["# Retrieval on public judgements", heading, barTable] + sets.map(table) + [notes]).joined(separator: "\n\n")
            + "\n"
    }

    package var barTable: String {
        let lines = bars.map { bar in
            let noOp = bar.noOp(figures).map(Self.text) ?? "–"
            let (measured, word) =
                switch bar.verdict(figures) {
                case .met(let least): (Self.text(least), "met")
                case .missed(let least): (Self.text(least), "**missed**")
                case .unmeasured: ("–", "not measured")
                case .empty: ("–", "**a no-op reaches it**")
                }
            return "| \(bar.set) | \(bar.systems.name) | \(bar.metric.name) | \(Self.text(bar.floor)) | \(measured) "
                + "| \(noOp) | \(word) |"
        }
        return """
            ## Bars

            The lowest of the figures that a bar asks for, and the best that no ranking at all reaches (all scores equal, or
            drawn by chance), which must stay below it.

            | set | system | metric | bar | measured | no-op | |
            |---|---|---|---|---|---|---|
            \(lines.joined(separator: "\n"))
            """
    }

    private func table(_ set: RetrievalSet) -> String {
        let own = figures.filter { $0.set == set.name }
        var systems: [RetrievalSystem] = []
        for figure in own where !systems.contains(figure.system) { systems.append(figure.system) }
        let lines = systems.map { system in
            let cells = RetrievalMetric.allCases.map { metric in
                own.first { $0.system == system && $0.metric == metric }.map(Self.cell) ?? "–"
            }
            return "| \(system.name) | \(cells.joined(separator: " | ")) |"
        }
        return """
            ## \(set.name)

            \(set.topics.count) queries, \(set.leftOut) without anything to find left out; \(set.documents.count) documents.

            | system | \(RetrievalMetric.allCases.map(\.name).joined(separator: " | ")) |
            |---|---|---|---|---|
            \(lines.joined(separator: "\n"))
            """
    }

    private var notes: String {
        """
        Linear gain, discount 1/log2(rank + 1), the ideal over everything judged, ties by id descending, unjudged counts 0.
        In brackets the 95 % bootstrap interval of the mean (queries drawn again); p is the two-sided paired sign-flip test
        against dense f32, uncorrected. P@3 and MRR count grades from 2 of 3 on for chorus. Both judged pools come from
        keyword engines, which flatters dense reranking and punishes dense retrieval.
        """
    }

    private static func cell(_ figure: RetrievalFigure) -> String {
        let interval = figure.interval.map { " [\(text($0.lowerBound)), \(text($0.upperBound))]" } ?? ""
        return text(figure.mean) + interval + (figure.p.map { " p \(text($0, decimals: 4))" } ?? "")
    }

    private static func text(_ number: Double) -> String { text(number, decimals: 3) }

    private static func text(_ number: Double, decimals: Int) -> String {
        var scale = 1.0
        for _ in 0..<decimals { scale *= 10 }
        let whole = Int((number * scale).rounded())
        return "\(whole / Int(scale)).\(String(String(whole % Int(scale) + Int(scale)).dropFirst()))"
    }
}
