import JSONDocument
package import Threads

/// Runs plans; one for a process is enough, and any number of runs may go on at once.
package final class GraphRunner: Sendable {
    package let executor: StageExecutor
    package let deadlines: DeadlineScheduler

    package init(executor: StageExecutor) {
        self.executor = executor
        deadlines = DeadlineScheduler(executor: executor)
    }

    /// Runs a plan and blocks the calling thread, which is the run's clock; never call it on the shared pool.
    package func run(_ plan: BoundPlan, options: RunOptions = RunOptions()) -> RunReport {
        RunDriver(plan, options: options, scheduler: deadlines).run()
    }

    /// Runs a plan on a thread of its own and suspends; cancelling the task cancels the run.
    package func report(of plan: BoundPlan, options: RunOptions = RunOptions()) async -> RunReport {
        var options = options
        let cancellation = options.cancellation ?? RunCancellation()
        options.cancellation = cancellation
        let driver = RunDriver(plan, options: options, scheduler: deadlines)
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                // Resumed once, by the run's own thread, or here when the system has no thread left.
                let started = OwnThread.start { continuation.resume(returning: driver.run()) }
                if !started { continuation.resume(returning: driver.refuse()) }
            }
        } onCancel: {
            cancellation.cancel()
        }
    }
}

/// Carries one run: hands events to its state, does what the state wants, and keeps time on the caller's thread.
final class RunDriver: Sendable {
    fileprivate struct Shared: Sendable {
        var state: RunState
        var calls: [Int: DeadlineCall<CallResult>] = [:]
        /// Until when the caller's thread sleeps.
        var sleepsUntil: Duration?
        /// Completions held back to be delivered in another order; only used when shuffling.
        var held: [(event: RunEvent, since: Duration)] = []
        var generator: SeededGenerator?
    }

    private typealias Step = DeadlineCall<CallResult>.Step

    private let bound: BoundPlan
    private let options: RunOptions
    private let scheduler: DeadlineScheduler
    private let begin = ContinuousClock.now
    private let monitor: Monitor<Shared>
    private let longestHold = Duration.microseconds(500)
    /// No node that starts from now on can be given up for being waited for before this time has passed.
    private let shortestWait: Duration

    init(_ bound: BoundPlan, options: RunOptions, scheduler: DeadlineScheduler) {
        self.bound = bound
        self.options = options
        self.scheduler = scheduler
        // Not so short that waking would be all this thread does; who starts with less wakes it.
        shortestWait = max(.milliseconds(1), bound.plan.nodes.compactMap(\.wait).min() ?? .seconds(86_400))
        let state = RunState(
            plan: bound.plan,
            seed: options.seed,
            subject: options.subject,
            deadline: options.deadline,
            isObserved: !options.observers.isEmpty
        )
        monitor = Monitor(Shared(state: state, generator: options.shuffle.map { SeededGenerator(seed: $0) }))
    }

    /// Runs to the end on the calling thread, which becomes the run's clock.
    func run() -> RunReport {
        let handler = options.cancellation?.onCancel { [weak self] in self?.deliver(.cancelled) }
        defer { if let handler { options.cancellation?.forget(handler) } }
        tell(.began(bound.plan, seed: options.seed, subject: options.subject))
        deliver(.begun)
        while let event = nextEvent() { deliver(event) }
        let state = monitor.withLock { $0.state }
        if case .recording(let recorder) = options.effects { record(timeoutsOf: state, with: recorder) }
        let report = RunReport(state)
        tell(.finished(report))
        return report
    }

    /// Writes down who ran out of time: in a replay nothing is slow, and the same nodes must run out of it again.
    private func record(timeoutsOf state: RunState, with recorder: EffectRecorder) {
        for (node, progress) in zip(state.plan.nodes, state.nodes) where progress.started != nil {
            guard let failure = progress.failure, failure.isDeadline else { continue }
            recorder.add(
                RecordedEffect(
                    kind: .nodeTimeout,
                    node: node.id,
                    key: .string(node.id.text),
                    answer: .failure(failure)
                )
            )
        }
    }

    /// Ends a run that never got a thread.
    func refuse() -> RunReport {
        let failure = StageFailure(
            .platform,
            code: StageFailure.executorExhausted,
            "the system has no thread for a run"
        )
        return RunReport(
            monitor.withLock { shared in
                shared.state.fail(failure, at: nil, .zero)
                return shared.state
            }
        )
    }

    /// Blocks until there is something for this thread to deliver; nil when the run is over.
    private func nextEvent() -> RunEvent? {
        monitor.wait { shared -> Monitor<Shared>.Look<RunEvent?> in
            if shared.state.isFinished { return .done(nil) }
            let now = self.now
            if let event = shared.takeHeld(now, longest: self.longestHold) { return .done(event) }
            guard let wake = shared.state.nextWake, wake > now else { return .done(.tick) }
            let release = shared.held.map { $0.since + self.longestHold }.min() ?? wake
            // Nodes that start meanwhile then need not wake this thread for the sake of their waits.
            let end = min(wake, release, now + self.shortestWait)
            shared.sleepsUntil = end
            return .sleep(until: self.begin + end)
        }
    }

    private var now: Duration { begin.duration(to: .now) }

    /// Handles an event on a thread that has other things to do.
    private func deliver(_ event: RunEvent) {
        _ = deliver(event, on: nil)
    }

