package import KnotDomain
package import Recommendation
import StageGraph

/// Looks for the smallest single change that would have chosen a candidate, by running again and again.
///
/// Every verdict against the candidate is turned over once. Every parameter that has any effect at its ends is then turned
/// up and down in steps that double, all parameters by the same share of themselves before any of them by more; where the
/// candidate comes in, the change is narrowed between the last step that failed and the first that helped. What helps in the
/// middle of a range only may lie between two steps. So each parameter is looked through evenly below the value that was
/// found for it, and all parameters are below the smallest change. A limit of runs so costs the larger changes first.
package struct ChangeSearch {
    /// How often a run may be done again unless somebody says otherwise.
    package static let defaultLimit = 3_000
    /// A change is narrowed until a smaller one by this share of it has been tried in vain.
    package static let precision = 0.01
    /// The first step, as a share of a value.
    private static let firstStep = 0.001
    /// Beyond this share of a value the next step is the end of its range.
    private static let lastStep = 1_024.0
    /// How many even steps there are below a change that was found: many for one parameter, fewer for many.
    private static let fineSteps = 16...64
    private static let fineRuns = 640
    /// So many changes tell enough; larger ones are not looked for.
    private static let enough = 10

    private let run: EngineRun
    private let candidate: CandidateID
    private let limit: Int
    private let rerun: (Hypothesis) -> EngineRun?
    private let before: RerunOutcome
    private var reruns = 0
    private var failures = 0
    private var hasReachedLimit = false
    /// Every parameter that matters was turned this far, as a share of itself.
    private var searched = 0.0
    private var left: [TunableParameter] = []

    /// Takes a run and what does it again with one thing changed: `HypothesisRunner.rerun`, or nil for no valid plan.
    package init(
        _ run: EngineRun,
        candidate: CandidateID,
        limit: Int = defaultLimit,
        rerun: @escaping (Hypothesis) -> EngineRun?
    ) {
        self.run = run
        self.candidate = candidate
        self.limit = limit
        self.rerun = rerun
        before = RerunOutcome(run, of: ItemID(candidate.text))
    }

    /// What a search found of one knob in one direction.
    private struct Bracket {
        let knob: TunableParameter
        /// The last position that did not help, and the first that did.
        var fails: Double
        var helps: Double
        var trial: RerunOutcome
        var isNarrowed = false

        var size: Double { knob.relativeChange(to: helps) }
        var isFarFetched: Bool { knob.isStarved(at: helps) }
    }

    /// One direction of a knob that has an effect at its end.
    private struct Ladder {
        let knob: TunableParameter
        let end: Double
        /// Nil where the end makes no valid plan.
        let atEnd: RerunOutcome?
        /// The farthest position that did not help.
        var fails: Double
        /// Whether the last step changed anything for the candidate or the three.
        var matters = false
        var isOpen = true

        /// Where a change of this size is; nil where that is nowhere new.
        func position(at size: Double) -> Double? {
            let position = size > ChangeSearch.lastStep ? end : knob.snapped(knob.position(at: size, towards: end))
            let isBeyond = end > knob.position ? position >= end : position <= end
            return isBeyond ? end : position == fails || position == knob.position ? nil : position
        }
    }

    package mutating func search() throws(UnknownCandidateError) -> SmallestChange {
        let item = ItemID(candidate.text)
        guard run.report.ledger[item] != nil else {
            throw UnknownCandidateError(candidate, known: run.report.ledger.lines.map(\.item.text))
        }
        guard !before.isChosen else { return result([], [], parameters: 0) }
        let objections = Objection.all(to: item, in: run)
        let (turned, vain) = turnOver(objections, item)
        let deciders = Set(objections.map(\.node))
        // A run that ended before anything was decided leaves nobody to ask; then everything may matter.
        let knobs = TunableParameter.all(
            in: run.plan,
            upTo: deciders.isEmpty ? Set(run.plan.nodes.map(\.id)) : deciders
        )
        var (brackets, ladders) = turnToTheEnds(knobs)
        climb(&ladders, &brackets, alreadyFound: turned.count)
        return result(turned + best(of: brackets), vain, parameters: knobs.count)
    }

    private func result(_ changes: [ConfirmedChange], _ vain: [IneffectiveChange], parameters: Int) -> SmallestChange {
        let order = Dictionary(uniqueKeysWithValues: run.plan.nodes.map { ($0.id, $0.index) })
        func key(_ change: ConfirmedChange) -> (Int, Double, Int, Int, String) {
            let last = change.isFarFetched ? 1 : 0
            return switch change.change {
            case .parameter(let node, let name, _, _): (last, change.relativeChange, 0, order[node] ?? 0, name)
            case .verdict(let node, _, _), .availability(let node, _, _):
                (last, change.relativeChange, 1, order[node] ?? 0, "")
            }
        }
        return SmallestChange(
            candidate: candidate,
            isChosen: before.isChosen,
            changes: changes.sorted { key($0) < key($1) },
            vain: vain,
            parameters: parameters,
            reruns: reruns,
            failures: failures,
            limit: limit,
            hasReachedLimit: hasReachedLimit,
            precision: Self.precision,
            searched: searched,
            left: left.map { "\($0.node).\($0.name)" }
        )
    }

    /// Runs again unless that was done too often; nil then, and where the change makes no valid plan.
    private mutating func attempt(_ hypothesis: Hypothesis) -> RerunOutcome? {
        guard reruns < limit else {
            hasReachedLimit = true
            return nil
        }
        reruns += 1
        guard let trial = rerun(hypothesis).map({ RerunOutcome($0, of: ItemID(candidate.text)) }) else { return nil }
        if trial.hasFailed { failures += 1 }
        return trial
    }

    private mutating func turnOver(
        _ objections: [Objection],
        _ item: ItemID
    ) -> (helped: [ConfirmedChange], vain: [IneffectiveChange]) {
        var helped: [ConfirmedChange] = []
        var vain: [IneffectiveChange] = []
        for objection in objections {
            guard let hypothesis = objection.hypothesis(for: item), let trial = attempt(hypothesis) else { continue }
            if trial.isChosen {
                let change: ConfirmedChange.Change =
                    objection.role == .check
                    ? .availability(node: objection.node, reason: objection.reason, evidence: objection.evidence)
                    : .verdict(node: objection.node, reason: objection.reason, evidence: objection.evidence)
                helped.append(
                    ConfirmedChange(
                        change: change,
                        hypothesis: hypothesis,
                        relativeChange: 1,
                        isNarrowed: true,
                        isFarFetched: false,
                        choices: trial.choices
                    )
                )
            } else {
                vain.append(objection.inVain(trial))
            }
        }
        return (helped, vain)
    }

    /// Tries both ends of every knob; what has no effect there is taken to have none between.
    private mutating func turnToTheEnds(_ knobs: [TunableParameter]) -> ([Bracket], [Ladder]) {
        var brackets: [Bracket] = []
        var ladders: [Ladder] = []
        for knob in knobs {
            for end in knob.ends {
                let trial = attempt(.setting(knob.setting(at: end)))
                if hasReachedLimit {
                    if left.last?.isSame(as: knob) != true { left.append(knob) }
                } else if knob.scale == .onOff {
                    if let trial, trial.isChosen {
                        brackets.append(
                            Bracket(knob: knob, fails: knob.position, helps: end, trial: trial, isNarrowed: true)
                        )
                    }
                } else if trial != before {
                    ladders.append(Ladder(knob: knob, end: end, atEnd: trial, fails: knob.position))
                }
            }
        }
        return (brackets, ladders)
    }

    /// Takes all ladders one step further at a time, and narrows what helps before anybody goes on.
    private mutating func climb(_ ladders: inout [Ladder], _ brackets: inout [Bracket], alreadyFound: Int) {
        var size = Self.firstStep
        var hasLooked = false
        while !hasReachedLimit, ladders.contains(where: \.isOpen) {
            let first = brackets.count
            for index in ladders.indices where ladders[index].isOpen {
                guard !hasReachedLimit else { break }
                if let bracket = step(&ladders[index], size) { brackets.append(bracket) }
            }
            for index in brackets.indices.dropFirst(first) {
                while !hasReachedLimit, !brackets[index].isNarrowed { narrow(&brackets[index]) }
                // What helps by less in one direction needs no more in the other, unless nobody would do it.
                for other in ladders.indices
                where ladders[other].knob.isSame(as: brackets[index].knob) && !brackets[index].isFarFetched {
                    ladders[other].isOpen = false
                }
            }
            let isLast = !ladders.contains(where: \.isOpen)
            if !hasLooked, let least = least(of: brackets), least <= size || isLast {
                hasLooked = true
                lookBelow(least, ladders.filter(\.matters), &brackets)
            }
            for bracket in brackets.dropFirst(first) where !hasReachedLimit {
                let knob = bracket.knob
                guard let nearest = brackets.filter({ $0.knob.isSame(as: knob) }).map(\.size).min(),
                    nearest == bracket.size, nearest > least(of: brackets) ?? 0
                else { continue }
                // The other direction may help by less.
                lookBelow(nearest, ladders.filter { $0.knob.isSame(as: knob) }, &brackets)
            }
            guard !hasReachedLimit else { break }
            searched = ladders.contains(where: \.isOpen) ? size : .infinity
            if alreadyFound + brackets.count(where: { !$0.isFarFetched }) >= Self.enough { break }
            size *= 2
        }
        for ladder in ladders where ladder.isOpen {
            if left.last?.isSame(as: ladder.knob) != true { left.append(ladder.knob) }
            // That the end of the range helps is known; how much less would do is not.
            if hasReachedLimit, let trial = ladder.atEnd, trial.isChosen {
                brackets.append(Bracket(knob: ladder.knob, fails: ladder.fails, helps: ladder.end, trial: trial))
            }
        }
    }

    /// The size of the smallest change worth making.
    private func least(of brackets: [Bracket]) -> Double? { brackets.filter { !$0.isFarFetched }.map(\.size).min() }

    /// Looks once more for anything smaller than a change that was found, in even steps of these ladders.
    private mutating func lookBelow(_ size: Double, _ ladders: [Ladder], _ brackets: inout [Bracket]) {
        let fine = Self.fineSteps
        let steps = min(fine.upperBound, max(fine.lowerBound, Self.fineRuns / max(1, ladders.count)))
        for count in 1..<steps {
            let first = brackets.count
            for ladder in ladders {
                let knob = ladder.knob
                func position(_ count: Int) -> Double {
                    let size = size * Double(count) / Double(steps)
                    return knob.snapped(knob.position(at: size, towards: ladder.end))
                }
                let (fails, helps) = (position(count - 1), position(count))
                let isInside = ladder.end > knob.position ? helps < ladder.end : helps > ladder.end
                guard isInside, helps != knob.position, helps != fails,
                    let trial = attempt(.setting(knob.setting(at: helps))), trial.isChosen
                else { continue }
                brackets.append(Bracket(knob: knob, fails: fails, helps: helps, trial: trial))
            }
            for index in brackets.indices.dropFirst(first) {
                while !hasReachedLimit, !brackets[index].isNarrowed { narrow(&brackets[index]) }
            }
            guard brackets.count == first, !hasReachedLimit else { return }
        }
    }

    /// One step up a ladder; a bracket where that helps, and no more ladder at its end.
    private mutating func step(_ ladder: inout Ladder, _ size: Double) -> Bracket? {
        guard let position = ladder.position(at: size) else { return nil }
        let isEnd = position == ladder.end
        let trial = isEnd ? ladder.atEnd : attempt(.setting(ladder.knob.setting(at: position)))
        guard !hasReachedLimit || isEnd else { return nil }
        defer { ladder.fails = position }
        ladder.matters = trial != before
        if isEnd { ladder.isOpen = false }
        guard let trial, trial.isChosen else { return nil }
        ladder.isOpen = false
        return Bracket(knob: ladder.knob, fails: ladder.fails, helps: position, trial: trial)
    }

    /// Brings both sides nearer together until the change is known to a hundredth of itself, then writes it briefly.
    private mutating func narrow(_ bracket: inout Bracket) {
        guard let position = nextPosition(of: bracket) else {
            shorten(&bracket)
            bracket.isNarrowed = !hasReachedLimit
            return
        }
        test(position, &bracket)
    }

    /// The middle of the two sides; nil when there is nothing between them that matters.
    private func nextPosition(of bracket: Bracket) -> Double? {
        let knob = bracket.knob
        let width = abs(bracket.helps - bracket.fails)
        guard knob.scale != .onOff, width > abs(bracket.helps - knob.position) * Self.precision else { return nil }
        let position = knob.snapped((bracket.fails + bracket.helps) / 2)
        return position == bracket.fails || position == bracket.helps || position == knob.position ? nil : position
    }

    private mutating func shorten(_ bracket: inout Bracket) {
        for _ in 0..<3 {
            let round = DecimalText.roundest(after: bracket.fails, to: bracket.helps)
            guard round != bracket.helps, bracket.knob.snapped(round) == round else { return }
            test(round, &bracket)
            if bracket.helps == round || hasReachedLimit { return }
        }
    }

    private mutating func test(_ position: Double, _ bracket: inout Bracket) {
        let trial = attempt(.setting(bracket.knob.setting(at: position)))
        if let trial, trial.isChosen {
            bracket.helps = position
            bracket.trial = trial
        } else if !hasReachedLimit {
            bracket.fails = position
        }
    }

    /// The smaller of a knob's two directions; a far-fetched one comes last.
    private func best(of brackets: [Bracket]) -> [ConfirmedChange] {
        var best: [String: Bracket] = [:]
        for bracket in brackets {
            let name = "\(bracket.knob.node).\(bracket.knob.name)"
            if let known = best[name],
                (known.isFarFetched ? 1 : 0, known.size) <= (bracket.isFarFetched ? 1 : 0, bracket.size)
            {
                continue
            }
            best[name] = bracket
        }
        return best.values.map(change)
    }

    private func change(_ bracket: Bracket) -> ConfirmedChange {
        let setting = bracket.knob.setting(at: bracket.helps)
        return ConfirmedChange(
            change: .parameter(
                node: bracket.knob.node,
                name: bracket.knob.name,
                from: bracket.knob.value,
                to: setting.value
            ),
            hypothesis: .setting(setting),
            relativeChange: bracket.size,
            isNarrowed: bracket.isNarrowed,
            isFarFetched: bracket.isFarFetched,
            choices: bracket.trial.choices
        )
    }
}
