import FileInput
import KnotDomain
import Scheduling
import TestSupport
import Testing

/// Small words for the tests of the calendar: days, moments, milestones, zones and people.
enum PlanScene {
    static let directory = ZoneCache()

    static func day(_ text: String, at location: SourceLocation = #_sourceLocation) throws -> CivilDate {
        try #require(CivilDate(iso8601: text), sourceLocation: location)
    }

    static func moment(_ text: String, at location: SourceLocation = #_sourceLocation) throws -> Instant {
        try #require(Instant(iso8601: text), sourceLocation: location)
    }

    static func zone(_ name: String, at location: SourceLocation = #_sourceLocation) throws -> ReminderZone {
        ReminderZone(name: name, rules: try #require(directory.rules(named: name), sourceLocation: location))
    }

    /// A zone of a closing rule alone, such as `PST8PDT,M3.2.0,M11.1.0`.
    static func zone(rule: String) throws -> ReminderZone {
        let counts: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 4]
        let head = Array("TZif2".utf8) + [UInt8](repeating: 0, count: 15) + counts
        let type: [UInt8] = [0, 0, 0, 0, 0, 0] + Array("UTC\0".utf8)
        return ReminderZone(
            name: rule,
            rules: try ZoneRules(tzif: head + type + head + type + Array("\n\(rule)\n".utf8))
        )
    }

    static func milestone(
        _ name: String = "Birthday",
        _ date: String,
        kind: Milestone.Kind = .birthday,
        recurrence: Milestone.Recurrence = .yearly,
        tier: OccasionTier = .majorMilestone,
        id: String? = nil
    ) throws -> Milestone {
        Milestone(
            id: MilestoneID(id ?? name),
            kind: kind,
            name: name,
            date: try day(date),
            recurrence: recurrence,
            tier: tier
        )
    }

    static func subject(
        _ milestones: [Milestone],
        zone: ReminderZone,
        vault: String = "vault",
        country: String? = "US",
        quiet: QuietHours = .standard,
        isEnabled: Bool = true
    ) -> ReminderSubject {
        ReminderSubject(
            vault: VaultID(vault),
            milestones: milestones,
            country: country,
            zone: zone,
            quiet: quiet,
            isEnabled: isEnabled
        )
    }

    /// Every zone of this machine by name, those with the same rules once.
    static func everyZone() throws -> [ReminderZone] {
        let index = String(decoding: try FileContents.read("/usr/share/zoneinfo/tzdata.zi"), as: UTF8.self)
        var seen: Set<ZoneRules> = []
        return index.split(separator: "\n").compactMap { line in
            let words = line.split(separator: " ")
            let name =
                switch words.first {
                case "Z": words.dropFirst().first
                case "L": words.last
                default: nil as Substring?
                }
            guard let name, let rules = directory.rules(named: String(name)), seen.insert(rules).inserted else {
                return nil
            }
            return ReminderZone(name: String(name), rules: rules)
        }
    }
}
