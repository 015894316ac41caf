import KnotDomain
import Scheduling
import Testing

@Suite("The last look before a reminder goes out")
struct SendDecisionTests {
    private func decide(
        at now: String,
        zone: String = "America/New_York",
        quiet: QuietHours = .standard,
        daysBefore: Int = 3,
        isEnabled: Bool = true,
        vault: String = "vault",
        planned: String = "2026-05-01T14:00:00Z"
    ) throws -> SendDecision {
        let key = ReminderKey(
            milestone: MilestoneID("m"),
            occurrence: try PlanScene.day("2026-05-16"),
            daysBefore: daysBefore
        )
        let allowed = AllowedTime(zone: try PlanScene.zone(zone).rules, window: .daytime, quiet: quiet)
        return SendDecision(
            for: key,
            of: VaultID(vault),
            plannedFor: try PlanScene.moment(planned),
            at: try PlanScene.moment(now),
            in: allowed,
            isEnabled: isEnabled
        )
    }

    /// The moments between which something waits that is decided about then.
    private func waits(
        at now: String,
        from first: String,
        to last: String,
        zone: String = "America/New_York",
        quiet: QuietHours = .standard
    ) throws -> Bool {
        guard case .wait(let until) = try decide(at: now, zone: zone, quiet: quiet) else { return false }
        return try (PlanScene.moment(first)..<PlanScene.moment(last)).contains(until)
    }

    /// Samoa had no 30 December in 2011.
    @Test func `waits for the day after one that the zone never had`() throws {
        let key = ReminderKey(
            milestone: MilestoneID("m"),
            occurrence: try PlanScene.day("2012-01-02"),
            daysBefore: 3
        )
        let zone = try PlanScene.zone("Pacific/Apia").rules
        let allowed = AllowedTime(zone: zone, window: .daytime, quiet: .standard)
        for now in ["2011-12-20T22:00:00Z", "2011-12-29T22:00:00Z"] {
            let moment = try PlanScene.moment(now)
            let decision = SendDecision(for: key, of: VaultID("v"), plannedFor: moment, at: moment, in: allowed)
            guard case .wait(let until) = decision else {
                Issue.record("\(decision) at \(now)")
                continue
            }
            #expect(try zone.localDate(at: until) == PlanScene.day("2011-12-31"))
        }
    }

    @Test func `lets nothing out when its day is here, or to who wants nothing`() throws {
        #expect(try decide(at: "2026-05-16T14:00:00Z") == .expire(.dayHasCome))
        #expect(try decide(at: "2026-05-13T14:00:00Z", isEnabled: false) == .expire(.remindersOff))
        let never = try #require(QuietHours(start: 9, end: 22))
        #expect(try decide(at: "2026-05-13T14:00:00Z", quiet: never) == .expire(.neverAllowed))
    }

    @Test func `lets nothing out on the evening before, when only the day itself is left`() throws {
        #expect(try decide(at: "2026-05-16T01:00:00Z") == .expire(.dayHasCome))
    }

    @Test func `waits through the night and through quiet hours`() throws {
        #expect(try waits(at: "2026-05-13T09:00:00Z", from: "2026-05-13T14:00:00Z", to: "2026-05-14T00:45:00Z"))
        #expect(try waits(at: "2026-05-14T01:00:00Z", from: "2026-05-14T14:00:00Z", to: "2026-05-15T00:45:00Z"))
        let nap = try #require(QuietHours(start: 13, end: 15))
        let (first, last) = ("2026-05-13T19:00:00Z", "2026-05-14T00:45:00Z")
        #expect(try waits(at: "2026-05-13T17:30:00Z", from: first, to: last, quiet: nap))
    }

    @Test func `gives all who wait for the same opening moments of their own, those that a plan gives`() throws {
        let zone = try PlanScene.zone("America/New_York")
        let allowed = AllowedTime(zone: zone.rules, window: .daytime, quiet: .standard)
        var moments: Set<Instant> = []
        for vault in (0..<200).map({ "vault \($0)" }) {
            let slot = try #require(allowed.slot(of: VaultID(vault), on: PlanScene.day("2026-05-14")))
            #expect(try decide(at: "2026-05-14T03:00:00Z", vault: vault) == .wait(until: slot))
            moments.insert(slot)
        }
        #expect(moments.count > 190)
        // Who is asked for too early keeps the minute that it was planned for.
        let planned = "2026-05-13T22:15:00Z"
        #expect(
            try decide(at: "2026-05-13T12:00:00Z", planned: planned) == .wait(until: PlanScene.moment(planned))
        )
    }

    @Test func `waits for the day of a person who moved west`() throws {
        let (first, last) = ("2026-05-13T20:00:00Z", "2026-05-14T06:45:00Z")
        #expect(try waits(at: "2026-05-13T01:00:00Z", from: first, to: last, zone: "Pacific/Honolulu"))
    }

    @Test func `sends in the window, also late`() throws {
        #expect(try decide(at: "2026-05-13T14:00:00Z") == .send)
        #expect(try decide(at: "2026-05-15T18:00:00Z") == .send)
        #expect(try decide(at: "2026-05-14T00:59:59Z") == .send)
    }
}
