package import Delivery
import KnotDomain
package import Scheduling
import Synchronization
import Threads

/// Claims due reminders, makes a set for each, tells people, and ends the jobs: any number of workers on any number of
/// machines, coordinated by the queue alone.
///
/// It is stopped by `drain`, after which what was begun comes to its end, or by `abandon`, after which nothing does. Killed
/// at any moment it leaves nothing behind but leases that run out.
package final class ReminderWorker: Sendable {
    /// When it ends by itself.
    package enum Span: Sendable, Hashable {
        /// Never: it waits for what will be due.
        case endless
        /// When nothing is due any more.
        case whileDue
        /// After one batch.
        case oneBatch
    }

    private struct State {
        var isDraining = false
        var isOver = false
        /// Something was still held when it was told to leave all as it is.
        var isCutShort = false
        /// Jobs of a dead worker will be due in a moment.
        var isExpecting = false
        /// When all jobs are due that were taken back from dead workers.
        var resumesUntil: ContinuousClock.Instant?
        /// Ends what is under way.
        var end: (@Sendable () -> Void)?
        var sum = WorkerSummary()
    }

    package let id: WorkerID
    private let queue: any JobQueue
    private let processor: BatchProcessor
    private let held: HeldJobs
    private let observer: any WorkerObserver
    private let settings: WorkerSettings
    private let pauses: Pauses
    /// That of the loop that claims.
    private let idle: Pause
    /// That of whoever sees to the grace.
    private let alarm: Pause
    private let state: Mutex<State>
    private let stopped: StopFlag

    package init(
        _ id: WorkerID,
        queue: any JobQueue,
        maker: TrioMaker,
        delivery: any NoticeDelivery,
        observer: any WorkerObserver,
        settings: WorkerSettings = WorkerSettings(),
        policy: ReminderPolicy = ReminderPolicy()
    ) {
        self.id = id
        self.queue = queue
        self.observer = observer
        self.settings = settings
        let pauses = Pauses()
        let idle = pauses.pause()
        let alarm = pauses.pause()
        let stopped = StopFlag()
        self.pauses = pauses
        self.alarm = alarm
        self.idle = idle
        self.stopped = stopped
        state = Mutex(State())
        held = HeldJobs(settings, observer) { idle.wake() }
        processor = BatchProcessor(
            queue: queue,
            maker: maker,
            delivery: delivery,
            held: held,
            ender: JobEnder(queue: queue, held: held, observer: observer, settings: settings, timers: pauses),
            observer: observer,
            settings: settings,
            policy: policy
        ) { reason in
            stopped.raise(reason)
            idle.wake()
            alarm.wake()
        }
    }

    /// What it has done so far.
    package var summary: WorkerSummary { state.withLock { $0.sum } }

    /// Whether it was stopped before what it had begun had come to its end.
    package var isCutShort: Bool { state.withLock { $0.isCutShort } }

    /// Claims nothing more; `run` returns when what was begun has ended, or when the grace is over.
    package func drain() {
        let isFirst = state.withLock { state in
            defer { state.isDraining = true }
            return !state.isDraining
        }
        guard isFirst else { return }
        observer.saw(.became(.draining))
        idle.wake()
        alarm.wake()
    }

    /// Asks the queue at once, however long the loop would have waited: somebody says that something is due.
    package func lookNow() { expect() }

    /// Gives back at once all that is held: whatever is still under way is refused by the queue from now on.
    package func abandon() async {
        drain()
        let isHolding = held.count > 0
        let end = state.withLock { state in
            state.isOver = true
            state.isCutShort = state.isCutShort || isHolding
            return state.end
        }
        await release()
        end?()
        pauses.end()
    }

    /// Works until the span is over or somebody stops it; throws why it stopped by itself.
    @discardableResult
    package func run(_ span: Span = .endless) async throws(WorkerStop) -> WorkerSummary {
        observer.saw(.became(.working))
        // Renewals have a thread of their own: a lease must not run out because every other one is busy choosing.
        let lifeline = StageExecutor(threads: 1)
        await withTaskGroup(of: Void.self) { group in
            group.addTask(executorPreference: lifeline) { [self] in await renew() }
            group.addTask { [self] in await rescue() }
            group.addTask { [self] in await seeToGrace() }
            let work = Task { await self.work(span) }
            state.withLock { $0.end = { work.cancel() } }
            await work.value
            state.withLock { $0.isOver = true }
            pauses.end()
        }
        if held.count > 0 { await release() }
        observer.saw(.became(.stopped))
        if let reason = stopped.reason { throw reason }
        return summary
    }

    /// Does the job of a notification now, due or not, with what else of its vault is due: how the one that was asked for
    /// ended, or nil where nobody can have it, or where it was stopped before.
    package func run(only notification: NotificationID) async throws(JobQueueError) -> JobEnding? {
        // Whoever held it may be dead, and nobody else may be there to find that out.
        await takeBack()
        let asked = ContinuousClock.now
        let jobs = try await queue.claim(notification, by: id, lease: settings.lease)
        guard let job = jobs.first else { return nil }
        if isOver {
            // Whoever stopped it gave back before this claim was known.
            await release()
            return nil
        }
        held.hold(jobs.map(\.claim), askedAt: asked)
        observer.saw(.claimed(jobs: jobs.count, held: held.count))
        let lifeline = StageExecutor(threads: 1)
        return await withTaskGroup(of: Void.self) { group in
            group.addTask(executorPreference: lifeline) { [self] in await renew() }
            let work = Task { await processor.run(jobs) }
            let isOver = state.withLock { state in
                state.end = { work.cancel() }
                return state.isOver
            }
            // Whoever stopped it in between knew of nothing to end.
            if isOver { work.cancel() }
            let endings = await work.value
            count(endings)
            state.withLock { $0.isOver = true }
            pauses.end()
            return endings.first { $0.job == job.id }
        }
    }

    /// Why it ended by itself, where it did.
    package var stopReason: WorkerStop? { stopped.reason }

    private var isDraining: Bool { stopped.reason != nil || state.withLock { $0.isDraining } }
    private var isOver: Bool { state.withLock { $0.isOver } }

    private func count(_ endings: [JobEnding]) {
        state.withLock { state in for ending in endings { state.sum.count(ending) } }
    }

    // MARK: Loops

    /// Claims batches and takes each to its end.
    private func work(_ span: Span) async {
        // A worker that ends soon is over before its rescues begin, and there may never be another kind.
        if span != .endless { await takeBack() }
        let batches = BoundedChannel<[ClaimedReminder]>(limit: 1)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<max(1, settings.batchesAtOnce) {
                group.addTask { [self] in
                    while let jobs = await batches.receive() { count(await processor.run(jobs)) }
                }
            }
            await claim(span, into: batches)
            batches.finish()
        }
    }

    private func claim(_ span: Span, into batches: BoundedChannel<[ClaimedReminder]>) async {
        var pace = PollPace(shortest: settings.shortestPoll, longest: settings.longestPoll)
        let room = settings.batch * max(1, settings.batchesAtOnce)
        // Nothing more is claimed before what is held has ended.
        var isFull = false
        var isAnswered = false
        var failure: JobQueueError?
        while !isDraining {
            let holding = held.count
            isFull = isFull && holding > 0
            guard !isFull, holding < room else {
                await idle.wait(settings.shortestPoll)
                continue
            }
            let free = room - holding
            let asked = ContinuousClock.now
            do throws(JobQueueError) {
                let jobs = try await queue.claim(min(free, settings.batch), by: id, lease: settings.lease)
                isAnswered = true
                held.hold(jobs.map(\.claim), askedAt: asked)
                observer.saw(.claimed(jobs: jobs.count, held: held.count))
                // A job that a dead worker held is worked on by itself.
                isFull = jobs.contains { $0.crashes > 0 }
                if jobs.isEmpty {
                    if span != .endless {
                        // What others still hold may come back; that is for the next run. What a dead worker held comes
                        // only to who holds nothing.
                        if holding > 0 {
                            isFull = true
                        } else if span == .whileDue, isResuming {
                            await idle.wait(settings.shortestPoll)
                        } else {
                            return
                        }
                        continue
                    }
                    if wasExpecting() { pace.found() }
                    await idle.wait(pace.idle(chance: .random(in: 0...1)))
                } else {
                    pace.found()
                    await batches.send(jobs)
                    if span == .oneBatch { return }
                }
            } catch {
                failure = error
                observer.saw(.queueFailed(code: error.code))
                if error.kind == .unknown { observer.saw(.commitUnknown) }
                if error.kind == .permanent {
                    return stopped.raise(WorkerStop(.notPermitted, code: error.code, error.description))
                }
                let pause = pace.failed(chance: .random(in: 0...1))
                if span != .endless, pace.failures >= settings.failuresWhenDraining {
                    return stopped.raise(WorkerStop(.unavailable, code: error.code, error.description))
                }
                await idle.wait(pause)
            }
        }
        // Of a queue that never answered nobody knows that nothing was due.
        if let failure, !isAnswered {
            stopped.raise(WorkerStop(.unavailable, code: failure.code, failure.description))
        }
    }

    /// Ends what is still under way when the grace is over.
    private func seeToGrace() async {
        while !isDraining, !isOver { await alarm.wait(.seconds(3_600)) }
        if isOver { return }
        let end = ContinuousClock.now + settings.grace
        while !isOver {
            let left = ContinuousClock.now.duration(to: end)
            if left <= .zero { return await abandon() }
            await alarm.wait(left)
        }
    }

    private func renew() async {
        guard let every = settings.renewsEvery else { return }
        let pause = pauses.pause()
        while !isOver {
            await pause.wait(every)
            let claims = held.claims
            if claims.isEmpty || isOver { continue }
            let asked = ContinuousClock.now
            do throws(JobQueueError) {
                let kept = try await queue.renew(claims, lease: settings.lease)
                held.renew(claims, held: kept, askedAt: asked)
                observer.saw(.renewed(jobs: kept.count))
            } catch {
                // The next renewal comes before the lease ends; without one the work ends by itself.
                observer.saw(.queueFailed(code: error.code))
            }
        }
    }

    private func rescue() async {
        let pause = pauses.pause()
        while !isOver {
            await pause.wait(settings.rescuesEvery * Double.random(in: 0.5...1.5))
            if isOver { return }
            await takeBack()
        }
    }

    /// Puts back what workers held whose leases have run out.
    private func takeBack() async {
        do throws(JobQueueError) {
            var found: RescuedJobs
            repeat {
                found = try await queue.rescue(settings.rescueLimit)
                if found.waiting + found.dead > 0 { observer.saw(.rescued(jobs: found.waiting, dead: found.dead)) }
                if found.waiting > 0 {
                    state.withLock { $0.resumesUntil = .now + settings.resumeWait }
                    expect()
                }
            } while found.waiting + found.dead >= settings.rescueLimit && !isOver
        } catch {
            observer.saw(.queueFailed(code: error.code))
        }
    }

    private var isResuming: Bool { state.withLock { state in state.resumesUntil.map { $0 > .now } ?? false } }

    /// Has the loop that claims ask again soon, however long it has found nothing.
    private func expect() {
        state.withLock { $0.isExpecting = true }
        idle.wake()
    }

    private func wasExpecting() -> Bool {
        state.withLock { state in
            defer { state.isExpecting = false }
            return state.isExpecting
        }
    }

    private func release() async {
        do throws(JobQueueError) {
            _ = try await queue.release(id)
        } catch {
            // The leases run out by themselves.
            observer.saw(.queueFailed(code: error.code))
        }
    }
}

/// Why a worker stops by itself: the first reason counts.
private final class StopFlag: Sendable {
    private let state = Mutex<WorkerStop?>(nil)

    var reason: WorkerStop? { state.withLock { $0 } }

    func raise(_ reason: WorkerStop) { state.withLock { $0 = $0 ?? reason } }
}

/// How the jobs of a worker ended, counted.
package struct WorkerSummary: Sendable, Hashable {
    package private(set) var counts: [JobEnding.Outcome: Int] = [:]
    /// Why jobs were not completed, by code.
    package private(set) var codes: [String: Int] = [:]

    package init() {}

    package var all: Int { counts.values.reduce(0, +) }

    mutating func count(_ ending: JobEnding) {
        counts[ending.outcome, default: 0] += 1
        if let code = ending.code { codes[code, default: 0] += 1 }
    }
}
