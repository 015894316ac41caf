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
