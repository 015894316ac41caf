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
