/// The runner's whole logic without a thread or a clock: events and times in, actions out.
struct RunState: Sendable {
    let plan: Plan
    let seed: UInt64
    let subject: String
    let deadline: Duration
    /// Whether the steps of nodes are reported at all.
    let isObserved: Bool
    var nodes: [NodeProgress]
    /// Nodes that are to run; substitutes and what feeds them join when they are needed.
    var isWanted: [Bool]
    /// For each node, how many of those that feed it have not ended.
    var openFeeders: [Int]
    /// What ended the run before its result was there, and at which node.
    var failure: StageFailure?
    var failedNode: Int?
    var isFinished = false
    var finished: Duration?
    /// Actions decided during the event that is being handled.
    var actions: [RunAction] = []

    init(plan: Plan, seed: UInt64, subject: String, deadline: Duration?, isObserved: Bool = true) {
        self.plan = plan
        self.seed = seed
        self.subject = subject
        self.deadline = deadline ?? plan.deadline
        self.isObserved = isObserved
        nodes = [NodeProgress](repeating: NodeProgress(), count: plan.nodes.count)
        isWanted = [Bool](repeating: false, count: plan.nodes.count)
        for index in plan.eager { isWanted[index] = true }
        openFeeders = plan.feederCounts
    }

    /// Takes one event at one time, given as an offset from the run's start, and says what is to be done.
    mutating func handle(_ event: RunEvent, at now: Duration) -> [RunAction] {
        if case .late(let node) = event {
            if !isFinished { nodes[node].arrivedLate = true }
            return []
        }
        guard !isFinished else { return [] }
        actions = []
        switch event {
        case .begun, .tick, .late: break
        case .cancelled: fail(StageFailure(.cancelled, code: "cancelled", "the run was told to stop"), at: nil, now)
        case .ended(let node, let attempt, let result): take(result, of: node, attempt: attempt, now)
        }
        if !isFinished { passTime(now) }
        if !isFinished { settle(now) }
        defer { actions = [] }
        return actions
    }

    /// When a tick is due if nothing happens before.
    var nextWake: Duration? {
        guard !isFinished else { return nil }
        var earliest = deadline
        for index in nodes.indices {
            if case .pausing(let until) = nodes[index].phase { earliest = min(earliest, until) }
            if let end = waitEnd(of: index) { earliest = min(earliest, end) }
        }
        return earliest
    }

    /// When those after a node stop waiting for it; nil when they cannot go on without it or it is not under way.
    ///
    /// Two fifths of the time that was left when it began are theirs, however short the run's deadline is.
    func waitEnd(of index: Int) -> Duration? {
        switch nodes[index].phase {
        case .running, .pausing: break
        default: return nil
        }
        guard let wait = plan.nodes[index].wait, let started = nodes[index].started,
            plan.nodes[index].isTolerated || plan.nodes[index].substitute != nil
        else { return nil }
        return started + min(wait, (deadline - started) * 3 / 5)
    }

    private mutating func take(_ result: CallResult, of index: Int, attempt: Int, _ now: Duration) {
        guard nodes[index].phase == .running, nodes[index].attempts == attempt else { return }
        nodes[index].logged = result.logged
        switch result.outcome {
        case .success(let product):
            nodes[index].product = product
            nodes[index].failure = nil
            end(index, as: .succeeded, now)
        case .failure(var failure):
            if failure == .deadlinePassed, let life = plan.nodes[index].life {
                failure = StageFailure(
                    .platform,
                    code: StageFailure.deadline,
                    "no result after \(DurationText.text(life)), the time it may live"
                )
            }
            if let pause = pause(before: index, after: failure, now) {
                nodes[index].failure = failure
                nodes[index].setbacks.append(failure)
                nodes[index].phase = .pausing(until: now + pause)
            } else {
                fall(index, with: failure, now)
            }
        }
    }

    /// How long to wait before another call, or nil when there is to be none.
    private func pause(before index: Int, after failure: StageFailure, _ now: Duration) -> Duration? {
        let node = plan.nodes[index]
        guard let retry = node.retry, failure.failureClass.isRetryable, !failure.isSettled,
            failure.code != StageFailure.deadline, nodes[index].attempts < retry.attempts
        else { return nil }
        var generator = SeededGenerator(
            seed: NodeSeed.derived(run: seed, subject: subject, node: node.id).value &+ UInt64(nodes[index].attempts)
        )
        let pause = retry.pause(after: nodes[index].attempts, using: &generator)
        // A call that could only start after its life is over would be a promise nobody keeps.
        return now + pause < (lifeEnd(of: index) ?? deadline) ? pause : nil
    }

