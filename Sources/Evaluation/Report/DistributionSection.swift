/// How the mean grades spread over the vaults, as a picture of how many vaults have which.
enum DistributionSection {
    private static let height = 120

    static func section(_ summary: EvaluationSummary) -> ReportSection? {
        let new = GradeDistribution(summary.evaluation)
        let old = summary.comparison.map { GradeDistribution($0.old) }
        guard new.gradedCount > 0 else { return nil }
        let (label, other) = (summary.evaluation.label, summary.comparison?.old.label)
        let legend: Markup =
            other.map {
                "<p class=\"legend\"><span class=\"key ours\">\(label)</span> <span class=\"key theirs\">\($0)</span></p>"
            } ?? .empty
        let missing = [(label, new), (other, old)].compactMap { name, distribution -> String? in
            guard let name, let distribution, distribution.ungradedCount > 0 else { return nil }
            return "\(name) shows unjudged cards in \(distribution.ungradedCount), which are not here."
        }
        return ReportSection(
            id: "distribution",
            title: "Distribution by vault",
            body: """
                <figure class="panel">
                \(legend)
                \(picture(new, old, label, other))
                <figcaption>How many vaults have which mean grade, 0 poor to 3 delight. \(missing.joined(separator: " "))\
                </figcaption>
                </figure>
                """
        )
    }

    private static func picture(
        _ new: GradeDistribution,
        _ old: GradeDistribution?,
        _ label: String,
        _ other: String?
    ) -> Markup {
        let most = max(1, (new.counts + (old?.counts ?? [])).max() ?? 1)
        let columns = GradeDistribution.grades.indices.map { place -> Markup in
            let left = Double(place) * 10
            let mine = bar(
                new.counts[place],
                most,
                "ours",
                x: old == nil ? left + 2 : left + 1,
                width: old == nil ? 6 : 3.8
            )
            let theirs = old.map { bar($0.counts[place], most, "theirs", x: left + 5.2, width: 3.8) } ?? .empty
            return """
                \(mine)\(theirs)\
                <text class="soft" x="\(FigureText.fixed(left + 5))%" y="\(height + 38)" text-anchor="middle">\
                \(FigureText.fixed(GradeDistribution.grades[place], digits: place % 3 == 0 ? 0 : 1))</text>
                """
        }
        let told = [(label, Optional(new)), (other ?? "", old)].compactMap { name, distribution in
            distribution.map { distribution in
                let counts = zip(GradeDistribution.grades, distribution.counts).filter { $0.1 > 0 }
                return "\(name): "
                    + counts.map { "\($0.1) at \(FigureText.fixed($0.0))" }.joined(separator: ", ")
            }
        }
        return """
            <svg role="img" aria-labelledby="distribution-name distribution-more" width="100%" height="\(height + 46)">
            <title id="distribution-name">Vaults by mean grade</title>
            <desc id="distribution-more">\(told.joined(separator: "; "))</desc>
            <line class="grid" x1="0" x2="100%" y1="\(height + 20)" y2="\(height + 20)"/>
            \(columns)
            </svg>
            """
    }

    private static func bar(_ count: Int, _ most: Int, _ tone: String, x: Double, width: Double) -> Markup {
        guard count > 0 else { return .empty }
        let size = max(2, count * height / most)
        return """
            <rect class="\(tone)" x="\(FigureText.fixed(x))%" y="\(height + 20 - size)" width="\(FigureText.fixed(width))%" \
            height="\(size)" rx="2"/>\
            <text x="\(FigureText.fixed(x + width / 2))%" y="\(height + 14 - size)" text-anchor="middle">\(count)</text>
            """
    }
}
