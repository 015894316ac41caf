import Delivery
import KnotDomain
import Scheduling
import Threads

/// Takes one claimed batch to its ends: looks at what is stored, makes the sets that are missing, looks again, hands the
/// notices over, and ends the jobs of each together.
///
/// Every step may find that a job is not this worker's any more; its work is dropped then, and the queue's token keeps
/// whatever is still on its way from being written.
struct BatchProcessor: Sendable {
    let queue: any JobQueue
    let maker: TrioMaker
    let delivery: any NoticeDelivery
    let held: HeldJobs
    let ender: JobEnder
    let observer: any WorkerObserver
    let settings: WorkerSettings
    let policy: ReminderPolicy
    /// Told once where nothing can be done before somebody mends something.
    let stop: @Sendable (WorkerStop) -> Void

    func run(_ jobs: [ClaimedReminder]) async -> [JobEnding] {
        let endings = BatchEndings(observer)
        guard let due = await look(at: jobs, endings) else { return endings.all }
        let chosen = await chosen(await judged(jobs, due, endings), due, endings)
        guard !chosen.jobs.isEmpty else { return endings.all }
        if let latest = chosen.latest {
            await handOver(await members(chosen.jobs, latest, endings), at: latest.now, endings)
        } else if let later = await look(at: chosen.jobs, endings) {
            let ready = await judged(chosen.jobs, later, endings)
            await handOver(await members(ready, later, endings), at: later.now, endings)
        }
        return endings.all
    }

    // MARK: Looking

    /// What is stored, also of those beside them; nil where the queue could not be asked, and all the jobs wait for another
    /// attempt.
    private func look(
        at jobs: [ClaimedReminder],
        beside others: [ClaimedReminder] = [],
        _ endings: BatchEndings
    ) async -> DueReminders? {
        do throws(JobQueueError) {
            return try await queue.look(at: jobs + others)
        } catch {
            observer.saw(.queueFailed(code: error.code))
            let failure = JobFailure(.platform, code: error.code, error.description)
            await each(jobs) { await ender.fail($0, endings, failure) }
            return nil
        }
    }

    /// The jobs that go on; the others are snoozed, cancelled or put aside.
    private func judged(
        _ jobs: [ClaimedReminder],
        _ due: DueReminders,
        _ endings: BatchEndings
    ) async -> [ClaimedReminder] {
        var going: [ClaimedReminder] = []
        var ends: [(job: ClaimedReminder, verdict: DueVerdict)] = []
        // A set for a person without a device would never be shown.
        var untold: [(job: ClaimedReminder, device: Notice.Device?, result: DeliveryResult)] = []
        for job in jobs {
            guard let reminder = due.reminders[job.id], held.isTrusted(job.claim) else {
                ender.lose(job, endings)
                continue
            }
            if let warning = (try? reminder.person.get())?.subject.zone.warning {
                observer.saw(.zoneUnknown(job.id, warning: warning))
            }
            let verdict = DueVerdict(job.key, reminder, at: due.now, policy: policy)
            guard verdict == .go else {
                ends.append((job, verdict))
                continue
            }
            let device = (try? reminder.person.get())?.device
            if let result = delivery.refusal(of: device) {
                untold.append((job, device, result))
            } else {
                going.append(job)
            }
        }
        await each(ends) { await ender.end($0.job, endings, as: $0.verdict) }
        await each(untold) { await end([$0.job], $0.device, $0.result, due.now, endings) }
        return going
    }

    // MARK: Choosing

    /// Jobs that have their sets.
    private struct Chosen {
        var jobs: [ClaimedReminder] = []
        /// What was looked at and judged just now, where that holds for all of them: nothing was made since.
        var latest: DueReminders?
    }

