package import KnotDomain
import StageGraph

/// Looks for the smallest single change that would have chosen a candidate, by running again and again.
///
/// Every verdict against the candidate is turned over once. Every parameter that can matter is turned to its ends and,
/// where that has any effect, to places between; where the candidate comes in, the change is narrowed from both sides.
/// A parameter may help in the middle of its range only, so no search by trial sees everything; what it finds is true.
package struct ChangeSearch {
    /// How often a run may be done again unless somebody says otherwise.
    package static let defaultLimit = 400

    private let run: EngineRun
    private let candidate: CandidateID
    private let limit: Int
    private let rerun: (Hypothesis) -> EngineRun?
    private let before: Trial
    private var reruns = 0
    private var failures = 0
    private var hasReachedLimit = false

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
        before = Trial(run, of: ItemID(candidate.text))
    }

    /// What a search found of one knob in one direction.
    private struct Bracket {
        let knob: Knob
        /// The last position that did not help, and the first that did.
        var fails: Double
        var helps: Double
        var trial: Trial
        var isNarrowed = false

        var size: Double { knob.relativeChange(to: helps) }
        /// The change is larger than this, as far as is known.
        var leastSize: Double { knob.relativeChange(to: fails) }
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
        let knobs = Knob.all(in: run.plan, upTo: deciders.isEmpty ? Set(run.plan.nodes.map(\.id)) : deciders)
        var brackets = turnToTheEnds(knobs)
        narrow(&brackets)
        return result(turned + best(of: brackets), vain, parameters: knobs.count)
    }

    private func result(_ changes: [ConfirmedChange], _ vain: [VainVerdict], parameters: Int) -> SmallestChange {
        let order = Dictionary(uniqueKeysWithValues: run.plan.nodes.map { ($0.id, $0.index) })
        func key(_ change: ConfirmedChange) -> (Double, Int, Int, String) {
            switch change.change {
            case .parameter(let node, let name, _, _): (change.relativeChange, 0, order[node] ?? 0, name)
            case .verdict(let node, _, _), .availability(let node, _, _):
                (change.relativeChange, 1, order[node] ?? 0, "")
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
            hasReachedLimit: hasReachedLimit
        )
    }

    /// Runs again unless that was done too often; nil then, and where the change makes no valid plan.
    private mutating func attempt(_ hypothesis: Hypothesis) -> Trial? {
        guard reruns < limit else {
            hasReachedLimit = true
            return nil
        }
        reruns += 1
        guard let trial = rerun(hypothesis).map({ Trial($0, of: ItemID(candidate.text)) }) else { return nil }
        if trial.hasFailed { failures += 1 }
        return trial
    }

    private mutating func turnOver(
        _ objections: [Objection],
        _ item: ItemID
    ) -> (helped: [ConfirmedChange], vain: [VainVerdict]) {
        var helped: [ConfirmedChange] = []
        var vain: [VainVerdict] = []
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
                        choices: trial.choices
                    )
                )
            } else {
                vain.append(objection.inVain(trial))
            }
        }
        return (helped, vain)
    }

    private mutating func turnToTheEnds(_ knobs: [Knob]) -> [Bracket] {
        var brackets: [Bracket] = []
        var open: [(knob: Knob, end: Double)] = []
        for knob in knobs {
            for end in knob.ends {
                guard let trial = attempt(.setting(knob.setting(at: end))) else {
                    if !hasReachedLimit { open.append((knob, end)) }
                    continue
                }
                if trial.isChosen {
                    brackets.append(Bracket(knob: knob, fails: knob.position, helps: end, trial: trial))
                } else if trial != before, knob.scale != .onOff {
                    open.append((knob, end))
                }
            }
        }
        for share in [0.5, 0.125, 0.03125] {
            // Whoever came in at one place needs no further ones: narrowing goes on from there.
            open.removeAll { entry in
                let position = entry.knob.snapped(entry.knob.position + (entry.end - entry.knob.position) * share)
                guard position != entry.knob.position, position != entry.end,
                    let trial = attempt(.setting(entry.knob.setting(at: position))), trial.isChosen
                else { return false }
                brackets.append(
                    Bracket(knob: entry.knob, fails: entry.knob.position, helps: position, trial: trial)
                )
                return true
            }
        }
        return brackets
    }

    /// Narrows what may still be the smallest change before all others, so that a limit of runs costs the least.
    private mutating func narrow(_ brackets: inout [Bracket]) {
        while !hasReachedLimit {
            let least = brackets.map(\.size).min() ?? 0
            let open = brackets.indices.filter { !brackets[$0].isNarrowed && brackets[$0].leastSize < least }
            guard !open.isEmpty else { break }
            for index in open.sorted(by: { brackets[$0].size < brackets[$1].size }) { step(&brackets[index]) }
        }
        for index in brackets.indices {
            while !hasReachedLimit, !brackets[index].isNarrowed { step(&brackets[index]) }
        }
    }

    /// Brings both sides nearer together until the change is known to a hundredth of itself, then writes it briefly.
    private mutating func step(_ bracket: inout Bracket) {
        guard let position = nextPosition(of: bracket) else {
            shorten(&bracket)
            bracket.isNarrowed = !hasReachedLimit
            return
        }
        test(position, &bracket)
    }

    /// Where to look next; nil when there is nothing between the two sides that matters.
    private func nextPosition(of bracket: Bracket) -> Double? {
        let knob = bracket.knob
        let start = knob.position
        let near = abs(bracket.fails - start)
        let far = abs(bracket.helps - start)
        guard knob.scale != .onOff, far - near > far * 0.01 else { return nil }
        // Far from the start, a step in proportion finds the size of the change; near the answer, halves do.
        let distance = near == 0 ? far / 8 : far > 4 * near ? (near * far).squareRoot() : (near + far) / 2
        let position = knob.snapped(start + (bracket.helps > start ? distance : -distance))
        guard position != bracket.fails, position != bracket.helps, position != start else { return nil }
        // A change of less than a millionth is nobody's explanation.
        return knob.relativeChange(to: position) > 1e-6 ? position : nil
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

    /// The smaller of a knob's two directions.
    private func best(of brackets: [Bracket]) -> [ConfirmedChange] {
        var best: [String: Bracket] = [:]
        for bracket in brackets {
            let name = "\(bracket.knob.node).\(bracket.knob.name)"
            if let known = best[name], known.size <= bracket.size { continue }
            best[name] = bracket
        }
        return best.values.map { bracket in
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
                choices: bracket.trial.choices
            )
        }
    }
}
