import KnotDomain
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