    /// Makes sets until every job has one; returns the jobs that have.
    ///
    /// Of one vault one set is made at a time, so that the next one knows what it must not repeat.
    private func chosen(
        _ jobs: [ClaimedReminder],
        _ first: DueReminders,
        _ endings: BatchEndings
    ) async -> Chosen {
        var due = first
        var done = Chosen()
        var open = jobs
        var tries: [JobID: Int] = [:]
        while true {
            let stored = open.filter { due.reminders[$0.id]?.set != nil }
            done.latest = done.jobs.isEmpty ? due : nil
            done.jobs += stored
            open.removeAll { job in stored.contains { $0.id == job.id } }
            let orders = orders(for: open, due)
            if orders.isEmpty { return done }
            let verdicts = await maker.make(orders)
            for order in orders {
                let count = tries[order.job.id, default: 0] + 1
                tries[order.job.id] = count
                guard let verdict = verdicts[order.job.id] else {
                    // Stored, and not there again and again: somebody deletes the vault's sets.
                    if count > settings.choosings { await gone(order.job, endings, &open) }
                    continue
                }
                await end(order.job, verdict, tries: count, due.now, endings, &open)
            }
            done.latest = nil
            // What has its set is as much this worker's as what has none: nobody else is told of their notice.
            let vaults = Set(open.map(\.vault))
            let beside = done.jobs.filter { vaults.contains($0.vault) }
            guard !open.isEmpty, let next = await look(at: open, beside: beside, endings) else { return done }
            due = next
            open = await judged(open, due, endings)
        }
    }

    private func gone(_ job: ClaimedReminder, _ endings: BatchEndings, _ open: inout [ClaimedReminder]) async {
        await ender.fail(job, endings, JobFailure(.data, code: "set_gone", "the stored set is not there any more"))
        open.removeAll { $0.id == job.id }
    }

    private func orders(for jobs: [ClaimedReminder], _ due: DueReminders) -> [TrioMaker.Order] {
        var ofVault = Dictionary(grouping: jobs, by: \.vault)
        return jobs.compactMap { job in
            // What is told of first chooses first.
            guard let all = ofVault.removeValue(forKey: job.vault),
                case .success(let person)? = due.reminders[job.id]?.person,
                let job = person.subject.inOrder(all, by: \.key).first, let reminder = due.reminders[job.id]
            else { return nil }
            return TrioMaker.Order(
                job: job,
                history: reminder.history,
                asOf: person.subject.asOf(reminder.plannedFor, at: due.now, policy)
            )
        }
    }

    /// Ends the job by that, unless its set is to be chosen again.
    private func end(
        _ job: ClaimedReminder,
        _ verdict: TrioMaker.Verdict,
        tries: Int,
        _ now: Instant,
        _ endings: BatchEndings,
        _ open: inout [ClaimedReminder]
    ) async {
        var ended = [job]
        switch verdict {
        case .again:
            guard tries >= settings.choosings else { return }
            let detail = "other sets of the vault were faster, time and again"
            await ender.fail(job, endings, JobFailure(.platform, code: "overtaken", detail))
        case .lost: ender.lose(job, endings)
        case .fails(let failure):
            // What keeps one set of a vault waiting, such as a lock, keeps its others waiting as well.
            if !failure.spendsAttempt { ended = open.filter { $0.vault == job.vault } }
            await each(ended) { await ender.fail($0, endings, failure) }
        case .stops(let reason):
            stop(reason)
            await ender.giveBack(job, endings, now: now, code: reason.code)
        }
        open.removeAll { job in ended.contains { $0.id == job.id } }
    }

    // MARK: Handing over

    private func members(
        _ jobs: [ClaimedReminder],
        _ due: DueReminders,
        _ endings: BatchEndings
    ) async -> [NoticeGroup.Member] {
        var members: [NoticeGroup.Member] = []
        var lacking: [ClaimedReminder] = []
        for job in jobs {
            guard let reminder = due.reminders[job.id], case .success(let person) = reminder.person else { continue }
            if let set = reminder.set {
                members.append(NoticeGroup.Member(job: job, due: reminder, person: person, set: set))
            } else {
                lacking.append(job)
            }
        }
        // Deleted since it was stored, as a person may.
        let failure = JobFailure(.data, code: "set_gone", "the stored set is not there any more")
        await each(lacking) { await ender.fail($0, endings, failure) }
        return members
    }

