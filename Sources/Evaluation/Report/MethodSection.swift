/// How to read the page: what each figure says and how sure the numbers are.
enum MethodSection {
    static func section(_ summary: EvaluationSummary) -> ReportSection {
        let figures = Figure.allCases.map { "<dt>\($0.title)</dt><dd>\($0.meaning).</dd>" as Markup }
        return ReportSection(
            id: "method",
            title: "How to read this",
            body: """
                <details class="panel"><summary>What the figures say</summary>
                <dl>\(figures)
                <dt>coverage</dt><dd>distinct cards shown over all items that a judge did not rule out.</dd>
                <dt>Gini</dt><dd>0 where every item is shown equally often, towards 1 where few have it all.</dd>
                <dt>personalisation</dt><dd>1 minus the mean overlap of two vaults' cards.</dd>
                </dl></details>
                <details class="panel"><summary>How sure they are</summary>
                <p>Every vault counts once. Intervals are percentiles of \(Bootstrap.draws) bootstrap draws of the vaults. \
                Two pipelines are compared vault by vault: a paired sign-flip test, exact up to twenty vaults and by \
                \(SignFlipTest.draws) draws beyond, corrected by Holm over the \(summary.testedFigures.count) figures that are \
                tested. "No worse" is a one-sided t test against a margin that was set before looking. What is undefined is \
                left out of a mean and counted. A vault with fewer than three cards counts what is missing as grade 0.</p>
                </details>
                """
        )
    }
}
