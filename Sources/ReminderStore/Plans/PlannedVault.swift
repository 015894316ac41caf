import Delivery
import JSONDocument
import KnotDomain
import PostgresClient
package import Scheduling
import VaultStore

/// A vault as its plan needs it: whom to remind, of what, and what is stored already.
package struct PlannedVault: Hashable, Sendable {
    package let subject: ReminderSubject
    package let partnerName: String
    package let stored: [StoredReminder]
}

/// The statements that read what plans are made from, and what their rows mean.
struct PlannedVaultRows {
    /// What is read of the reminders that are stored.
    enum Stored {
        /// A person may not see the queue; their notifications tell how its reminders ended.
        case notifications(from: CivilDate)
        /// The queue, and the notifications that are none of its own.
        case jobs(from: CivilDate)
    }

    /// The results in the order of the statements.
    static func statements(_ vaults: [PostgresUUID], _ stored: Stored?) -> [SQLQuery] {
        [
            """
            select v.id as vault_id, v.partner_name, v.location_country, u.timezone, u.quiet_hours_start,
                u.quiet_hours_end, u.notifications_enabled
            from public.partner_vaults v join public.users u on u.id = v.user_id
            where v.id = any (\(vaults)) order by v.id
            """,
            """
            select m.id, m.vault_id, m.milestone_type, m.milestone_name, m.milestone_date, m.recurrence, m.budget_tier
            from public.partner_milestones m where m.vault_id = any (\(vaults)) order by m.vault_id, m.created_at, m.id
            """,
        ] + (stored.map { reminders($0, of: vaults) } ?? [])
    }

    private static func reminders(_ stored: Stored, of vaults: [PostgresUUID]) -> [SQLQuery] {
        switch stored {
        case .notifications(let first): [notifications(of: vaults, from: first), told(vaults, from: first)]
        case .jobs(let first):
            [
                notifications(
                    of: vaults,
                    from: first,
                    where: "and not exists (select 1 from public.recommendation_jobs j where j.notification_id = n.id)"
                ),
                told(vaults, from: first),
                jobs(vaults, from: first),
            ]
        }
    }

    /// Keys are kept for ever; those of days that are long over decide nothing.
    ///
    /// What a plan called off may be wanted again, which the queue allows: it is not there. What its person ended is, also
    /// before a worker has found that out.
    private static func jobs(_ vaults: [PostgresUUID], from first: CivilDate) -> SQLQuery {
        """
        select j.vault_id, j.milestone_id, j.occurrence_date, j.days_before, j.run_at,
            j.state = 'available' and j.attempt = 0 as is_waiting,
            case
                when j.state = 'completed' or n.status = 'sent' then 'sent'
                when j.state = 'dead' or n.status = 'failed' then 'failed'
                when j.state = 'cancelled' or n.status is distinct from 'pending' then 'cancelled'
            end as ending
        from public.recommendation_jobs j left join public.notification_queue n on n.id = j.notification_id
        where j.vault_id = any (\(vaults)) and j.occurrence_date >= \(first)
            and not (
                j.state = 'cancelled' and j.last_error_code is distinct from 'notification_ended'
                and coalesce(n.status, '') not in ('sent', 'failed')
            )
        order by j.vault_id, j.occurrence_date, j.milestone_id, j.days_before
        """
    }

    /// Reads the days that notices told of, which are there also where their milestones have gone.
    private static func told(_ vaults: [PostgresUUID], from first: CivilDate) -> SQLQuery {
        """
        select k.vault_id, k.told_at, d.milestone_id, d.name, d.day, d.days_before
        from public.recommendation_notices k
        cross join lateral pg_catalog.json_to_recordset(k.content::json -> 'occasions')
            as d (milestone_id text, name text, day date, days_before int4)
        where k.vault_id = any (\(vaults)) and k.told_at is not null and d.day >= \(first)
        order by k.vault_id, k.told_at, d.day, d.milestone_id
        """
    }