    private func handOver(_ members: [NoticeGroup.Member], at now: Instant, _ endings: BatchEndings) async {
        let groups = NoticeGroup.groups(of: members, at: now, policy)
        let begun: Set<NoticeID>
        do throws(JobQueueError) {
            let new = groups.filter(\.isNew)
            begun = try await queue.begin(
                new.map { NoticeOfJobs(id: $0.id, jobs: $0.claims, content: $0.notice.document) }
            )
        } catch {
            let failure = JobFailure(.platform, code: error.code, error.description)
            await each(members) { await ender.fail($0.job, endings, failure) }
            return
        }
        let delivered = BoundedChannel<HandedOver>(limit: settings.batch)
        await withTaskGroup(of: Void.self) { tasks in
            // A COMMIT costs as much for one as for many, so the first waits a moment for others.
            tasks.addTask {
                while true {
                    let most = settings.batch
                    let items = await delivered.receive(most: most, enough: most, patience: settings.finishPatience)
                    if items.isEmpty { return }
                    await ender.finish(items, endings)
                }
            }
            await each(groups, atOnce: settings.deliversAtOnce) { group in
                guard !group.isNew || begun.contains(group.id) else {
                    let failure = JobFailure(.platform, code: "notice_not_begun", "another reminder of it is not held")
                    for member in group.members { await ender.fail(member.job, endings, failure) }
                    return
                }
                await handOver(group, at: now, into: delivered, endings)
            }
            delivered.finish()
        }
    }

    private func handOver(
        _ group: NoticeGroup,
        at now: Instant,
        into delivered: BoundedChannel<HandedOver>,
        _ endings: BatchEndings
    ) async {
        let ends = group.members.map { held.trusted($0.job.claim) }
        guard let first = ends.compactMap(\.self).min(), !ends.contains(nil) else {
            // One of them is lost, so nobody knows who tells of it: the others come again, under the same name.
            let failure = JobFailure(.platform, code: "lease_lost", "another reminder of the notice is not held")
            for (member, end) in zip(group.members, ends) {
                if end == nil {
                    ender.lose(member.job, endings)
                } else {
                    await ender.fail(member.job, endings, failure)
                }
            }
            return
        }
        let start = ContinuousClock.now
        let result = await delivery.deliver(group.notice, until: min(first, start + settings.deliveryLimit))
        let traces = group.members.map(\.job.claim.trace)
        observer.saw(.handedOver(Handover(result, by: delivery.name, took: .now - start, traces)))
        if case .delivered = result {
            await delivered.send(HandedOver(group))
        } else {
            let device = group.members.first?.person.device
            await end(group.members.map(\.job), device, result, now, endings)
        }
    }

    /// How jobs end whose notice was not taken, or would not be.
    private func end(
        _ jobs: [ClaimedReminder],
        _ device: Notice.Device?,
        _ result: DeliveryResult,
        _ now: Instant,
        _ endings: BatchEndings
    ) async {
        switch result {
        case .delivered: return
        case .later(let code, let detail, let after):
            let failure = JobFailure(.provider, code: code, detail, after: after)
            for job in jobs { await ender.fail(job, endings, failure) }
        case .refused(let code, let detail):
            let failure = JobFailure(.provider, code: code, detail, isPermanent: true)
            for job in jobs { await ender.fail(job, endings, failure) }
        case .deviceGone(let code, let since):
            if let device, let job = jobs.first { await forget(device, of: job.claim, since) }
            let failure = JobFailure(.data, code: code, "the person's device is gone", isPermanent: true)
            for job in jobs { await ender.fail(job, endings, failure) }
        case .misconfigured(let code, let detail):
            stop(WorkerStop(.configuration, code: code, detail))
            for job in jobs { await ender.giveBack(job, endings, now: now, code: code) }
        }
    }

    private func forget(_ device: Notice.Device, of job: JobClaim, _ since: Instant?) async {
        do throws(JobQueueError) {
            try await queue.forget(device, of: job, since: since)
        } catch {
            // The next notice meets the same answer, and tries again.
            observer.saw(.queueFailed(code: error.code))
        }
    }

    private func each<Item: Sendable>(
        _ items: [Item],
        atOnce: Int = 8,
        _ body: @escaping @Sendable (Item) async -> Void
    ) async {
        await withTaskGroup(of: Void.self) { group in
            for (place, item) in items.enumerated() {
                if place >= atOnce { await group.next() }
                group.addTask { await body(item) }
            }
        }
    }
}

extension Handover {
    init(_ result: DeliveryResult, by way: String, took: Duration, _ traces: [String]) {
        let (name, code): (String, String?) =
            switch result {
            case .delivered: ("delivered", nil)
            case .later(let code, _, _): ("later", code)
            case .refused(let code, _): ("refused", code)
            case .deviceGone(let code, _): ("device_gone", code)
            case .misconfigured(let code, _): ("misconfigured", code)
            }
        self.init(way: way, result: name, code: code, took: took, traces: traces)
    }
}
