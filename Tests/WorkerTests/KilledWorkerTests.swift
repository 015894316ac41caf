import Foundation
import TestSupport
import Testing
import WorkerScene

/// Workers in processes of their own that are killed at every point of their work.
@Suite(.tags(.database), .serialized) struct KilledWorkerTests {
    /// Every point twice here, many times in a soak.
    private static let kills =
        ProcessInfo.processInfo.environment["KNOT_WORKER_KILLS"].flatMap { Int($0) } ?? 2 * WorkerPoint.allCases.count
    private static let seed = ProcessInfo.processInfo.environment["KNOT_WORKER_SEED"].flatMap { UInt64($0) } ?? 17
    /// Killed side by side, so that they also race.
    private static let atOnce = 4

    @Test func `whatever is killed, each reminder ends with one set and one notice, the very ones of a quiet night`()
        async throws
    {
        let quiet = try await WorkerNight.quiet()
        #expect(quiet.wrong.isEmpty && quiet.notices.count == WorkerNight.people)
        var kills: [String: Int] = [:]
        var seed = Self.seed
        // Every point is to be met twice, and more often where the kills are many; a night that is played again is one.
        let least = Self.kills < 2 * WorkerPoint.allCases.count ? 0 : max(2, Self.kills / 40)
        // Chance meets some points seldom: the nights go on for them, and ten times as many kills are enough.
        while kills.values.reduce(0, +) < Self.kills
            || !Self.rare(kills, least).isEmpty && kills.values.reduce(0, +) < 10 * Self.kills
        {
            let night = try await WorkerNight.of { database, outbox in
                var deck = PointDeck(seed: seed)
                var killed = 0
                var rounds = 0
                while rounds < 40, try await WorkerNight.open(database) > 0 {
                    rounds += 1
                    for point in try await Self.round((0..<Self.atOnce).map { _ in deck.draw() }, database, outbox) {
                        kills[point, default: 0] += 1
                        killed += 1
                    }
                }
                return killed
            }
            let wrong = night.differences(from: quiet) + (night.faults == 0 ? ["nobody was killed"] : [])
            #expect(
                wrong.isEmpty,
                """
                seed \(seed), which KNOT_WORKER_SEED=\(seed) KNOT_WORKER_KILLS=1 plays again: \
                \(wrong.joined(separator: "; "))
                """
            )
            seed += 1
        }
        print(
            "workers killed:",
            kills.values.reduce(0, +),
            kills.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
        )
        #expect(Self.rare(kills, least).isEmpty, "asked of each: \(least)")
    }

    @Test func `a worker that stood still for longer than its lease wakes up and writes nothing that another has done`()
        async throws
    {
        let night = try await WorkerNight.of { database, outbox in
            let sleeper = try await WorkerProbeProcess.start(database, outbox, point: "none", lease: 1)
            while try await WorkerNight.count(database, "recommendation_jobs where state = 'running'") == 0 {
                try await ContinuousClock().sleep(for: .milliseconds(5))
            }
            sleeper.signal(SIGSTOP)
            let held = try await WorkerNight.count(database, "recommendation_jobs where state = 'running'")
            #expect(held > 0)
            try await ContinuousClock().sleep(for: .milliseconds(1_200))
            try await WorkerNight.recover(database)
            let other = try await WorkerProbeProcess.start(database, outbox, point: "none").ending()
            #expect(other.code == 0, "\(other.output)")
            let before = try await Self.ended(database)
            #expect(!before.isEmpty)
            sleeper.signal(SIGCONT)
            let ending = await sleeper.ending()
            #expect(ending.code == 0, "\(ending.output)")
            // What it had open when it was stopped may have kept others from a job, which it may end then.
            #expect(Set(before).subtracting(try await Self.ended(database)) == [])
            return 0
        }
        #expect(night.wrong.isEmpty, "\(night.wrong.joined(separator: "; "))")
        #expect(night.notices.count == WorkerNight.people)
    }

    /// Every job that has ended, with its notification.
    private static func ended(_ database: TestDatabase) async throws -> [String] {
        try await database.run(
            """
            select j::text || n::text from public.recommendation_jobs j
            join public.notification_queue n on n.id = j.notification_id where j.state = 'completed'
            """
        ).compactMap { $0[0] }
    }

    /// The points that were met less often than that.
    private static func rare(_ kills: [String: Int], _ least: Int) -> [String] {
        WorkerPoint.allCases.map(\.rawValue).filter { kills[$0, default: 0] < least }
    }

    /// Starts workers that die at these points, and returns those at which one did.
    private static func round(_ points: [String], _ database: TestDatabase, _ outbox: URL) async throws -> [String] {
        var probes: [WorkerProbeProcess] = []
        for point in points {
            probes.append(try await WorkerProbeProcess.start(database, outbox, point: point, lease: 1))
        }
        var met: [String] = []
        for (probe, point) in zip(probes, points) {
            let ending = await probe.ending()
            if ending.isKilled {
                met.append(String(point.prefix { $0 != ":" }))
            } else {
                #expect(ending.code == 0, "\(point): \(ending.output)")
            }
        }
        try await WorkerNight.recover(database)
        return met
    }
}

/// Where the workers of a night die: every point in turn, in an order of the seed's, and moments that are none.
///
/// First come the points of making sets, which a night is soon over with.
private struct PointDeck {
    private static let making: [WorkerPoint] = [.beforeVault, .beforeRun, .beforeSave, .afterSave]

    private var random: SeededRandom
    private var cards: [WorkerPoint?] = []

    init(seed: UInt64) { random = SeededRandom(seed: seed) }

    mutating func draw() -> String {
        if cards.isEmpty {
            let later = WorkerPoint.allCases.filter { !Self.making.contains($0) }
            cards = (later + [nil, nil]).shuffled(using: &random) + Self.making.shuffled(using: &random)
        }
        guard let point = cards.removeLast() else {
            return "after:\(Int.random(in: 20_000...400_000, using: &random))"
        }
        // A stop comes at any of the first points.
        return "\(point.rawValue):\(Int.random(in: 1...(point.isOfStopping ? 30 : 2), using: &random))"
    }
}