    func lifeEnd(of index: Int) -> Duration? {
        guard let life = plan.nodes[index].life, let started = nodes[index].started else { return nil }
        return started + life
    }

    private mutating func passTime(_ now: Duration) {
        if now >= deadline {
            let open = nodes.indices.filter { nodes[$0].phase == .running }.map { plan.nodes[$0].id.text }
            let detail =
                "the run's \(DurationText.text(deadline)) are over"
                + (open.isEmpty ? "" : "; still at work: " + open.joined(separator: ", "))
            for index in nodes.indices where nodes[index].phase == .running {
                actions.append(.giveUp(node: index))
                nodes[index].failure = StageFailure(.platform, code: StageFailure.deadline, "the run's time is over")
                end(index, as: .timedOut, now)
            }
            fail(StageFailure(.platform, code: StageFailure.deadline, detail), at: nil, now)
            return
        }
        for index in nodes.indices {
            if let end = waitEnd(of: index), end <= now {
                if nodes[index].phase == .running { actions.append(.giveUp(node: index)) }
                nodes[index].logged = NodeLog.Contents()
                // To the millisecond, as waits are written.
                let wait = Duration.milliseconds(Int64((end - (nodes[index].started ?? end)) / .milliseconds(1)))
                fall(
                    index,
                    with: StageFailure(
                        .platform,
                        code: StageFailure.deadline,
                        "no result after \(DurationText.text(wait)), the time it is waited for"
                    ),
                    now
                )
            } else if case .pausing(let until) = nodes[index].phase, until <= now {
                launch(index, nodes[index].inputs ?? StageInputs([:]), now)
            }
            if isFinished { return }
        }
    }
}

/// What can happen to a run.
enum RunEvent: Sendable {
    case begun
    /// A call ended, by itself or by its life's end.
    case ended(node: Int, attempt: Int, CallResult)
    /// A result came for a call that had been given up.
    case late(node: Int)
    /// Some time has passed.
    case tick
    case cancelled
}

/// What a run wants done.
enum RunAction: Sendable {
    /// Start a call; its life ends at the instant, given as an offset from the run's start, if it has one of its own.
    case launch(node: Int, attempt: Int, StageInputs, lifeEnds: Duration?)
    /// Stop caring for the node's call.
    case giveUp(node: Int)
    /// Tell the observers that a call began or the node ended.
    case reportStart(node: Int, attempt: Int)
    case reportEnd(node: Int, NodeState)
    case finish

    var isLaunch: Bool {
        if case .launch = self { true } else { false }
    }
}

/// Where one node stands while a run goes on.
struct NodeProgress: Sendable {
    enum Phase: Sendable, Equatable {
        case waiting
        case running
        /// Failed in a way worth another call, which starts then.
        case pausing(until: Duration)
        /// Failed; the substitute decides how it ends.
        case awaitingSubstitute
        case ended
    }

    var phase: Phase = .waiting
    var attempts = 0
    var started: Duration?
    var ended: Duration?
    /// Set when and only when the phase is `ended`.
    var state: NodeState?
    var failure: StageFailure?
    /// Failures that were followed by another call.
    var setbacks: [StageFailure] = []
    var product: NodeBody.Product?
    var logged = NodeLog.Contents()
    var arrivedLate = false
    var inputs: StageInputs?

    /// What it made; asked for alone, so that nothing else of the progress is copied.
    var output: (any Sendable)? { product?.value }
}

/// What one call of one node left.
struct CallResult: Sendable {
    let outcome: Result<NodeBody.Product, StageFailure>
    let logged: NodeLog.Contents
}

/// How a node ended; every node of a run ends in exactly one of these.
package enum NodeState: String, CaseIterable, Sendable {
    case succeeded
    /// It failed and another node's output stands in for its own.
    case substituted
    case failed
    case timedOut = "timed_out"
    /// It never ran: an input was missing, or nothing needed it.
    case skipped
    /// The run ended before it did.
    case cancelled

    /// True when there is an output to join.
    package var hasOutput: Bool { self == .succeeded || self == .substituted }
}
