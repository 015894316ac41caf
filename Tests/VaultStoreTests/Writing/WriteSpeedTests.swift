import Foundation
import InventedSets
import KnotDomain
import Recommendation
import TestSupport
import Testing

@testable import VaultStore

/// Not a proof but a figure: how long a write takes, told when asked for.
@Suite("The time of a write", .tags(.database)) struct WriteSpeedTests {
    private static let isAsked = ProcessInfo.processInfo.environment["KNOT_MEASURE"] != nil

    @Test(.enabled(if: isAsked, "set KNOT_MEASURE to measure"))
    func `a set is written within five milliseconds`() async throws {
        try await withDatabase(.eighteen, .migrated) { database in
            let world = try await StoredWorld.make(database)
            let store = ChoiceStore(try world.pool(limit: 1))
            var times: [Duration] = []
            // Whoever marks a hint writes its row anew, and may have to enter it into the index of embeddings again.
            try await database.run(
                """
                update public.hints set hint_embedding =
                    (select array_agg(random() - 0.5 + g * 0) from generate_series(1, 768) g)::vector
                """
            )
            for number in 1...400 {
                let record = try world.record("r\(number)")
                try await database.run("update public.hints set is_used = false")
                let begin = ContinuousClock.now
                _ = try await store.store(record, until: LastResort.end)
                times.append(ContinuousClock.now - begin)
            }
            times.sort()
            print("write: median \(times[200]), 99th percentile \(times[396])")
            #expect(times[200] < .milliseconds(5))
        }
    }
}
