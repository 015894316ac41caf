import Delivery
import KnotDomain
import Synchronization
import TestSupport
import Testing
import WorkerScene

@testable import Worker

/// A notice's name stands for one content, whatever is edited between two tries.
@Suite(.tags(.database)) struct OneContentTests {
    /// Keeps what each try says, whether it is taken or not.
    private final class Tries: Sendable {
        private let all = Mutex<[Notice]>([])

        init(of delivery: CountedDelivery) {
            delivery.meanwhile { [self] notice in all.withLock { $0.append(notice) } }
        }

        var notices: [Notice] { all.withLock { $0 } }

        /// Whether all that was told under one name says the same.
        var isOneEach: Bool {
            Dictionary(grouping: notices, by: \.id).values.allSatisfy { notices in
                Set(notices.map { "\($0.title)|\($0.body)|\($0.occasions)|\($0.choices)|\($0.expires)" }).count == 1
            }
        }
    }

    /// Two reminders of one person, the nearer one in three days, that are handed over and not taken.
    private static func withUntaken(
        _ answer: DeliveryResult = .later(code: "http_503", detail: "It is busy.", after: nil),
        _ body: (WorkerWorld, CountedDelivery, Tries) async throws -> Void
    ) async throws {
        try await WorkerWorld.with(people: 1) { world in
            try await world.sql(
                "update public.partner_milestones set milestone_date = '2000-05-12' where milestone_type = 'anniversary'"
            )
            try await world.sql(
                """
                select api.enqueue(array_agg(m.id), array_agg(date '2026-05-12'), array_agg(3), array_agg(knot.clock()))
                from public.partner_milestones m where m.milestone_type = 'anniversary'
                """
            )
            let delivery = world.delivery
            let tries = Tries(of: delivery)
            delivery.answer([answer])
            try await world.drain(delivery)
            try #require(tries.notices.map(\.occasions.count) == [2])
            try await body(world, delivery, tries)
        }
    }

    private static func tryAgain(_ world: WorkerWorld, _ delivery: CountedDelivery) async throws {
        try await world.sql(
            "update public.recommendation_jobs set run_at = knot.clock() where state in ('available', 'retryable')"
        )
        try await world.drain(delivery)
    }

    /// The queue's clock so much later.
    private static func wait(_ time: String, _ world: WorkerWorld) async throws {
        try await world.sql("update knot.start set at = at - interval '\(time)'")
    }

    @Test(arguments: [
        "update public.partner_vaults set partner_name = 'Another partner'",
        "update public.partner_milestones set milestone_name = 'Another name'",
        "update public.recommendations set title = 'Another title'",
        "update public.users set timezone = 'Europe/Lisbon'",
        "update public.partner_milestones set budget_tier = 'just_because'",
        // The next day, when one is nearer than it was.
        "update knot.start set at = at - interval '22 hours'",
    ])
    func `a notice that is handed over again is what it was, whatever was edited meanwhile`(
        edit: String
    ) async throws {
        try await Self.withUntaken { world, delivery, tries in
            try await world.sql(edit)
            try await Self.tryAgain(world, delivery)
            try #require(tries.notices.count == 2)
            #expect(tries.notices[0].id == tries.notices[1].id && tries.isOneEach)
            #expect(!tries.notices[0].isRepeated && tries.notices[1].isRepeated)
            #expect(try await world.states() == ["completed": 2])
            try await world.expectSound()
        }
    }

    @Test func `what is told of without a day that was dropped has another name, and is what that name says`()
        async throws
    {
        try await Self.withUntaken { world, delivery, tries in
            try await world.sql("delete from public.partner_milestones where milestone_type = 'anniversary'")
            delivery.answer([.later(code: "http_503", detail: "It is busy.", after: nil)])
            try await Self.tryAgain(world, delivery)
            try await world.sql("update public.partner_vaults set partner_name = 'Another partner'")
            try await Self.tryAgain(world, delivery)
            #expect(tries.notices.map(\.occasions.count) == [2, 1, 1])
            #expect(Set(tries.notices.map(\.id)).count == 2 && tries.isOneEach)
            #expect(try await world.states() == ["completed": 1])
        }
    }

    @Test(arguments: [true, false])
    func `what was refused and is put back has the name that it had only if it says the same`(
        isEdited: Bool
    ) async throws {
        try await Self.withUntaken(.refused(code: "http_422", detail: "It will not.")) { world, delivery, tries in
            try #require(try await world.states() == ["dead": 2])
            for _ in 1...2 {
                if isEdited {
                    try await world.sql("update public.partner_vaults set partner_name = partner_name || '!'")
                }
                delivery.answer([.refused(code: "http_422", detail: "It will not.")])
                try await world.sql("select api.replay(id) from public.recommendation_jobs")
                try await Self.tryAgain(world, delivery)
            }
            #expect(tries.notices.count == 3 && tries.isOneEach)
            #expect(Set(tries.notices.map(\.id)).count == (isEdited ? 3 : 1))
        }
    }

    @Test func `an outage of four hours loses nothing that is still of use`() async throws {
        try await Self.withUntaken { world, delivery, tries in
            let busy = DeliveryResult.later(code: "http_503", detail: "It is busy.", after: nil)
            for _ in 1...16 {
                try await Self.wait("15 minutes", world)
                delivery.answer([busy])
                try await Self.tryAgain(world, delivery)
            }
            #expect(try await world.states() == ["retryable": 2])
            try await Self.tryAgain(world, delivery)
            #expect(delivery.handed.values.map(\.self) == [1] && tries.isOneEach)
            #expect(Set(tries.notices.map(\.id)).count == 1)
            try await world.expectSound()
        }
    }

    @Test func `what was accepted stays accepted when its job is put aside and tried again on the next day`()
        async throws
    {
        try await Self.withUntaken { world, delivery, tries in
            // Workers died that had handed it over.
            try await world.sql(
                """
                update public.recommendation_jobs
                set state = 'running', crash_count = 2, claim_token = gen_random_uuid(), claimed_by = gen_random_uuid(),
                    lease_until = knot.clock() - interval '1 minute';
                select api.rescue(500)
                """
            )
            try #require(try await world.states() == ["dead": 2])
            try await Self.wait("22 hours", world)
            try await world.sql("select api.replay(id) from public.recommendation_jobs")
            try await Self.tryAgain(world, delivery)
            #expect(Set(tries.notices.map(\.id)).count == 1 && tries.isOneEach)
            #expect(tries.notices.last?.isRepeated == true)
            #expect(try await world.states() == ["completed": 2])
        }
    }

    /// Needs a device, as a telephone's service does.
    private struct ToTelephones: NoticeDelivery {
        let way: CountedDelivery

        var name: String { way.name }

        func refusal(of device: Notice.Device?) -> DeliveryResult? {
            device == nil ? .refused(code: "no_device", detail: "No device of this person is known.") : nil
        }

        func deliver(_ notice: Notice, until deadline: ContinuousClock.Instant) async -> DeliveryResult {
            if let refusal = refusal(of: notice.device) { return refusal }
            return await way.deliver(notice, until: deadline)
        }
    }

    @Test func `no set is made for who cannot be told of it`() async throws {
        try await WorkerWorld.with(people: 3) { world in
            try await world.sql(
                """
                update public.users set device_token = 'abc', device_platform = 'ios'
                where id = (select max(id::text)::uuid from public.users)
                """
            )
            let summary = try await world.drain(ToTelephones(way: world.delivery))
            #expect(summary.counts == [.completed: 1, .dead: 2] && summary.codes == ["no_device": 2])
            #expect(try await world.count("public.recommendation_runs") == 1)
            #expect(try await world.count("public.notification_queue where status = 'failed'") == 2)
            try await world.expectSound()
        }
    }
}
