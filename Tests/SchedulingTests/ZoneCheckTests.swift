import KnotDomain
import Scheduling
import Testing

@Suite("A machine's zones")
struct ZoneCheckTests {
    /// Zones by name, and no other.
    private struct SomeZones: ZoneSource {
        let zones: [String: ReminderZone]
        func rules(named name: String) -> ZoneRules? { zones[name]?.rules }
    }

    @Test func `plan in the fallback for a zone that is not known, and say so`() throws {
        let zone = ReminderZone(named: "Mars/Olympus_Mons", in: PlanScene.directory, fallback: "Europe/Berlin")
        #expect(zone.name == "Europe/Berlin")
        #expect(zone.unknownName == "Mars/Olympus_Mons")
        #expect(try #require(zone.warning).contains("Mars/Olympus_Mons"))
        #expect(ReminderZone(named: nil, in: PlanScene.directory).warning != nil)
        let bare = ReminderZone(named: "Europe/Berlin", in: SomeZones(zones: [:]), fallback: "Europe/Paris")
        #expect(bare.rules == .utc)
    }

    @Test(arguments: [
        ("Europe/Kyiv", "Europe/Kiev"), ("America/Nuuk", "America/Godthab"), ("Asia/Kolkata", "Asia/Calcutta"),
    ])
    func `know a zone by both of its names`(new: String, old: String) throws {
        let rules = try #require(PlanScene.directory.rules(named: new))
        #expect(ReminderZone(named: old, in: PlanScene.directory).rules == rules)
        #expect(ReminderZone(named: old, in: PlanScene.directory).warning == nil)
    }

    @Test func `are told to be old where they do not know a change of law`() throws {
        let old = try PlanScene.zone(rule: "PST8PDT,M3.2.0,M11.1.0")
        let new = try PlanScene.zone(rule: "<-07>7")
        func unknown(_ zone: ReminderZone?) -> [String] {
            let zones = zone.map { ["America/Vancouver": $0] } ?? [:]
            return ZoneFact.unknown(to: SomeZones(zones: zones)).map(\.zone)
        }
        #expect(unknown(old).contains("America/Vancouver"))
        #expect(unknown(nil).contains("America/Vancouver"))
        #expect(!unknown(new).contains("America/Vancouver"))
        let fact = try #require(ZoneFact.all.first { $0.zone == "America/Vancouver" })
        #expect(fact.warning.contains("2026b") && fact.warning.contains("Update tzdata"))
    }

    @Test func `are as new as their own version says`() throws {
        let version = try #require(ZoneDirectory().version)
        // Facts that a release before this one brought are known to it.
        let unknown = ZoneFact.unknown(to: ZoneDirectory()).filter { $0.release <= version }
        #expect(unknown.map(\.zone) == [])
    }
}
