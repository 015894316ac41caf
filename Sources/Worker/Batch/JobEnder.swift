import KnotDomain

/// Writes how jobs end, again where the queue did not take it, and tells of each end once.
struct JobEnder: Sendable {
    let queue: any JobQueue
    let held: HeldJobs
    let observer: any WorkerObserver
    let settings: WorkerSettings
    let timers: Pauses

    /// One job's end, where the queue takes it.
    func end(_ job: ClaimedReminder, _ endings: BatchEndings, as verdict: DueVerdict) async {
        switch verdict {
        case .go: return
        case .snooze(let until, let code):
            await write(job, endings, .snoozed, code: code) { () async throws(JobQueueError) in
                try await queue.snooze(job.claim, until: until) ? .snoozed : .lost
            }
        case .cancel(let code):
            await write(job, endings, .cancelled, code: code) { () async throws(JobQueueError) in
                try await queue.cancel(job.claim, code: code) ? .cancelled : .lost
            }
        case .fail(let failure): await fail(job, endings, failure)
        }
    }

    func fail(_ job: ClaimedReminder, _ endings: BatchEndings, _ failure: JobFailure) async {
        await write(job, endings, .retried, code: failure.code) { () async throws(JobQueueError) in
            switch try await queue.fail(job.claim, failure) {
            case .waits: failure.spendsAttempt ? .retried : .snoozed
            case .dead: .dead
            case .lost: .lost
            }
        }
    }

    /// Gives a job back as if it had never been claimed.
    func giveBack(_ job: ClaimedReminder, _ endings: BatchEndings, now: Instant, code: String) async {
        await write(job, endings, .released, code: code) { () async throws(JobQueueError) in
            try await queue.snooze(job.claim, until: now) ? .released : .lost
        }
    }

    /// Ends the reminders of notices that were delivered, in one transaction; where that is not to be had, notice by notice.
    func finish(_ delivered: [HandedOver], _ endings: BatchEndings) async {
        var open = delivered
        if delivered.count > 1 {
            let done = await retried { () async throws(JobQueueError) in try await queue.finish(delivered.map(\.notice))
            }
            open.removeAll { done?.contains($0.group.id) == true }
            for item in delivered where done?.contains(item.group.id) == true { complete(item.group, endings) }
        }
        await withTaskGroup(of: Void.self) { group in
            for item in open { group.addTask { await finish(item, endings) } }
        }
    }

    /// Ends the reminders of one notice: all at once, or, where one is not held any more, the others.
    private func finish(_ item: HandedOver, _ endings: BatchEndings) async {
        let group = item.group
        let isDone = await retried { () async throws(JobQueueError) in try await isFinished(item.notice) }
        if isDone == true { return complete(group, endings) }
        for member in group.members {
            // What nobody could be asked about is left to its lease: it is found ended, or handed over again.
            guard isDone == false, group.members.count > 1 else {
                tell(member.job, endings, .lost, code: isDone == nil ? "queue_unreachable" : "lease_lost")
                continue
            }
            let alone = DeliveredNotice(id: group.id, told: item.notice.told.filter { $0.job == member.job.id })
            await write(member.job, endings, .completed, code: nil) { () async throws(JobQueueError) in
                try await isFinished(alone) ? .completed : .lost
            }
        }
    }

    private func isFinished(_ notice: DeliveredNotice) async throws(JobQueueError) -> Bool {
        try await queue.finish([notice]).contains(notice.id)
    }

    private func complete(_ group: NoticeGroup, _ endings: BatchEndings) {
        for member in group.members { tell(member.job, endings, .completed, code: nil) }
    }

    /// What the queue holds for another's now: nothing is written.
    func lose(_ job: ClaimedReminder, _ endings: BatchEndings) { tell(job, endings, .lost, code: "lease_lost") }

    private func write(
        _ job: ClaimedReminder,
        _ endings: BatchEndings,
        _ outcome: JobEnding.Outcome,
        code: String?,
        _ body: @Sendable () async throws(JobQueueError) -> JobEnding.Outcome
    ) async {
        switch await retried(body) {
        case .lost?: tell(job, endings, .lost, code: "lease_lost")
        case let outcome?: tell(job, endings, outcome, code: code)
        case nil: tell(job, endings, .lost, code: "queue_unreachable")
        }
    }

    /// Asks until the queue answers, a few times; nil leaves the job to its lease.
    private func retried<Value: Sendable>(_ body: () async throws(JobQueueError) -> Value) async -> Value? {
        var pauses = settings.endingPauses[...]
        while true {
            do throws(JobQueueError) {
                return try await body()
            } catch {
                if error.kind == .unknown {
                    observer.saw(.commitUnknown)
                    return nil
                }
                guard error.kind == .transient, let pause = pauses.popFirst() else {
                    observer.saw(.queueFailed(code: error.code))
                    return nil
                }
                await timers.wait(pause)
            }
        }
    }

    private func tell(_ job: ClaimedReminder, _ endings: BatchEndings, _ outcome: JobEnding.Outcome, code: String?) {
        held.drop(job.claim)
        endings.ended(
            JobEnding(
                job: job.id,
                attempt: job.attempt,
                outcome: outcome,
                code: code,
                took: .now - endings.start,
                waited: job.waited,
                trace: job.claim.trace
            )
        )
    }
}

/// A notice that somebody took, with the jobs it stands for.
struct HandedOver: Sendable {
    let group: NoticeGroup
    let notice: DeliveredNotice

    init(_ group: NoticeGroup) {
        self.group = group
        notice = DeliveredNotice(id: group.id, told: group.told)
    }
}