    /// Handles an event; of the calls it starts, one is left to the lane where it happened, if that has no other work.
    private func deliver(_ event: RunEvent, on lane: TaskLane?) -> Step? {
        let now = now
        let (actions, mustWake): ([RunAction], Bool) = monitor.withLock { shared in
            var actions = shared.state.handle(event, at: now)
            if shared.generator != nil { shared.shuffle(&actions) }
            let isEarlier = shared.sleepsUntil.map { (shared.state.nextWake ?? .zero) < $0 } ?? false
            return (actions, shared.state.isFinished || isEarlier)
        }
        // The others are started first, so that another thread takes them while this one is at work on its own.
        let kept = lane == nil ? nil : actions.firstIndex(where: \.isLaunch)
        for place in actions.indices where place != kept { perform(actions[place]) }
        if mustWake { monitor.signal() }
        guard let kept, case .launch(let node, let attempt, let inputs, let lifeEnds) = actions[kept] else {
            return nil
        }
        return launch(node, attempt: attempt, inputs, lifeEnds: lifeEnds, on: lane)
    }

    private func perform(_ action: RunAction) {
        switch action {
        case .launch(let node, let attempt, let inputs, let lifeEnds):
            let step = launch(node, attempt: attempt, inputs, lifeEnds: lifeEnds, on: nil)
            if let step { step.call.begin(step.work) }
        case .giveUp(let node):
            let call = monitor.withLock { $0.calls.removeValue(forKey: node) }
            call?.giveUp(StageFailure(.cancelled, code: "cancelled", "the run goes on without this call"))
        case .reportStart(let node, let attempt): tell(.started(bound.plan.nodes[node].id, attempt: attempt))
        case .reportEnd(let node, let state): tell(.ended(bound.plan.nodes[node].id, state))
        case .finish: break
        }
    }

    private func tell(_ event: @autoclosure () -> RunObservation) {
        guard !options.observers.isEmpty else { return }
        let event = event()
        for observer in options.observers { observer.observe(event) }
    }

    /// Makes a call ready to begin; nil when it has ended already.
    private func launch(
        _ node: Int,
        attempt: Int,
        _ inputs: StageInputs,
        lifeEnds: Duration?,
        on lane: TaskLane?
    ) -> Step? {
        let id = bound.plan.nodes[node].id
        if case .replaying(let player) = options.effects, let failure = player.recordedTimeout(of: id) {
            let result = CallResult(outcome: .failure(failure), logged: NodeLog.Contents())
            return deliver(.ended(node: node, attempt: attempt, result), on: lane)
        }
        let end = options.deadline ?? bound.plan.deadline
        let log = NodeLog()
        let deadline = begin + min(lifeEnds ?? end, end)
        // Asked for only where somebody goes on without it.
        let waitEnds = bound.plan.nodes[node].wait == nil ? nil : monitor.withLock { $0.state.waitEnd(of: node) }
        let context = StageContext(
            node: id,
            seedSource: .derived(run: options.seed, subject: options.subject, node: id),
            deadline: deadline,
            answerBy: waitEnds.map { min(begin + $0, deadline) } ?? deadline,
            effects: EffectGateway(node: id, mode: options.effects, log: log),
            deadlines: scheduler,
            log: log
        )
        let body = bound.bodies[node]
        let step = scheduler.prepare(until: lifeEnds.map { begin + $0 }, on: lane) {
            do throws(StageFailure) {
                let product = try await body.run(inputs, context)
                return CallResult(outcome: .success(product), logged: context.log.close())
            } catch {
                return CallResult(outcome: .failure(error), logged: context.log.close())
            }
        } late: { [weak self] _ in
            self?.deliver(.late(node: node))
        } ending: { [weak self] outcome, lane in
            self?.complete(node, attempt: attempt, outcome, on: lane)
        }
        hold(step?.call, of: node, attempt: attempt)
        return step
    }

    /// Remembers a call so that it can be given up, unless the run has gone on meanwhile.
    private func hold(_ call: DeadlineCall<CallResult>?, of node: Int, attempt: Int) {
        let isWanted = monitor.withLock { shared in
            // Asked for alone, so that nothing else of the progress is copied.
            let isWanted = shared.state.nodes[node].phase == .running && shared.state.nodes[node].attempts == attempt
            if isWanted { shared.calls[node] = call }
            return isWanted
        }
        if !isWanted { call?.giveUp(StageFailure(.cancelled, code: "cancelled", "the run went on without this call")) }
    }

    private func complete(
        _ node: Int,
        attempt: Int,
        _ outcome: Result<CallResult, StageFailure>,
        on lane: TaskLane?
    ) -> Step? {
        let result: CallResult =
            switch outcome {
            case .success(let result): result
            case .failure(let failure): CallResult(outcome: .failure(failure), logged: NodeLog.Contents())
            }
        let event = RunEvent.ended(node: node, attempt: attempt, result)
        guard options.shuffle != nil else { return deliver(event, on: lane) }
        let now = now
        monitor.withLock { $0.held.append((event, now)) }
        monitor.signal()
        return nil
    }
}

extension RunDriver.Shared {
    /// Takes one of the completions held back: any of them once nothing else runs or one has been held long enough.
    fileprivate mutating func takeHeld(_ now: Duration, longest: Duration) -> RunEvent? {
        guard !held.isEmpty else { return nil }
        let running = state.nodes.count { $0.phase == .running }
        guard held.count >= running || held.contains(where: { now - $0.since >= longest }) else { return nil }
        let place = Int(generator?.next(upperBound: UInt64(held.count)) ?? 0)
        return held.remove(at: place).event
    }

    fileprivate mutating func shuffle(_ actions: inout [RunAction]) {
        if var generator {
            actions.shuffle(using: &generator)
            self.generator = generator
        }
    }
}
