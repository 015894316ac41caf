import Delivery
import KnotDomain
import Scheduling

/// Reminders of one vault that are told of in one notice, and what that says.
struct NoticeGroup: Sendable {
    /// One of this worker's jobs with what is stored of it, ready to be told of.
    struct Member: Sendable {
        let job: ClaimedReminder
        let due: DueReminder
        let person: RemindedPerson
        let set: StoredTrio
    }

    let notice: Notice
    /// False where the queue has noted it before: it is handed over again, and says the same.
    let isNew: Bool
    let members: [Member]
    /// The reminders that end with it.
    let told: [ToldReminder]

    var id: NoticeID { notice.id }
    var claims: [JobClaim] { members.map(\.job.claim) }

    /// Groups what is ready: what was told of in one notice stays together, and what is new of a vault comes together.
    ///
    /// A receiver reads only the first notice of each name, so a name stands for one content: a second try sends what the first
    /// one sent, whatever was edited since. If the days or the choices are others by now, the notice gets a new name.
    static func groups(of members: [Member], at now: Instant, _ policy: ReminderPolicy) -> [NoticeGroup] {
        var known: [NoticeID: [Member]] = [:]
        var new: [VaultID: [Member]] = [:]
        for member in members {
            if let notice = member.due.notice {
                known[notice, default: []].append(member)
            } else {
                new[member.job.vault, default: []].append(member)
            }
        }
        var groups = known.compactMap { name, members in
            let draft = NoticeDraft(of: members, with: companions(of: members, at: now, policy), at: now)
            // A program that wrote no contents down may have begun it.
            guard let said = members.first?.due.contents[name] else { return draft?.group(named: name, isNew: true) }
            return draft?.group(saying: said) ?? NoticeDraft(of: members, at: now)?.groupOfItsOwn()
        }
        for members in new.values {
            // A reminder without a notification is not wanted, and never comes here.
            guard members.contains(where: { $0.job.notification != nil }) else { continue }
            if let group = NoticeDraft(of: members, at: now)?.newGroup() { groups.append(group) }
        }
        return groups.sorted { $0.id.description < $1.id.description }
    }

    /// The others that were told of in a notice before, as far as their days still stand.
    private static func companions(
        of members: [Member],
        at now: Instant,
        _ policy: ReminderPolicy
    ) -> [DueReminder.Companion] {
        guard let first = members.first else { return [] }
        let subject = first.person.subject
        let today = subject.zone.rules.localDate(at: now)
        let own = Set(members.map(\.job.id))
        return first.due.companions.filter { companion in
            guard !own.contains(companion.job), companion.key.occurrence > today,
                let milestone = subject.milestones.first(where: { $0.id == companion.key.milestone })
            else { return false }
            let next = MilestoneCalendar.occurrence(
                of: milestone,
                onOrAfter: today,
                country: subject.country,
                leapDay: policy.leapDay
            )
            return next.date == companion.key.occurrence
        }
    }
}
