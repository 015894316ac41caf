import Console
import KnotDomain
import Recommendation

/// An impact as lines for a terminal, or as Markdown for a review.
package struct ImpactText: Sendable {
    private let report: ImpactReport

    package init(_ report: ImpactReport) {
        self.report = report
    }

    /// More recordings than these are counted and not listed in a review.
    private static let mostListed = 50

    private var summary: String {
        let compared = report.changes.count - report.count(.failed)
        let sets = FigureText.plural(compared, "set", "sets")
        let share = report.share.map { " (\(FigureText.percent($0)))" } ?? ""
        var text = "\(report.count(.changed)) of \(sets) changed\(share)"
        if report.count(.reordered) > 0 { text += ", \(report.count(.reordered)) only in order" }
        if report.count(.failed) > 0 { text += "; \(report.count(.failed)) came to nothing under one of the two" }
        return text
    }

    /// What the recordings do not know, so that the change may do something else outside.
    private var unknown: [String] {
        guard report.unansweredRuns > 0 else { return [] }
        return [
            "recordings that have no answer to what was asked (not_recorded): \(report.unansweredRuns)",
            "cards that left or came and were never looked at: \(report.uncheckedCards)",
        ]
    }

    private static func title(_ card: SetChange.Card) -> String {
        card.title + (card.isUnchecked ? " (not recorded whether it can be had)" : "")
    }

    private var reasons: [(title: String, rows: [(count: Int, words: String)])] {
        [
            ("Why cards left", report.causes(\.left).map { ($0.count, $0.cause.words(hasLeft: true)) }),
            (
                "Why others came (what kept them out before)",
                report.causes(\.came).map {
                    ($0.count, $0.cause.words(hasLeft: false))
                }
            ),
        ].filter { !$0.1.isEmpty }
    }

    private var endings: [String] {
        report.endings.map { "\($0.base.rawValue) before, \($0.changed.rawValue) now: \($0.count)" }
    }

    /// Lines of at most 80 columns, safe for a terminal.
    package func lines(isVerbose: Bool) -> [String] {
        var lines = TextLayout.wrapped(
            TerminalText.safe("\(report.changed) against \(report.base): \(summary)"),
            to: 80
        )
        for row in report.byOccasion {
            lines.append("  \(TextLayout.padded(row.occasion.rawValue, to: 20)) \(row.changed) of \(row.of)")
        }
        lines += (endings + unknown).flatMap { Self.indented($0, by: 2) }
        for (title, rows) in reasons {
            lines += ["", title]
            for row in rows {
                lines += Self.indented(TerminalText.safe("\(row.count) × \(row.words)"), by: 2)
            }
        }
        guard isVerbose else { return lines }
        for change in report.changes where change.kind != .same {
            lines += [
                "", TextLayout.truncated(TerminalText.safe("\(change.recording): \(change.kind.rawValue)"), to: 80),
            ]
            for card in change.left {
                lines += Self.indented(
                    TerminalText.safe("- \(Self.title(card)): \(card.cause.words(hasLeft: true))"),
                    by: 2
                )
            }
            for card in change.came {
                lines += Self.indented(
                    TerminalText.safe("+ \(Self.title(card)): \(card.cause.words(hasLeft: false))"),
                    by: 2
                )
            }
        }
        return lines
    }

    private static func indented(_ text: String, by width: Int) -> [String] {
        TextLayout.wrapped(text, to: 80 - width).map { String(repeating: " ", count: width) + $0 }
    }

    /// For a comment on a review.
    package var markdown: [String] {
        let title = "**\(Self.escaped(report.changed))** against **\(Self.escaped(report.base))**: \(summary)"
        var lines = [title, ""]
        if !report.byOccasion.isEmpty {
            lines += ["| occasion | sets changed | of |", "|---|---:|---:|"]
            lines += report.byOccasion.map { "| \(Self.escaped($0.occasion.rawValue)) | \($0.changed) | \($0.of) |" }
            lines.append("")
        }
        let remarks = endings + unknown
        if !remarks.isEmpty { lines += remarks.map { "- \($0)" } + [""] }
        for (title, rows) in reasons {
            lines += ["| cards | \(title.lowercased()) |", "|---:|---|"]
            lines += rows.map { "| \($0.count) | \(Self.escaped($0.words)) |" } + [""]
        }
        let listed = report.changes.filter { $0.kind == .changed }
        guard !listed.isEmpty else { return lines }
        lines += [
            "<details><summary>The sets that changed</summary>", "", "| recording | left | came |", "|---|---|---|",
        ]
        for change in listed.prefix(Self.mostListed) {
            func cell(_ cards: [SetChange.Card], hasLeft: Bool) -> String {
                cards.map { "\(Self.escaped(Self.title($0))): \(Self.escaped($0.cause.words(hasLeft: hasLeft)))" }
                    .joined(separator: "<br>")
            }
            let cells = [
                Self.escaped(change.recording), cell(change.left, hasLeft: true), cell(change.came, hasLeft: false),
            ]
            lines.append("| \(cells.joined(separator: " | ")) |")
        }
        if listed.count > Self.mostListed { lines.append("| and \(listed.count - Self.mostListed) more | | |") }
        return lines + ["", "</details>"]
    }

    /// A text of somebody else's as plain words: no markup, no link, no mention, no other cell.
    static func escaped(_ text: String) -> String {
        var result = ""
        for character in TerminalText.safe(text, limit: 300) {
            switch character {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "@": result += "&#64;"
            case "|": result += "&#124;"
            case ":": result += "&#58;"
            case "\n": result += " "
            case "\\", "`", "*", "_", "{", "}", "[", "]", "(", ")", "#", "+", "!", "~", "$": result += "\\\(character)"
            default: result.append(character)
            }
        }
        return result
    }
}
