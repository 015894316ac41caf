import JSONDocument
import KnotDomain
package import StageGraph

/// Looks whether the three can be had, and refills from the reserve what cannot.
///
/// The three and the next few of the reserve are looked at together; who is lost is replaced by whoever makes the best
/// set with the survivors under the hard rules; the loop ends with its tries.
package struct CheckAvailability: CheckStage {
    package static let kind = "check.availability"
    package static let summary = "Looks whether the three can be had and refills from the reserve."
    static let brief = InputPort<Brief>("brief")
    package static let inputs = [brief.declaration]

    static let ahead = Parameter<Int>("ahead", default: 3, in: 0...50, "Reserves looked at together with the three.")
    static let tries = Parameter<Int>("tries", default: 24, in: 3...200, "Offers looked at before the loop gives up.")
    static let patience = Parameter<Double>(
        "patience_s",
        default: 5,
        in: 0.01...60,
        "Seconds one look may take before it counts as unknown."
    )
    package static let parameters =
        [ahead.declaration, tries.declaration, patience.declaration, SelectExact.strength.declaration]
        + SetRules.declarations

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
        let refill = Refill(selection, parameters: parameters, brief: brief)
        var findings = Findings()
        var wanted = Array(refill.all.prefix(selection.selected.count + parameters[Self.ahead]))
        var set: [Int] = Array(selection.selected.indices)
        var relaxations: [Relaxation] = []
        while true {
            try context.checkCancellation()
            let open = wanted.filter { findings.verdicts[$0.place] == nil }
            for (place, verdict) in try await look(at: open, brief, in: context) { findings.verdicts[place] = verdict }
            let survivors = set.filter { !findings.isLost($0) }
            let candidates = refill.all.map(\.place).filter { !findings.isLost($0) && !survivors.contains($0) }
            (set, relaxations) = refill.complete(survivors, from: candidates)
            if set.allSatisfy({ findings.verdicts[$0] != nil }) { break }
            guard findings.verdicts.count < parameters[Self.tries] else {
                set = set.filter { findings.verdicts[$0] != nil }
                break
            }
            wanted = refill.all.filter { set.contains($0.place) }
        }
        for place in set where findings.verdicts[place]?.isUnknown == true {
            context.note(
                "availability_unknown",
                "candidate \(refill.all[place].ranked.item.itemID) could not be checked",
                degrades: false
            )
        }
        return refill.result(set, findings, relaxations: selection.relaxations + relaxations)
    }

    /// Looks at several offers at once; no look can keep the others waiting past its patience.
    private func look(
        at entries: [Refill.Entry],
        _ brief: Brief,
        in context: StageContext
    ) async throws(StageFailure) -> [(Int, AvailabilityVerdict)] {
        let checker = ports.checker
        let patience = Duration.milliseconds(Int64(parameters[Self.patience] * 1_000))
        let answers = await withTaskGroup(of: (Int, Result<AvailabilityProbe, StageFailure>).self) { group in
            for entry in entries {
                let candidate = entry.ranked.item.candidate
                group.addTask {
                    do throws(StageFailure) {
                        // The limit lies inside the effect, so that running out of it is recorded like any other answer.
                        let probe = try await context.effects.perform(
                            .availabilityProbe,
                            key: .array([.string(candidate.id.text), .string(candidate.url)]),
                            codec: .probe
                        ) { () async throws(StageFailure) in
                            try await context.deadlines.run(within: patience) {
                                do throws(StageFailure) {
                                    return Result<AvailabilityProbe, StageFailure>.success(
                                        try await checker.probe(candidate)
                                    )
                                } catch {
                                    return Result<AvailabilityProbe, StageFailure>.failure(error)
                                }
                            }.flatMap { $0 }.get()
                        }
                        return (entry.place, .success(probe))
                    } catch {
                        return (entry.place, .failure(error))
                    }
                }
            }
            var answers: [(Int, Result<AvailabilityProbe, StageFailure>)] = []
            for await answer in group { answers.append(answer) }
            return answers
        }
        var verdicts: [(Int, AvailabilityVerdict)] = []
        for (place, answer) in answers.sorted(by: { $0.0 < $1.0 }) {
            if case .failure(let failure) = answer, failure.failureClass == .data || failure.failureClass == .stage {
                throw failure
            }
            let offer = entries.first { $0.place == place }?.ranked.item
            if let offer { verdicts.append((place, AvailabilityVerdict(answer, for: offer, brief))) }
        }
        return verdicts
    }
}
