/// Vaults side by side: where there are two pipelines those that changed most, else those that went worst.
enum VaultSection {
    private static let limit = 6

    static func section(_ summary: EvaluationSummary) -> ReportSection? {
        guard let comparison = summary.comparison else { return worst(summary) }
        let changed = comparison.mostChanged(limit)
        guard !changed.isEmpty else {
            return ReportSection(
                id: "vaults",
                title: "Vaults",
                body: "<p>Both pipelines show the same cards in every vault.</p>"
            )
        }
        let scale = CardMarkup.scale(of: changed.flatMap { $0.new.cards + $0.old.cards })
        let articles = changed.enumerated().map { index, pair -> Markup in
            """
            <article class="vault">
            <h3>\(pair.new.name)</h3>
            \(story(pair.new))
            <div class="sides">
            \(side(pair.new, label: summary.evaluation.label, tone: "ours", id: "v\(index)n", scale))
            \(side(pair.old, label: comparison.old.label, tone: "theirs", id: "v\(index)o", scale))
            </div>
            </article>
            """
        }
        return ReportSection(
            id: "vaults",
            title: "The most changed vaults",
            body: """
                <p>Where the two pipelines differ most, by gates and grades. Below each card stands the reason its reader \
                gets, what its score is made of (on one scale for all), and what the judge said.</p>
                \(articles)
                """
        )
    }

    private static func worst(_ summary: EvaluationSummary) -> ReportSection? {
        let vaults = summary.evaluation.vaults.enumerated().sorted { left, right in
            let (first, second) = (rank(left.element), rank(right.element))
            return first != second ? first < second : left.offset < right.offset
        }
        guard !vaults.isEmpty else { return nil }
        let scale = CardMarkup.scale(of: vaults.prefix(limit).flatMap(\.element.cards))
        let articles = vaults.prefix(limit).enumerated().map { index, vault -> Markup in
            """
            <article class="vault">
            <h3>\(vault.element.name)</h3>
            \(story(vault.element))
            \(side(vault.element, label: summary.evaluation.label, tone: "ours alone", id: "v\(index)n", scale))
            </article>
            """
        }
        return ReportSection(
            id: "vaults",
            title: summary.judgedCount == 0 ? "Some of the vaults" : "The vaults with the lowest grades",
            body: """
                <p>\(summary.judgedCount == 0 ? "" : "Where there is most to win. ")Below each card stands the reason its \
                reader gets, what its score is made of, and what the judge said.</p>
                \(articles)
                """
        )
    }

    /// Broken gates first, then low grades.
    private static func rank(_ vault: EvaluatedVault) -> Double {
        (vault[.meanGrade] ?? 0) - 3 * Double(Gate.allCases.reduce(0) { $0 + vault.count($1) })
    }

    private static func story(_ vault: EvaluatedVault) -> Markup {
        vault.story.map { "<p class=\"soft\"><bdi>\($0)</bdi></p>" } ?? .empty
    }

    private static func side(
        _ vault: EvaluatedVault,
        label: String,
        tone: String,
        id: String,
        _ scale: Double
    )
        -> Markup
    {
        let cards = vault.cards.enumerated().map { CardMarkup.card($1, id: "\(id)\($0)", scale: scale) }
        let nothing: Markup =
            vault.cards.isEmpty
            ? "<p class=\"soft\">Nothing was shown\(vault.failure.map { " (\($0))" } ?? "").</p>" : .empty
        let grade: Markup = "<span class=\"soft\"> mean grade \(FigureText.fixed(vault[.meanGrade]))</span>"
        return """
            <div class="side \(tone)">
            <h4>\(label)\(vault.isJudged ? grade : .empty)</h4>
            <ol class="cards">\(cards)</ol>\(nothing)
            </div>
            """
    }
}
