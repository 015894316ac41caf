import Fixtures
import KnotDomain
import TestSupport
import Testing
import Threads

@testable import Recommendation
@testable import StageGraph

/// A set after one of its cards turned out to be gone.
@Suite struct ChosenAgainTests {
    private static let palette = OfferPalette.shared

    /// Pages of which some say that the offer is sold out.
    private struct Pages: AvailabilityChecker {
        let gone: Set<CandidateID>

        func probe(_ candidate: Candidate) async throws(StageFailure) -> AvailabilityProbe {
            let isGone = gone.contains(candidate.id)
            return AvailabilityProbe(status: 200, signal: isGone ? .outOfStock : .inStock, price: .notLooked)
        }
    }

    private static func check(
        _ selection: Selection<Offer>,
        _ parameters: ParameterValues,
        gone: Set<CandidateID>
    ) async throws -> CheckedSelection<Offer> {
        var ports = Scene().ports()
        ports.checker = Pages(gone: gone)
        let inputs = StageInputs(["brief": [StageInputs.Arrival(node: "brief", value: palette.brief)]])
        let context = StageContext(alone: "check", deadlines: DeadlineScheduler(executor: StageExecutor(threads: 1)))
        return try await CheckAvailability(parameters, ports: ports).check(selection, inputs, in: context)
    }

    /// So many of the set are gone, then as many of the set that takes its place.
    @Test(arguments: 0..<8, 1...3) func `is chosen as if what is gone had never been there`(
        batch: UInt64,
        lost: Int
    ) async throws {
        for seed in (batch * 50)..<(batch * 50 + 50) {
            var generator = SeededGenerator(seed: seed)
            let parameters = ParameterValues.exact(strength: seed % 3 == 0 ? 0.5 : 0.08)
            let selector = SelectExact(parameters)
            var pool = Self.palette.pool(4 + Int(generator.next() % 24), &generator, coarse: seed % 4 == 0)
            let first = try await Self.palette.select(selector, from: pool)
            var gone: Set<CandidateID> = []
            var wanted = first
            for _ in 0..<lost {
                guard let place = wanted.selected.indices.randomElement(using: &generator) else { break }
                gone.insert(wanted.selected[place].item.candidate.id)
                pool.removeAll { gone.contains($0.item.candidate.id) }
                wanted = try await Self.palette.select(selector, from: pool)
            }
            let checked = try await Self.check(first, parameters, gone: gone)
            func ids(_ entries: [Ranked<Offer>]) -> [String] { entries.map(\.item.candidate.id.text) }
            #expect(ids(checked.standing.map(\.ranked)) == ids(wanted.selected), "seed \(seed)")
            #expect(checked.relaxations.map(\.rule) == wanted.relaxations.map(\.rule), "seed \(seed)")
        }
    }
}
