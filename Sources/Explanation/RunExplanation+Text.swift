import JSONDocument
import KnotDomain
import Recommendation
import StageGraph

extension RunExplanation {
    /// Why these three, in lines of at most 80 columns.
    package func lines() -> [String] {
        var column = TextColumn()
        column.add(headline)
        for choice in choices { Self.add(choice, to: &column) }
        if !runnersUp.isEmpty {
            column.blank()
            column.add("Next best")
            for runnerUp in runnersUp { Self.add(runnerUp, to: &column) }
        }
        addRemovals(to: &column)
        if !relaxations.isEmpty {
            column.blank()
            column.add("Rules that had to give way")
            for relaxation in relaxations { column.add("\(relaxation.rule): \(relaxation.detail)", indent: 2) }
        }
        addReasons(to: &column)
        return column.lines
    }

    private var headline: String {
        let pipeline = "\(run.plan.name), seed \(run.seed)"
        switch run.result {
        case .failure(let failure): return "The run failed (\(pipeline)): \(failure)"
        case .success where choices.isEmpty: return "Nothing could be chosen (\(pipeline), \(run.outcome.rawValue))"
        case .success:
            let count = ["Why this one", "Why these two", "Why these three"][min(3, choices.count) - 1]
            return "\(count) (\(pipeline), \(run.outcome.rawValue))"
        }
    }

    static func add(_ choice: ChoiceExplanation, to column: inout TextColumn) {
        column.blank()
        column.add("\(choice.position). \(TextColumn.cut(choice.title, to: 200))", hanging: 3)
        let place = choice.rank.map { ", rank \($0)" } ?? ""
        let refill = choice.refilledFrom.map { ", came in from place \($0) of the reserve" } ?? ""
        column.add(
            "\(choice.candidate), score \(DecimalText.fixed(choice.score, 4))\(place), \(choice.availability)\(refill)",
            indent: 3
        )
        for summand in choice.summands { add(summand, to: &column, indent: 5) }
        column.add(
            cells: [("= score", 16), ("", 15), (padded(choice.score), 8)],
            "",
            indent: 5
        )
        for line in choice.evidence where line.evidence.weight > 0 {
            column.add("rests on \(line.words) (\(DecimalText.fixed(line.evidence.weight, 2)))", indent: 5)
        }
        if let reason = choice.reason { column.add("told as: \(reason)", indent: 5) }
    }

    static func add(_ summand: ScoreSummand, to column: inout TextColumn, indent: Int) {
        let product =
            switch (summand.value, summand.weight) {
            case (let value?, let weight?): "\(DecimalText.fixed(weight, 4)) × \(DecimalText.fixed(value, 4))"
            case (let value?, nil): "from \(DecimalText.fixed(value, 4))"
            case (nil, let weight?) where weight != 0:
                "\(DecimalText.fixed(weight, 4)) × \(DecimalText.fixed(summand.part / weight, 4))"
            case (nil, _): ""
            }
        let note = summand.isSilent ? "no opinion" : ""
        column.add(cells: [(summand.name, 16), (product, 15), (padded(summand.part), 8)], note, indent: indent)
    }

    private static func padded(_ value: Double) -> String {
        let text = DecimalText.fixed(value, 4)
        return String(repeating: " ", count: max(0, 8 - text.count)) + text
    }

    private static func add(_ runnerUp: RunnerUp, to column: inout TextColumn) {
        let gap = DecimalText.fixed(abs(runnerUp.gap), 4)
        let distance =
            runnerUp.gap >= 0 ? "\(gap) behind the lowest of the three" : "\(gap) ahead of the lowest of the three"
        column.add("\(runnerUp.rank). \(runnerUp.candidate) \(TextColumn.cut(runnerUp.title, to: 50))", indent: 2)
        column.add("score \(DecimalText.fixed(runnerUp.score, 4)), \(distance)", indent: 5)
        column.add(runnerUp.obstacle.words, indent: 5)
    }

    private func addRemovals(to column: inout TextColumn) {
        guard !removals.isEmpty else { return }
        column.blank()
        column.add("Taken out of \(run.report.counts.retrieved) retrieved")
        for removal in removals {
            column.add(
                cells: [(removal.node.text, 18), (removal.state.rawValue, 8), ("\(removal.count)", 6)],
                removal.reason,
                indent: 2
            )
        }
    }

