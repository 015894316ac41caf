/// Every vault in one row, folded away until somebody wants it.
enum VaultTable {
    static func section(_ summary: EvaluationSummary) -> ReportSection? {
        let new = summary.evaluation
        guard !new.vaults.isEmpty else { return nil }
        let old = summary.comparison?.old
        let rows = new.vaults.enumerated().map { index, vault -> Markup in
            let before: Markup = old.map { cell($0.vaults[index]) } ?? .empty
            return "<tr><th scope=\"row\" class=\"label\">\(vault.name)</th>\(cell(vault))\(before)</tr>"
        }
        let head: Markup = old.map { "<th scope=\"col\" class=\"theirs label\">\($0.label)</th>" } ?? .empty
        return ReportSection(
            id: "every-vault",
            title: "Every vault",
            body: """
                <details class="panel"><summary>The grades of all \(new.vaults.count)</summary>
                <table>
                <caption>The grades of the three cards in order, \u{2715} for a forbidden one, and their mean.</caption>
                <thead><tr><th scope="col">vault</th><th scope="col" class="ours label">\(new.label)</th>\(head)</tr></thead>
                <tbody>\(rows)</tbody>
                </table></details>
                """
        )
    }

    private static func cell(_ vault: EvaluatedVault) -> Markup {
        let grades = vault.cards.map { card in
            card.isForbidden ? "\u{2715}" : card.grade.map(String.init) ?? "?"
        }
        let shown = grades.isEmpty ? "nothing" : grades.joined(separator: " ")
        return "<td class=\"number\">\(shown)<small>\(FigureText.fixed(vault[.meanGrade]))</small></td>"
    }
}

/// The figures of every vault as comma-separated values, to be copied from the page.
enum DataSection {
    static func section(_ summary: EvaluationSummary) -> ReportSection? {
        guard summary.vaultCount > 0 else { return nil }
        let rows = EvaluationCSV(summary).lines.map { Markup.whole($0) }
        return ReportSection(
            id: "data",
            title: "Data",
            body: """
                <details class="panel"><summary>Every vault as CSV</summary>
                <pre class="data">\(rows)</pre>
                </details>
                """
        )
    }
}
