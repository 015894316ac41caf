import Delivery
import Digest
import KnotDomain
import Scheduling

/// The content of a notice for reminders of one vault, made from the rows as they are now and without a name.
struct NoticeDraft {
    private typealias Part = (key: ReminderKey, set: StoredTrio)

    /// The nearest day first.
    private let members: [NoticeGroup.Member]
    private let companions: [DueReminder.Companion]
    private let parts: [Part]
    private let person: RemindedPerson
    private let now: Instant

    /// Returns `nil` if there are no members.
    init?(of members: [NoticeGroup.Member], with companions: [DueReminder.Companion] = [], at now: Instant) {
        guard let person = members.first?.person else { return nil }
        self.members = person.subject.inOrder(members, by: \.job.key)
        self.companions = companions
        self.person = person
        self.now = now
        let parts = members.map { ($0.job.key, $0.set) } + companions.map { ($0.key, $0.set) }
        self.parts = person.subject.inOrder(parts, by: \.0)
    }

    // MARK: Under a name

    func group(named name: NoticeID, isNew: Bool) -> NoticeGroup { group(notice(name), isNew: isNew) }

    /// Returns the notice as it was first handed over, or `nil` if that had other days or other choices.
    func group(saying text: String) -> NoticeGroup? {
        guard let notice = Notice(repeating: text, device: person.device) else { return nil }
        let told = Set(notice.occasions.map { Self.mark($0.milestone, $0.day, $0.daysBefore, $0.run) })
        let nearest = parts.first { $0.key.milestone == notice.occasions.first?.milestone }
        guard told == Set(parts.map { Self.mark($0.key.milestone, $0.key.occurrence, $0.key.daysBefore, $0.set.run) }),
            notice.choices.map(\.id) == nearest?.set.choices.map(\.id)
        else { return nil }
        return group(notice, isNew: false)
    }

    /// Returns a new notice, named after one of its notifications unless that name stands for another content.
    func newGroup() -> NoticeGroup {
        for member in members where !member.due.isNameTaken {
            guard let notification = member.job.notification else { continue }
            let notice = notice(NoticeID(notification.description))
            let said = member.due.contents[notice.id]
            if said == nil { return group(notice, isNew: true) }
            // `jobs retry` may have taken its jobs out of the notice, so it is noted again.
            if said == notice.document { return group(self.notice(notice.id, isRepeated: true), isNew: true) }
        }
        return groupOfItsOwn()
    }

    /// Returns the notice under a name derived from its reminders and its content.
    func groupOfItsOwn() -> NoticeGroup {
        let jobs = members.map(\.job.id.description).sorted().joined(separator: "|")
        let content = notice(NoticeID("")).document
        var digits = Array(SHA256Digest(of: "notice|\(jobs)|\(content)").hex.prefix(32))
        // A UUID of version 8 and the variant that all have.
        (digits[12], digits[16]) = ("8", "8")
        let parts = [digits[..<8], digits[8..<12], digits[12..<16], digits[16..<20], digits[20...]]
        return group(named: NoticeID(parts.map { String($0) }.joined(separator: "-")), isNew: true)
    }

    private func group(_ notice: Notice, isNew: Bool) -> NoticeGroup {
        NoticeGroup(
            notice: notice,
            isNew: isNew,
            members: members,
            told: members.map { ToldReminder(job: $0.job.id, claim: $0.job.claim, run: $0.set.run) }
                + companions.map { ToldReminder(job: $0.job, claim: nil, run: $0.set.run) }
        )
    }

    // MARK: Words

    private static func mark(_ milestone: MilestoneID, _ day: CivilDate, _ daysBefore: Int, _ run: String) -> String {
        "\(milestone)|\(day)|\(daysBefore)|\(run)"
    }

    private func notice(_ name: NoticeID, isRepeated: Bool = false) -> Notice {
        let zone = person.subject.zone.rules
        let names = Dictionary(person.subject.milestones.map { ($0.id, $0.name) }) { first, _ in first }
        return Notice(
            id: name,
            user: person.user,
            vault: person.subject.vault,
            partner: person.partnerName,
            today: zone.localDate(at: now),
            occasions: parts.map { part in
                Notice.Occasion(
                    milestone: part.key.milestone,
                    name: names[part.key.milestone] ?? "",
                    day: part.key.occurrence,
                    daysBefore: part.key.daysBefore,
                    run: part.set.run
                )
            },
            choices: parts.first?.set.choices ?? [],
            device: person.device,
            expires: Self.begin(of: parts.first?.key.occurrence ?? zone.localDate(at: now), zone),
            isRepeated: isRepeated
        )
    }

    /// The first moment of a day, where the person is.
    private static func begin(of day: CivilDate, _ zone: ZoneRules) -> Instant {
        LocalDateTime(date: day, hour: 0, minute: 0).map(zone.instant(of:))
            ?? Instant(millisecondsSinceEpoch: Int64(day.daysSinceEpoch) * 86_400_000)
    }
}
