import JSONDocument
import KnotDomain
package import StageGraph

/// Looks whether the three can be had, and refills from the reserve what cannot.
///
/// The three and the next few of the reserve are looked at together. If one of the three is lost, the set is chosen again as
/// if it had never been there. The loop gives up when its time is over and never before, and where it finds fewer than three
/// it says how many it looked at.
package struct CheckAvailability: CheckStage {
    package static let kind = "check.availability"
    package static let revision = 3
    package static let summary = "Checks that the selected offers are still available and replaces those that aren't."
    static let brief = InputPort<Brief>("brief")
    package static let inputs = [brief.declaration]

    static let ahead = Parameter<Int>("ahead", default: 3, in: 0...50, "Reserve offers to check at the same time.")
    static let time = Parameter<Double>(
        "time_s",
        default: 5,
        in: 0.01...60,
        "Time limit for all checks together; an offer that isn't checked in time isn't shown."
    )
    static let patience = Parameter<Double>(
        "patience_s",
        default: 5,
        in: 0.01...60,
        "Time limit for one check; after it the availability counts as unknown."
    )
    package static let parameters =
        [
            ahead.declaration, time.declaration, patience.declaration, SelectExact.strength.declaration,
            SelectExact.secondType.declaration,
        ] + SetRules.declarations

    private let parameters: ParameterValues
    private let ports: StagePorts

    package init(_ parameters: ParameterValues, ports: StagePorts) {
        self.parameters = parameters
        self.ports = ports
    }

    package func check(
        _ selection: Selection<Offer>,
        _ inputs: StageInputs,
        in context: StageContext
    ) async throws(StageFailure) -> CheckedSelection<Offer> {
        let brief = try inputs.value(Self.brief)
        let completion = SetCompletion(selection, parameters: parameters, brief: brief)
        let looks = AvailabilityLooks(parameters, checker: ports.checker, brief, context)
        var results = AvailabilityResults()
        var wanted = Array(completion.all.prefix(selection.selected.count + parameters[Self.ahead]))
        var set: [Int] = Array(selection.selected.indices)
        var relaxations = selection.relaxations
        var next = 0
        var isTimeOver = false
        while true {
            try context.checkCancellation()
            let open = wanted.filter { results.verdicts[$0.place] == nil }
            let (verdicts, isOver) = try await looks.look(at: open)
            for (place, verdict) in verdicts { results.verdicts[place] = verdict }
            isTimeOver = isTimeOver || isOver
            if set.allSatisfy(results.stands) { break }
            let isLast = isOver || next >= completion.all.count
            if next == 0, !isOver {
                (set, relaxations) = completion.chooseAgain { !results.isLost($0) }
                if set.allSatisfy(results.stands) { break }
            } else if isLast || results.standing.count >= 3 + parameters[Self.ahead] {
                // Of what has been looked at: to guess which of the others stand would mean to begin again each time.
                (set, relaxations) = completion.chooseAgain(among: results.stands)
                if isLast || set.count == selection.selected.count { break }
            }
            wanted = next == 0 ? set.map { completion.all[$0] } : []
            guard next > 0 || results.verdicts.count >= Self.patientLooks else { continue }
            // So much is lost that one at a time would take too long: the next in line are looked at all together.
            while next < completion.all.count, wanted.count < Self.crowd {
                if results.verdicts[next] == nil, !wanted.contains(where: { $0.place == next }) {
                    wanted.append(completion.all[next])
                }
                next += 1
            }
        }
        let further = ports.request.cards - RunRequest.ofOneSet
        // Only what the set does not need is looked at, and nothing of it changes the set.
        while set.count == RunRequest.ofOneSet, completion.further(set, results, further).count < further {
            try context.checkCancellation()
            let missing = further - completion.further(set, results, further).count
            let open = completion.all.filter { !set.contains($0.place) && results.verdicts[$0.place] == nil }
            guard !open.isEmpty else { break }
            let (verdicts, isOver) = try await looks.look(at: Array(open.prefix(missing)))
            for (place, verdict) in verdicts { results.verdicts[place] = verdict }
            if isOver { break }
        }
        for place in set where results.verdicts[place]?.isUnknown == true {
            context.note(
                "availability_unknown",
                "candidate \(completion.all[place].ranked.item.itemID) could not be checked",
                degrades: false
            )
        }
        if set.count < selection.selected.count {
            context.note(results, of: completion.all.count + selection.rest.count, isTimeOver: isTimeOver)
        }
        return completion.result(set, results, relaxations: relaxations, further: further)
    }

    /// So many are looked at as they are needed, a few at a time; it is polite to the outside.
    private static let patientLooks = 24
    /// Looks at once when many were lost.
    private static let crowd = 48
}

extension StageContext {
    /// Says how hard was looked before there were fewer than three.
    fileprivate func note(_ results: AvailabilityResults, of count: Int, isTimeOver: Bool) {
        let looked = results.verdicts.count
        let lost = looked - results.standing.count
        let left = count - looked
        let others =
            switch (left, isTimeOver) {
            case (0, _): "there is no other"
            case (_, true): "the time was over before the other \(left) could be looked at"
            case (_, false): "none of the other \(left) may stand beside what is shown"
            }
        note(
            "few_available",
            "\(looked) candidate\(looked == 1 ? " was" : "s were") looked at and \(lost) could not be had; \(others)",
            degrades: false
        )
    }
}

/// What has been found out so far, by place in the selection and its reserve.
struct AvailabilityResults {
    var verdicts: [Int: AvailabilityVerdict] = [:]

    func isLost(_ place: Int) -> Bool {
        if case .lost = verdicts[place] { true } else { false }
    }

    /// Whether an offer was looked at and may be had.
    func stands(_ place: Int) -> Bool { verdicts[place] != nil && !isLost(place) }

    /// Those that were looked at and may be had.
    var standing: [Int] { verdicts.keys.filter { !isLost($0) } }
}
