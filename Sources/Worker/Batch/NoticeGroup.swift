import Delivery
import Digest
import KnotDomain
import Scheduling

/// Reminders of one vault that are told of in one notice.
struct NoticeGroup: Sendable {
    /// One of this worker's jobs with what is stored of it, ready to be told of.
    struct Member: Sendable {
        let job: ClaimedReminder
        let due: DueReminder
        let person: RemindedPerson
        let set: StoredTrio
    }

    let id: NoticeID
    /// False where the queue has noted it before: it is handed over again, under the same name.
    let isNew: Bool
    let members: [Member]

    /// Groups what is ready: what was told of in one notice stays together, and what is new of a vault comes together.
    ///
    /// Who gets a name twice reads the notice once. So what goes without a reminder that was told of with it, or would bear
    /// a name that is another notice's, has a name of its own, and what is left is told under the name that it had.
    static func groups(of members: [Member]) -> [NoticeGroup] {
        var known: [NoticeID: [Member]] = [:]
        var new: [VaultID: [Member]] = [:]
        for member in members {
            if let notice = member.due.notice {
                known[notice, default: []].append(member)
            } else {
                new[member.job.vault, default: []].append(member)
            }
        }
        var groups = known.map { notice, members in
            let members = ordered(members)
            let isTorn = members.contains(where: \.due.isTorn)
            return NoticeGroup(id: isTorn ? ownName(of: members) : notice, isNew: isTorn, members: members)
        }
        for members in new.values.map(ordered) {
            // A reminder without a notification is not wanted, and never comes here.
            guard members.contains(where: { $0.job.notification != nil }) else { continue }
            let free = members.lazy.filter { !$0.due.isNameTaken }.compactMap(\.job.notification).first
            let name = free.map { NoticeID($0.description) } ?? ownName(of: members)
            groups.append(NoticeGroup(id: name, isNew: true, members: members))
        }
        return groups.sorted { $0.id.description < $1.id.description }
    }

    /// That of a notice of just these reminders, whenever it is made.
    private static func ownName(of members: [Member]) -> NoticeID {
        let jobs = members.map(\.job.id.description).sorted().joined(separator: "|")
        var digits = Array(SHA256Digest(of: "notice|\(jobs)").hex.prefix(32))
        // A UUID of version 8 and the variant that all have.
        (digits[12], digits[16]) = ("8", "8")
        let parts = [digits[..<8], digits[8..<12], digits[12..<16], digits[16..<20], digits[20...]]
        return NoticeID(parts.map { String($0) }.joined(separator: "-"))
    }

    /// All of one vault.
    private static func ordered(_ members: [Member]) -> [Member] {
        members.first.map { $0.person.subject.inOrder(members, by: \.job.key) } ?? []
    }

    var claims: [JobClaim] { members.map(\.job.claim) }

    /// The others that were told of in it before, as far as their days still stand.
    private func companions(_ policy: ReminderPolicy, _ today: CivilDate) -> [DueReminder.Companion] {
        guard !isNew, let first = members.first else { return [] }
        let own = Set(members.map(\.job.id))
        return first.due.companions.filter { companion in
            guard !own.contains(companion.job), companion.key.occurrence > today,
                let milestone = first.person.subject.milestones.first(where: { $0.id == companion.key.milestone })
            else { return false }
            let next = MilestoneCalendar.occurrence(
                of: milestone,
                onOrAfter: today,
                country: first.person.subject.country,
                leapDay: policy.leapDay
            )
            return next.date == companion.key.occurrence
        }
    }

    /// What is told, and what ends with it; nil where nothing is there to tell.
    func notice(at now: Instant, _ policy: ReminderPolicy) -> (notice: Notice, told: [ToldReminder])? {
        guard let person = members.first?.person else { return nil }
        let zone = person.subject.zone.rules
        let today = zone.localDate(at: now)
        let companions = companions(policy, today)
        let parts =
            members.map { (key: $0.job.key, set: $0.set) } + companions.map { (key: $0.key, set: $0.set) }
        let ordered = person.subject.inOrder(parts, by: \.key)
        guard let nearest = ordered.first else { return nil }
        let names = Dictionary(person.subject.milestones.map { ($0.id, $0.name) }) { first, _ in first }
        let notice = Notice(
            id: id,
            user: person.user,
            vault: person.subject.vault,
            partner: person.partnerName,
            today: today,
            occasions: ordered.map { part in
                Notice.Occasion(
                    milestone: part.key.milestone,
                    name: names[part.key.milestone] ?? "",
                    day: part.key.occurrence,
                    daysBefore: part.key.daysBefore,
                    run: part.set.run
                )
            },
            choices: nearest.set.choices,
            device: person.device,
            expires: Self.begin(of: nearest.key.occurrence, zone),
            isRepeated: !isNew
        )
        let told =
            members.map { ToldReminder(job: $0.job.id, claim: $0.job.claim, run: $0.set.run) }
            + companions.map { ToldReminder(job: $0.job, claim: nil, run: $0.set.run) }
        return (notice, told)
    }

    /// The first moment of a day, where the person is.
    private static func begin(of day: CivilDate, _ zone: ZoneRules) -> Instant {
        LocalDateTime(date: day, hour: 0, minute: 0).map(zone.instant(of:))
            ?? Instant(millisecondsSinceEpoch: Int64(day.daysSinceEpoch) * 86_400_000)
    }
}
