import KnotDomain
import StageGraph

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

/// One card as its reader gets it, with the judge's word and the arithmetic of its score.
enum CardMarkup {
    private static let rowHeight = 18
    /// More bars than these tell nobody more.
    private static let shownParts = 5

    /// Bars are drawn against `scale`, which is one for the whole page, so that they can be held against each other.
    static func card(_ card: EvaluatedCard, id: String, scale: Double) -> Markup {
        let facts = [card.type.rawValue, card.merchant ?? "", card.price ?? "price unknown"].filter { !$0.isEmpty }
        let broken = card.broken.filter { $0 != .forbidden }.map { "<span class=\"flag\">\($0.title)</span>" as Markup }
        return """
            <li class="card">
            \(badge(card))
            <h5><bdi>\(card.title)</bdi></h5>
            <p class="facts"><bdi>\(facts.joined(separator: " \u{b7} "))</bdi></p>
            <p><bdi>\(card.reason)</bdi></p>
            \(broken)
            \(arithmetic(card, id: id, scale: scale))
            \(card.why.map { "<p class=\"why\">Judge: <bdi>\($0)</bdi></p>" as Markup } ?? .empty)
            </li>
            """
    }

    private static func badge(_ card: EvaluatedCard) -> Markup {
        if card.isForbidden { return "<p class=\"badge forbidden\">\u{2715} forbidden</p>" }
        guard let grade = card.grade else { return "<p class=\"badge\">not judged</p>" }
        return "<p class=\"badge grade\(grade)\">grade \(grade)</p>"
    }

    /// The longest bar of some cards.
    static func scale(of cards: [EvaluatedCard]) -> Double {
        max(0.01, cards.flatMap(parts).map(\.value.magnitude).max() ?? 1)
    }

    /// The largest parts, and all smaller ones as one more, so that they add up to the score.
    private static func parts(of card: EvaluatedCard) -> [(name: String, value: Double)] {
        let sorted = card.contributions.enumerated().filter { $0.element.value.magnitude >= 0.005 }.sorted {
            left,
            right in
            let (first, second) = (left.element.value.magnitude, right.element.value.magnitude)
            return first != second ? first > second : left.offset < right.offset
        }
        let shown = sorted.prefix(sorted.count > shownParts + 1 ? shownParts : sorted.count)
        var parts = shown.map { (name: $0.element.name, value: $0.element.value) }
        let rest = card.score - parts.reduce(0) { $0 + $1.value }
        if rest.magnitude >= 0.005 {
            let count = card.contributions.count - shown.count
            parts.append((name: FigureText.plural(count, "smaller part", "smaller parts"), value: rest))
        }
        return parts
    }

    private static func arithmetic(_ card: EvaluatedCard, id: String, scale: Double) -> Markup {
        let parts = parts(of: card)
        guard !parts.isEmpty else { return .empty }
        let rows = parts.enumerated().map { index, part -> Markup in
            let y = index * rowHeight
            let width = FigureText.fixed(44 * min(1, part.value.magnitude / scale))
            return """
                <text x="0" y="\(y + 13)">\(short(part.name))</text>\
                <rect class="\(part.value < 0 ? "minus" : "plus")" x="40%" y="\(y + 4)" width="\(width)%" height="10" rx="2"/>\
                <text x="100%" y="\(y + 13)" text-anchor="end">\(FigureText.fixed(part.value))</text>
                """
        }
        let told = parts.map { "\($0.name) \(FigureText.fixed($0.value))" }.joined(separator: ", ")
        let end = parts.count * rowHeight
        return """
            <svg class="sum" role="img" aria-labelledby="\(id)n \(id)d" width="100%" height="\(end + 22)">
            <title id="\(id)n">What the score of \(FigureText.fixed(card.score)) is made of</title>
            <desc id="\(id)d">\(told)</desc>
            \(rows)
            <line class="grid" x1="0" x2="100%" y1="\(end + 3)" y2="\(end + 3)"/>
            <text x="0" y="\(end + 17)">score</text>
            <text class="strong" x="100%" y="\(end + 17)" text-anchor="end">\(FigureText.fixed(card.score))</text>
            </svg>
            """
    }

    /// A name that fits its column; whoever listens gets the whole one.
    private static func short(_ name: String) -> String {
        let plain = name.replacing("_", with: " ")
        return plain.count > 18 ? plain.prefix(17) + "\u{2026}" : plain
    }
}

/// The part of the grades, 0 to 3, that a picture of means and intervals needs, in quarters.
struct GradeScale: Sendable {
    let lowest: Double
    let highest: Double

    init(covering estimates: [Estimate]) {
        let values = estimates.flatMap { [$0.mean, $0.interval?.lowerBound, $0.interval?.upperBound] }.compactMap(
            \.self
        )
        guard let least = values.min(), let most = values.max() else {
            (lowest, highest) = (0, 3)
            return
        }
        let low = max(0, (least * 4).rounded(.down) / 4)
        let high = min(3, (most * 4).rounded(.up) / 4)
        // Half a grade at least, so that a hair's breadth does not look like a mountain.
        lowest = max(0, min(low, high - 0.5))
        highest = max(high, lowest + 0.5)
    }

    /// 0 at the lowest, 1 at the highest.
    func place(of grade: Double) -> Double { (grade - lowest) / (highest - lowest) }

    /// Round grades from the lowest to the highest, seven at most.
    var lines: [Double] {
        let step = highest - lowest > 1.5 ? 0.5 : 0.25
        let first = (lowest / step).rounded(.up) * step
        return Array(stride(from: first, through: highest + 1e-9, by: step))
    }
}
