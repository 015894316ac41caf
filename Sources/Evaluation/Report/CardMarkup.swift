import KnotDomain
import StageGraph

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
