import JSONDocument
import KnotDomain
import StageGraph

/// Looks at offers, several at once, until the time for all looks together is over.
struct AvailabilityLooks: Sendable {
    /// What an offer is answered with for which there was no time any more.
    private static let timeOver = "looks_over"

    private let checker: any AvailabilityChecker
    private let brief: Brief
    private let context: StageContext
    private let patience: Duration
    /// On the call's own clock, which only counts down.
    private let end: Duration

    init(_ parameters: ParameterValues, checker: any AvailabilityChecker, _ brief: Brief, _ context: StageContext) {
        self.checker = checker
        self.brief = brief
        self.context = context
        patience = .milliseconds(Int64(parameters[CheckAvailability.patience] * 1_000))
        // A tenth is kept, so that the node has its answer before its own time is over.
        let left = context.timeLeft
        end = left - min(.milliseconds(Int64(parameters[CheckAvailability.time] * 1_000)), left * 0.9)
    }

    /// The verdicts on those there was time for, in the order of their places.
    func look(
        at entries: [SetCompletion.Entry]
    ) async throws(StageFailure) -> (verdicts: [(Int, AvailabilityVerdict)], isOver: Bool) {
        checker.expects(entries.map(\.ranked.item.candidate))
        let answers = await withTaskGroup(of: (Int, Result<AvailabilityProbe, StageFailure>).self) { group in
            for (number, entry) in entries.enumerated() {
                let candidate = entry.ranked.item.candidate
                group.addTask {
                    let answer = await answer(on: candidate)
                    return (number, answer)
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        var verdicts: [(Int, AvailabilityVerdict)] = []
        var isOver = false
        for (number, answer) in answers.sorted(by: { $0.0 < $1.0 }) {
            if case .failure(let failure) = answer {
                if failure.failureClass == .data || failure.failureClass == .stage { throw failure }
                if failure.code == Self.timeOver {
                    isOver = true
                    continue
                }
            }
            let entry = entries[number]
            verdicts.append((entry.place, AvailabilityVerdict(answer, for: entry.ranked.item, brief)))
        }
        return (verdicts, isOver)
    }

    /// An answer of its own before the pair is made: the optimizer of Swift 6.3 writes over the pair's number while it waits.
    private func answer(on candidate: Candidate) async -> Result<AvailabilityProbe, StageFailure> {
        do throws(StageFailure) {
            return .success(try await probe(candidate))
        } catch {
            return .failure(error)
        }
    }

    /// The limits lie inside the effect, so that running out of time is recorded like any other answer.
    private func probe(_ candidate: Candidate) async throws(StageFailure) -> AvailabilityProbe {
        try await context.effects.perform(
            .availabilityProbe,
            key: .array([.string(candidate.id.text), .string(candidate.url)]),
            codec: .probe
        ) { () async throws(StageFailure) in
            let checker = checker
            let left = context.timeLeft - end
            guard left > .zero else {
                let failure = StageFailure(.platform, code: Self.timeOver, "the time for all looks is over")
                checker.gaveUp(on: candidate, failure)
                throw failure
            }
            let looked = await context.deadlines.run(within: min(patience, left)) {
                do throws(StageFailure) {
                    return Result<AvailabilityProbe, StageFailure>.success(try await checker.probe(candidate))
                } catch {
                    return Result<AvailabilityProbe, StageFailure>.failure(error)
                }
            }
            if case .failure(let failure) = looked { checker.gaveUp(on: candidate, failure) }
            return try looked.flatMap { $0 }.get()
        }
    }
}