    /// Reads the app's rows that were sent or have ended, in an order that decides between rows of one reminder.
    private static func notifications(
        of vaults: [PostgresUUID],
        from first: CivilDate,
        where condition: SQLQuery = ""
    ) -> SQLQuery {
        func moment(_ days: Int) -> Instant {
            Instant(millisecondsSinceEpoch: Int64(first.daysSinceEpoch + days) * 86_400_000)
        }
        // They bear no day; the earliest that counts is of one a fortnight later.
        return """
            select m.vault_id, n.milestone_id, n.days_before, n.scheduled_for, n.status
            from public.partner_milestones m
            join public.partner_vaults v on v.id = m.vault_id
            join public.notification_queue n on n.milestone_id = m.id and n.user_id = v.user_id
            where m.vault_id = any (\(vaults)) and n.status <> 'pending'
                and n.scheduled_for between \(moment(-16)) and \(moment(800))
                \(fragment: condition)
            order by m.vault_id, n.milestone_id, n.days_before, n.scheduled_for, n.id
            """
    }

    private let milestones: [PostgresUUID: Rows]
    private let jobs: [PostgresUUID: Rows]
    private let notifications: [PostgresUUID: Rows]
    private let told: [PostgresUUID: Rows]
    private let vaults: Rows
    private let zones: any ZoneSource

    init(_ results: [Rows], zones: any ZoneSource) throws(PostgresError) {
        vaults = results[0]
        milestones = try results[1].grouped(by: "vault_id")
        notifications = results.count > 2 ? try results[2].grouped(by: "vault_id") : [:]
        told = results.count > 3 ? try results[3].grouped(by: "vault_id") : [:]
        jobs = results.count > 4 ? try results[4].grouped(by: "vault_id") : [:]
        self.zones = zones
    }

    /// Each vault, or why it cannot be planned; in the order of their ids.
    func read() throws(PostgresError) -> [(id: VaultID, result: Result<PlannedVault, VaultStoreError>)] {
        try vaults.map { row throws(PostgresError) in
            let uuid = try row.decode("vault_id", as: PostgresUUID.self)
            let id = VaultID(uuid.description)
            do throws(PostgresError) {
                return (id, .success(try vault(row, id, uuid)))
            } catch {
                guard error.code == .unexpectedValue else { throw error }
                let problem = JSONProblem(path: "partner_milestones", message: error.detail ?? error.what)
                return (id, .failure(.unusable(id, [problem])))
            }
        }
    }

    private func vault(_ row: Row, _ id: VaultID, _ uuid: PostgresUUID) throws(PostgresError) -> PlannedVault {
        let start = Int(try row.decode("quiet_hours_start", as: Int32.self))
        let end = Int(try row.decode("quiet_hours_end", as: Int32.self))
        let subject = ReminderSubject(
            vault: id,
            milestones: try milestones[uuid]?.map(Self.milestone) ?? [],
            country: try Self.word(row, "location_country")?.uppercased(),
            zone: ReminderZone(named: try Self.word(row, "timezone"), in: zones),
            quiet: QuietHours(start: start, end: end) ?? .standard,
            isEnabled: try row.decode("notifications_enabled")
        )
        return PlannedVault(
            subject: subject,
            partnerName: BoundaryText.clean(try row.decode("partner_name"), limit: TextLimit.name),
            stored: try stored(of: uuid, subject)
        )
    }

    /// A text as whoever makes the set reads it, or its day and hour would be others; nil where it is blank.
    private static func word(_ row: Row, _ column: String) throws(PostgresError) -> String? {
        let text = try row.decode(column, as: String?.self).map { BoundaryText.clean($0, limit: TextLimit.name) }
        return text == "" ? nil : text
    }

