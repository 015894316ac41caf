import FileInput
import KnotDomain
import Scheduling

/// Plans random milestones and prints them with what was planned, a tab-separated line each, for a program of another
/// language to work out again: `knot-calendar-bench COUNT SEED`.
@main
struct CalendarCandidate {
    private static let names: [(name: String, kind: Milestone.Kind)] = [
        ("Birthday", .birthday), ("Wedding day", .anniversary), ("Mother's Day", .holiday), ("Father's Day", .holiday),
        ("Easter", .holiday), ("Orthodox Easter", .holiday), ("Thanksgiving", .holiday), ("First trip", .custom),
    ]
    private static let countries = ["US", "GB", "CA", "FR", "NO", "DE", "AU", "GR", "MX"]

    static func main() throws {
        let words = CommandLine.arguments
        guard words.count == 3, let count = Int(words[1]), let seed = UInt64(words[2]) else {
            print("usage: knot-calendar-bench COUNT SEED")
            return
        }
        let directory = ZoneCache()
        let index = String(decoding: try FileContents.read("/usr/share/zoneinfo/tzdata.zi"), as: UTF8.self)
        let zones = index.split(separator: "\n").compactMap { line -> String? in
            let words = line.split(separator: " ")
            guard let letter = words.first, letter == "Z" || letter == "L" else { return nil }
            let name = String(letter == "Z" ? words[1] : words[2])
            return directory.rules(named: name) == nil ? nil : name
        }
        var random = Random(state: seed)
        for number in 0..<count { print(line(number, zones, directory, &random)) }
    }

    private static func line(
        _ number: Int,
        _ zones: [String],
        _ directory: ZoneCache,
        _ random: inout Random
    ) -> String {
        let named = names[Int.random(in: names.indices, using: &random)]
        let country = countries[Int.random(in: countries.indices, using: &random)]
        let zone = zones[Int.random(in: zones.indices, using: &random)]
        let leapDay = LeapDayPolicy.allCases[Int.random(in: 0..<3, using: &random)]
        let second = Int.random(in: 31_536_000..<4_070_908_800, using: &random)
        let now = Instant(millisecondsSinceEpoch: Int64(second) * 1_000)
        let start = Int.random(in: 0..<24, using: &random)
        let quiet = QuietHours(start: start, end: (start + Int.random(in: 0...14, using: &random)) % 24) ?? .none
        // Every eighth day is one around the end of February.
        var ordinal = Int.random(in: 0..<366, using: &random)
        if Int.random(in: 0..<8, using: &random) == 0 { ordinal = Int.random(in: 58...61, using: &random) }
        let isOnce = named.kind == .custom && Bool.random(using: &random)
        let stored =
            isOnce
            ? CivilDate(daysSinceEpoch: second / 86_400 + Int.random(in: 2...50, using: &random))
            : CivilDate(daysSinceEpoch: 10_957 + ordinal)
        let milestone = Milestone(
            id: MilestoneID("m"),
            kind: named.kind,
            name: named.name,
            date: stored,
            recurrence: isOnce ? .oneTime : .yearly,
            tier: .minorOccasion
        )
        let subject = ReminderSubject(
            vault: VaultID("v\(number)"),
            milestones: [milestone],
            country: country,
            zone: ReminderZone(named: zone, in: directory),
            quiet: quiet
        )
        let plan = ReminderPlanner(policy: ReminderPolicy(leapDay: leapDay)).plan(for: subject, at: now)
        let decisions = plan.decisions.map { decision in
            "\(decision.key.occurrence),\(decision.key.daysBefore),\(word(decision.outcome))"
        }
        let fields = [
            "v\(number)", named.name, "\(stored)", isOnce ? "once" : "yearly", country, zone, leapDay.rawValue,
            "\(quiet.start)", "\(quiet.end)", "\(second)", decisions.joined(separator: ";"),
        ]
        return fields.joined(separator: "\t")
    }

    private static func word(_ outcome: ReminderDecision.Outcome) -> String {
        switch outcome {
        case .plan(let moment, .onItsDay): "day,\(moment.secondsSinceEpoch)"
        case .plan(let moment, .laterThan): "later,\(moment.secondsSinceEpoch)"
        case .plan(let moment, .late): "late,\(moment.secondsSinceEpoch)"
        case .skip(.neverAllowed): "never,0"
        case .skip(.noTimeLeft): "over,0"
        case .skip(.dayHasCome): "here,0"
        case .skip(.standsIn): "standsin,0"
        case .skip(.nextIsNear): "near,0"
        default: "other,0"
        }
    }
}

/// SplitMix64: the same numbers for the same seed, everywhere.
private struct Random: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }
}
