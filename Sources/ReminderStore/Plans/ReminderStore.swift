package import KnotDomain
package import PostgresClient
package import Scheduling
package import VaultStore

/// Reads from a database what plans are made from, and puts plans into its queue.
package struct ReminderStore: Sendable {
    let pool: ConnectionPool
    private let zones: any ZoneSource

    package init(_ pool: ConnectionPool, zones: any ZoneSource = ZoneCache()) {
        self.pool = pool
        self.zones = zones
    }

    /// One vault with what is stored of its reminders from that moment's days on; a person may not see the queue, only what
    /// has ended.
    package func vault(
        _ id: PostgresUUID,
        at now: Instant,
        until deadline: ContinuousClock.Instant
    ) async throws(VaultStoreError) -> PlannedVault {
        guard let found = try await read([id], at: now, until: deadline).first else {
            throw .noVault(VaultID(id.description))
        }
        return try found.result.get()
    }

    /// The queue's own clock, which decides when a reminder is due.
    package func now(until deadline: ContinuousClock.Instant) async throws(VaultStoreError) -> Instant {
        do throws(PostgresError) {
            return try await pool.read(["select knot.clock() as now"], until: deadline)[0].only().decode("now")
        } catch {
            throw .database(error)
        }
    }

    /// A page of vaults in the order of their ids, those after `id`; a page that is not full is the last.
    ///
    /// A vault whose rows cannot be planned stands in it with its error and stops no other.
    func page(
        after id: VaultID?,
        limit: Int,
        at now: Instant,
        until deadline: ContinuousClock.Instant
    ) async throws(VaultStoreError) -> [(id: VaultID, result: Result<PlannedVault, VaultStoreError>)] {
        let after = id.flatMap { PostgresUUID($0.text) }
        let ids: [PostgresUUID]
        do throws(PostgresError) {
            let rows = try await pool.read(
                [
                    """
                    select v.id from public.partner_vaults v
                    where \(after) is null or v.id > \(after) order by v.id limit \(limit)
                    """
                ],
                until: deadline
            )
            ids = try rows[0].map { row throws(PostgresError) in try row.decode("id") }
        } catch {
            throw .database(error)
        }
        return ids.isEmpty ? [] : try await read(ids, at: now, until: deadline)
    }

    private func read(
        _ ids: [PostgresUUID],
        at now: Instant,
        until deadline: ContinuousClock.Instant
    ) async throws(VaultStoreError) -> [(id: VaultID, result: Result<PlannedVault, VaultStoreError>)] {
        do throws(PostgresError) {
            // A day and more behind every zone's today.
            let first = CivilDate(daysSinceEpoch: Int(now.secondsSinceEpoch) / 86_400 - 2)
            let isPerson = pool.identity != .connection
            let statements = PlannedVaultRows.statements(
                ids,
                isPerson ? .notifications(from: first) : .jobs(from: first)
            )
            return try PlannedVaultRows(try await pool.read(statements, until: deadline), zones: zones).read()
        } catch {
            throw .database(error)
        }
    }

    /// Puts a plan into the queue in one transaction: new and moved reminders, and the end of those not wanted any more.
    ///
    /// Storing a plan again changes nothing: the queue has one place for each key.
    package func store(
        _ plan: ReminderPlan,
        until deadline: ContinuousClock.Instant
    ) async throws(VaultStoreError) -> StoredPlan {
        let new = plan.toStore
        let old = plan.toCancel
        if new.isEmpty, old.isEmpty { return StoredPlan() }
        var milestones: [PostgresUUID] = []
        for (key, _) in new {
            guard let id = PostgresUUID(key.milestone.text) else { throw .noVault(plan.vault) }
            milestones.append(id)
        }
        var cancelled: [PostgresUUID] = []
        for key in old {
            guard let id = PostgresUUID(key.milestone.text) else { throw .noVault(plan.vault) }
            cancelled.append(id)
        }
        let statements = Self.statements(new, milestones, old, cancelled)
        let ids = milestones
        do throws(PostgresError) {
            return try await pool.write(until: deadline) { transaction throws(PostgresError) in
                // Workers are told once of all that is due already.
                let earliest = new.map(\.sendsAt).min()
                let results = try await transaction.pipeline(statements + QueueNews.statements(dueAt: earliest))
                    .prefix(statements.count)
                let words = try results.map { rows throws(PostgresError) in
                    try rows.map { row throws(PostgresError) in try row.decode("outcome", as: String.self) }
                }
                var stored = StoredPlan()
                for word in words.joined() { stored.count(word) }
                // What another planner has stored meanwhile proves nothing of this transaction.
                let outcomes = Array(words.dropFirst(old.isEmpty ? 0 : 1).joined())
                let own = new.indices.filter { $0 < outcomes.count && ["new", "moved"].contains(outcomes[$0]) }
                guard !own.isEmpty else { return .written(stored, .byRepeating) }
                let look = Self.look(at: own.map { new[$0] }, own.map { ids[$0] })
                return .written(stored, CommitProof(of: stored, look))
            }
        } catch {
            throw .database(error)
        }
    }

    /// Returns a row if all these wait for their moments, or have begun since.
    private static func look(
        at new: [(key: ReminderKey, sendsAt: Instant)],
        _ milestones: [PostgresUUID]
    ) -> SQLQuery {
        """
        select 1
        from unnest(
            \(milestones), \(new.map(\.key.occurrence)), \(new.map { Int32($0.key.daysBefore) }), \(new.map(\.sendsAt))
        ) as asked (milestone, occurrence, days, moment)
        left join public.recommendation_jobs j on j.milestone_id = asked.milestone
            and j.occurrence_date = asked.occurrence and j.days_before = asked.days and j.run_at = asked.moment
        having pg_catalog.count(*) = pg_catalog.count(j.id)
        """
    }

    private static func statements(
        _ new: [(key: ReminderKey, sendsAt: Instant)],
        _ milestones: [PostgresUUID],
        _ old: [ReminderKey],
        _ cancelled: [PostgresUUID]
    ) -> [SQLQuery] {
        var statements: [SQLQuery] = []
        // What is not wanted any more goes first: a day that was moved is never in the queue twice.
        if !old.isEmpty {
            statements.append(
                """
                select case when api.cancel(j.id) then 'cancelled' else 'kept' end as outcome
                from unnest(\(cancelled), \(old.map(\.occurrence)), \(old.map { Int32($0.daysBefore) }))
                    as asked (milestone, occurrence, days)
                join public.recommendation_jobs j on j.milestone_id = asked.milestone
                    and j.occurrence_date = asked.occurrence and j.days_before = asked.days
                where j.state = 'available' and j.attempt = 0
                """
            )
        }
        // The function takes 500 at once.
        for start in stride(from: 0, to: new.count, by: 500) {
            let part = new[start..<min(start + 500, new.count)]
            let ids = Array(milestones[part.indices])
            statements.append(
                """
                select e.outcome from api.enqueue(
                    \(ids), \(part.map(\.key.occurrence)), \(part.map { Int32($0.key.daysBefore) }),
                    \(part.map(\.sendsAt))
                ) as e
                """
            )
        }
        return statements
    }
}

/// What storing a plan did.
package struct StoredPlan: Hashable, Sendable {
    package private(set) var new = 0
    package private(set) var moved = 0
    package private(set) var cancelled = 0
    /// Somebody was faster: the reminder is begun, stored or gone already.
    package private(set) var unchanged = 0

    package init() {}

    mutating func count(_ outcome: String) {
        switch outcome {
        case "new": new += 1
        case "moved": moved += 1
        case "cancelled": cancelled += 1
        default: unchanged += 1
        }
    }

    /// Both together.
    package static func + (left: Self, right: Self) -> Self {
        var sum = left
        sum.new += right.new
        sum.moved += right.moved
        sum.cancelled += right.cancelled
        sum.unchanged += right.unchanged
        return sum
    }
}

extension StoredPlan {
    /// What storing a plan would do, when nobody else does anything.
    package init(foreseen plan: ReminderPlan) {
        self.init()
        for decision in plan.decisions {
            switch decision.outcome {
            case .plan: count("new")
            case .move: count("moved")
            case .cancel: count("cancelled")
            case .keep, .skip, .begun, .used: break
            }
        }
    }
}