    /// Each key once: what somebody else has sent or ended is used, whatever the queue has of it.
    private func stored(of vault: PostgresUUID, _ subject: ReminderSubject) throws(PostgresError) -> [StoredReminder] {
        let own = try jobs[vault]?.map(Self.reminder) ?? []
        var others: [StoredReminder] = []
        if let rows = notifications[vault] {
            for place in 0..<rows.count { if let other = try Self.ended(rows[place], subject) { others.append(other) } }
        }
        if let rows = told[vault] {
            for place in 0..<rows.count { others += try Self.told(rows[place], subject) }
        }
        if others.isEmpty { return own }
        var reminders = Dictionary(own.map { ($0.key, $0) }) { first, _ in first }
        for other in others {
            if case .used = reminders[other.key]?.state { continue }
            reminders[other.key] = other
        }
        return reminders.values.sorted { $0.key < $1.key }
    }

    /// Returns a told reminder for each milestone with the name of one that was deleted since: it was added again.
    private static func told(_ row: Row, _ subject: ReminderSubject) throws(PostgresError) -> [StoredReminder] {
        let id = MilestoneID(try row.decode("milestone_id"))
        guard !subject.milestones.contains(where: { $0.id == id }) else { return [] }
        let name = try row.decode("name", as: String.self).lowercased()
        let day: CivilDate = try row.decode("day")
        let days = Int(try row.decode("days_before", as: Int32.self))
        let moment: Instant = try row.decode("told_at")
        return subject.milestones.filter { NoticeText.visible($0.name).lowercased() == name }.map { milestone in
            let key = ReminderKey(milestone: milestone.id, occurrence: day, daysBefore: days)
            return StoredReminder(key: key, sendsAt: moment, state: .used(.sent))
        }
    }

    private static func ended(_ row: Row, _ subject: ReminderSubject) throws(PostgresError) -> StoredReminder? {
        let id = MilestoneID(try row.decode("milestone_id", as: PostgresUUID.self).description)
        let moment: Instant = try row.decode("scheduled_for")
        let days = Int(try row.decode("days_before", as: Int32.self))
        let status: String = try row.decode("status")
        guard let milestone = subject.milestones.first(where: { $0.id == id }),
            let key = ReminderKey(of: milestone, daysBefore: days, scheduledFor: moment, country: subject.country)
        else { return nil }
        return StoredReminder(key: key, sendsAt: moment, state: .used(ending(status)))
    }

    private static func ending(_ word: String) -> StoredReminder.Ending {
        switch word {
        case "sent": .sent
        case "failed": .failed
        default: .calledOff
        }
    }

    private static func milestone(_ row: Row) throws(PostgresError) -> Milestone {
        func choice<Choice: RawRepresentable<String>>(_ column: String) throws(PostgresError) -> Choice {
            guard let choice = Choice(rawValue: try row.decode(column)) else {
                throw PostgresError(.unexpectedValue, at: column, detail: "\(column) has a word that is not known")
            }
            return choice
        }
        let name = BoundaryText.clean(try row.decode("milestone_name"), limit: TextLimit.name)
        // Whoever makes the set of a reminder refuses such a vault: it is better known weeks before.
        guard !name.isEmpty else {
            throw PostgresError(.unexpectedValue, at: "milestone_name", detail: "milestone_name is blank")
        }
        return Milestone(
            id: MilestoneID(try row.decode("id", as: PostgresUUID.self).description),
            kind: try choice("milestone_type"),
            name: name,
            date: try row.decode("milestone_date"),
            recurrence: try choice("recurrence"),
            tier: try choice("budget_tier")
        )
    }

    private static func reminder(_ row: Row) throws(PostgresError) -> StoredReminder {
        let key = ReminderKey(
            milestone: MilestoneID(try row.decode("milestone_id", as: PostgresUUID.self).description),
            occurrence: try row.decode("occurrence_date"),
            daysBefore: Int(try row.decode("days_before", as: Int32.self))
        )
        let isWaiting: Bool = try row.decode("is_waiting")
        let end: String? = try row.decode("ending")
        return StoredReminder(
            key: key,
            sendsAt: try row.decode("run_at"),
            state: end.map { .used(ending($0)) } ?? (isWaiting ? .waiting : .begun)
        )
    }
}