    private func addReasons(to column: inout TextColumn) {
        for (title, isDegrading) in [("What made it less than it could be", true), ("Also worth knowing", false)] {
            let reasons = run.report.reasons.filter { $0.degrades == isDegrading }
            guard !reasons.isEmpty else { continue }
            column.blank()
            column.add(title)
            for reason in reasons {
                column.add("\(reason.code)\(reason.node.map { " at \($0)" } ?? ""): \(reason.detail)", indent: 2)
            }
        }
    }
}

extension RunnerUp.Obstacle {
    /// What kept it out, as half a sentence.
    var words: String {
        switch self {
        case .rule(let rule, let beside) where beside.isEmpty: "kept out by the hard rule \(rule)"
        case .rule(let rule, let beside):
            "kept out by the hard rule \(rule), beside \(beside.map(\.text).joined(separator: " and "))"
        case .lowerValue(let gap, let beside):
            "the best set with it\(beside.isEmpty ? "" : " (and \(beside.map(\.text).joined(separator: ", ")))")"
                + " is worth \(DecimalText.fixed(gap, 4)) less"
        case .survivorsStay: "the check sends nobody away who still stands"
        case .lost(let reason, let evidence): "could not be had: \(reason), \(evidence)"
        case .beyondSearch(let limit): "beyond the \(limit) that the search looks at"
        case .passedOver(let selector): "\(selector) took others"
        }
    }
}

extension CandidateTimeline {
    /// The candidate's life, in lines of at most 80 columns.
    package func lines() -> [String] {
        var column = TextColumn()
        column.add("The life of \(candidate)" + (title.map { ": \(TextColumn.cut($0, to: 200))" } ?? ""))
        for step in steps {
            switch step.event {
            case .scored(let summand, let evidence):
                RunExplanation.add(summand, to: &column, indent: 2)
                for line in evidence where line.evidence.weight > 0 {
                    column.add("rests on \(line.words) (\(DecimalText.fixed(line.evidence.weight, 2)))", indent: 6)
                }
            case .unscored(let summand): RunExplanation.add(summand, to: &column, indent: 2)
            default: column.add(cells: [(step.node.text, 16)], step.event.words, indent: 2)
            }
        }
        column.add("In the end: \(state.words)\(node.map { ", by \($0)" } ?? "").")
        return column.lines
    }
}

extension ItemState {
    var words: String {
        rawValue.split(separator: "_").joined(separator: " ")
    }
}

extension TimelineStep.Event {
    /// What happened, as half a sentence.
    var words: String {
        switch self {
        case .retrieved: "retrieved"
        case .duplicated: "another came with the same id; the first stands"
        case .absorbed(let item, let why): "took in \(item) (\(why))"
        case .mergedInto(let item, let why): "merged into \(item) (\(why))"
        case .cut(let reason, let evidence): "cut: \(reason)\(Self.tail(evidence))"
        case .kept: "kept"
        case .flagged(let flags): "kept, flagged \(flags.joined(separator: ", "))"
        case .dropped(let reason, let evidence): "dropped: \(reason)\(Self.tail(evidence))"
        case .scored(let summand, _), .unscored(let summand): "adds \(DecimalText.fixed(summand.part, 4))"
        case .nonFinite: "gave no finite number"
        case .totalled(let score, let rank, let count): "score \(DecimalText.fixed(score, 4)), rank \(rank) of \(count)"
        case .selected(let position): "selected, place \(position)"
        case .reserved(let position): "place \(position) of the reserve"
        case .notSelected: "not selected"
        case .chosen(let position, let verdict, let from):
            "chosen, place \(position), \(verdict)" + (from.map { ", from place \($0) of the reserve" } ?? "")
        case .lost(let reason, let evidence): "lost: \(reason)\(Self.tail(evidence))"
        case .unused: "not needed"
        case .noted(let words): words
        }
    }

    private static func tail(_ evidence: String) -> String { evidence.isEmpty ? "" : " (\(evidence))" }
}

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

extension IneffectiveChange {
    /// What a verdict the other way would have come to.
    fileprivate var words: String {
        let end = state.map { "\($0.words)\(decidedBy.map { " by \($0)" } ?? "")" } ?? "no answer"
        let detail = then.map { $0 == state?.rawValue ? "" : " (\($0))" } ?? ""
        return "Had \(node) not said \(reason), it would still have ended as \(end)\(detail)."
    }
}
