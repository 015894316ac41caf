package import Delivery
package import KnotDomain
package import Scheduling

/// What is stored of claimed jobs, at one moment.
package struct DueReminders: Sendable {
    /// The queue's clock when it looked: no worker's own decides when something is sent.
    package let now: Instant
    /// By job; those that are not held any more are missing.
    package let reminders: [JobID: DueReminder]

    package init(now: Instant, reminders: [JobID: DueReminder]) {
        self.now = now
        self.reminders = reminders
    }
}

/// A claimed job with all that decides what becomes of it.
package struct DueReminder: Sendable {
    /// Whom it is for, as the rows are now; or why they cannot be used.
    package let person: Result<RemindedPerson, JobFailure>
    /// When it was planned for, whatever attempts there were.
    package let plannedFor: Instant
    /// False where somebody has ended the notification, or deleted it.
    package let isWanted: Bool
    /// The set that was stored for it by this attempt or an earlier one.
    package let set: StoredTrio?
    /// What the vault's sets of late are, in one digest: two that are alike mean that nothing was added between them.
    package let history: String
    /// The notice in which it was handed over before, perhaps.
    package let notice: NoticeID?
    /// Others were told of, or will be, in a notice that bears this one's notification as its name.
    package let isNameTaken: Bool
    /// The contents that its vault has had under the names that its notice may have.
    package let contents: [NoticeID: String]
    /// Somebody holds another reminder of that notice, and may be handing it over right now.
    package let isToldElsewhere: Bool
    /// The other reminders of that notice, by their jobs.
    package let companions: [Companion]

    /// A reminder that shares a notice with another one.
    package struct Companion: Sendable, Hashable {
        package let job: JobID
        package let key: ReminderKey
        package let set: StoredTrio
        package init(job: JobID, key: ReminderKey, set: StoredTrio) {
            self.job = job
            self.key = key
            self.set = set
        }
    }

    package init(
        person: Result<RemindedPerson, JobFailure>,
        plannedFor: Instant,
        isWanted: Bool,
        set: StoredTrio?,
        history: String,
        notice: NoticeID?,
        isNameTaken: Bool,
        contents: [NoticeID: String],
        isToldElsewhere: Bool,
        companions: [Companion]
    ) {
        self.person = person
        self.plannedFor = plannedFor
        self.isWanted = isWanted
        self.set = set
        self.history = history
        self.notice = notice
        self.isNameTaken = isNameTaken
        self.contents = contents
        self.isToldElsewhere = isToldElsewhere
        self.companions = companions
    }
}

/// Whom a reminder is for.
package struct RemindedPerson: Sendable {
    package let user: UserID
    package let subject: ReminderSubject
    package let partnerName: String
    package let device: Notice.Device?

    package init(user: UserID, subject: ReminderSubject, partnerName: String, device: Notice.Device?) {
        self.user = user
        self.subject = subject
        self.partnerName = partnerName
        self.device = device
    }
}

/// A stored set, as a notice shows it.
package struct StoredTrio: Sendable, Hashable {
    package let run: String
    package let choices: [Notice.Choice]

    package init(run: String, choices: [Notice.Choice]) {
        self.run = run
        self.choices = choices
    }
}
