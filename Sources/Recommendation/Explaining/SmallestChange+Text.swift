import JSONDocument
import KnotDomain
import StageGraph

extension SmallestChange {
    /// The changes that would have chosen the candidate, in lines of at most 80 columns.
    package func lines() -> [String] {
        var column = TextColumn()
        guard !isChosen else {
            column.add("\(candidate) was chosen: nothing needs to change.")
            return column.lines
        }
        if let best {
            column.add("The smallest single change that would have chosen \(candidate)")
            Self.add(best, to: &column)
            if changes.count > 1 {
                column.add("Any one of these would have done it too")
                for change in changes.dropFirst().prefix(Self.shown) { Self.add(change, to: &column) }
                let others = changes.count - 1 - Self.shown
                if others > 0 { column.add("and \(others) larger one\(others == 1 ? "" : "s")", indent: 2) }
            }
        } else {
            column.add("No single change that was tried would have chosen \(candidate).")
        }
        for verdict in vain { column.add(verdict.words) }
        column.add(
            "Tried: \(parameters) parameter\(parameters == 1 ? "" : "s") in \(reruns) run\(reruns == 1 ? "" : "s");"
                + (changes.isEmpty ? " none of them chose it." : " each change above was confirmed by running again,")
                + (changes.isEmpty ? "" : " and is the smallest of its parameter to \(Self.percent(precision)).")
        )
        if failures > 0 {
            column.add("\(failures) of the runs failed; what they would have chosen is not known.")
        }
        if hasReachedLimit {
            column.add("The limit of \(limit) runs was reached. \(remainder)")
        } else if !left.isEmpty {
            column.add(remainder)
        }
        return column.lines
    }

    /// What was not tried.
    private var remainder: String {
        let names = left.prefix(4).joined(separator: ", ") + (left.count > 4 ? ", \u{2026}" : "")
        let count = "\(left.count) parameter\(left.count == 1 ? "" : "s")"
        guard !left.isEmpty else { return "What was begun before it was narrowed to the end may be smaller." }
        return searched > 0
            ? "Every parameter was turned by up to \(Self.percent(searched)); larger changes of \(count) are left: \(names)."
            : "Left untried: \(count): \(names)."
    }

    private static func percent(_ share: Double) -> String {
        "\(DecimalText.fixed(share * 100, share < 0.01 && share > 0 ? 1 : 0)) %"
    }

    /// Changes told besides the smallest.
    private static let shown = 9

    private static func add(_ change: ConfirmedChange, to column: inout TextColumn) {
        let far = change.isFarFetched ? "; nobody would do that" : ""
        let then = "then: \(change.choices.map(\.text).joined(separator: ", "))\(far)"
        switch change.change {
        case .parameter(let node, let name, let from, let to):
            let size = DecimalText.fixed(change.relativeChange * 100, change.relativeChange < 0.1 ? 1 : 0)
            let share = change.isSwitch ? "" : " (\(size) %\(change.isNarrowed ? "" : " or less"))"
            column.add("\(node).\(name) \(text(from)) → \(text(to))\(share)", indent: 2)
            column.add("\(then); try --set \(node).\(name)=\(text(to))", indent: 4)
        case .verdict(let node, let reason, let evidence):
            column.add("if \(node) had kept it: \(reason)\(evidence.isEmpty ? "" : " (\(evidence))")", indent: 2)
            column.add(then, indent: 4)
        case .availability(let node, let reason, let evidence):
            column.add("if \(node) had found it: \(reason)\(evidence.isEmpty ? "" : " (\(evidence))")", indent: 2)
            column.add(then, indent: 4)
        }
    }

    private static func text(_ value: JSONValue) -> String {
        switch value {
        case .number(let number): DecimalText.plain(number)
        default: JSONWriter.text(value, style: .compact)
        }
    }
}

extension ConfirmedChange {
    /// Turned over as a whole, so that a share of it says nothing.
    fileprivate var isSwitch: Bool {
        if case .parameter(_, _, .bool, _) = change { true } else { false }
    }
}

extension VainVerdict {
    /// What a verdict the other way would have come to.
    fileprivate var words: String {
        let end = state.map { "\($0.words)\(decidedBy.map { " by \($0)" } ?? "")" } ?? "no answer"
        let detail = then.map { $0 == state?.rawValue ? "" : " (\($0))" } ?? ""
        return "Had \(node) not said \(reason), it would still have ended as \(end)\(detail)."
    }
}
