extension RunState {
    /// Starts what is ready, skips what can no longer be, and ends the run when all that is wanted has ended.
    mutating func settle(_ now: Duration) {
        var changed = true
        while changed, !isFinished {
            changed = false
            for index in plan.order where isWanted[index] && !isFinished {
                switch nodes[index].phase {
                case .waiting where openFeeders[index] == 0:
                    start(index, now)
                    changed = true
                case .awaitingSubstitute: changed = takeSubstitute(index, now) || changed
                default: break
                }
            }
        }
        if !isFinished, nodes.indices.allSatisfy({ !isWanted[$0] || nodes[$0].phase == .ended }) { finish(now) }
    }

    mutating func launch(_ index: Int, _ inputs: StageInputs, _ now: Duration) {
        nodes[index].phase = .running
        nodes[index].attempts += 1
        nodes[index].started = nodes[index].started ?? now
        nodes[index].inputs = inputs
        if isObserved { actions.append(.reportStart(node: index, attempt: nodes[index].attempts)) }
        actions.append(.launch(node: index, attempt: nodes[index].attempts, inputs, lifeEnds: lifeEnd(of: index)))
    }

    mutating func end(_ index: Int, as state: NodeState, _ now: Duration) {
        precondition(nodes[index].state == nil, "node \(plan.nodes[index].id) was about to end twice")
        nodes[index].phase = .ended
        nodes[index].state = state
        nodes[index].ended = nodes[index].started == nil ? nil : now
        nodes[index].inputs = nil
        for follower in plan.followers[index] { openFeeders[follower] -= 1 }
        if isObserved { actions.append(.reportEnd(node: index, state)) }
    }

    /// Lets a node fail: its substitute may stand in, the run may go on without it, or the run fails.
    mutating func fall(_ index: Int, with failure: StageFailure, _ now: Duration) {
        nodes[index].failure = failure
        if let substitute = plan.nodes[index].substitute, !failure.isNeverTolerated {
            nodes[index].phase = .awaitingSubstitute
            want(substitute)
        } else {
            endFallen(index, now)
        }
    }

    /// Ends the run with a failure; whatever is under way is given up and not waited for.
    mutating func fail(_ failure: StageFailure, at index: Int?, _ now: Duration) {
        guard !isFinished else { return }
        self.failure = failure
        failedNode = index
        finish(now)
    }

    private mutating func endFallen(_ index: Int, _ now: Duration) {
        guard let failure = nodes[index].failure else { preconditionFailure("a node fell without a failure") }
        let state: NodeState =
            nodes[index].started == nil ? .skipped : failure.isDeadline ? .timedOut : .failed
        end(index, as: state, now)
        if failure.isNeverTolerated || !plan.nodes[index].isTolerated { fail(failure, at: index, now) }
    }

    private mutating func want(_ index: Int) {
        var open = [index]
        while let next = open.popLast() {
            if !isWanted[next] {
                isWanted[next] = true
                open += plan.nodes[next].feeds.flatMap(\.nodes)
            }
        }
    }

    /// Starts or skips a node whose feeders have all ended.
    private mutating func start(_ index: Int, _ now: Duration) {
        var arrivals: [StageInputs.Port] = []
        arrivals.reserveCapacity(plan.nodes[index].feeds.count)
        for feed in plan.nodes[index].feeds {
            var arrived: [StageInputs.Arrival] = []
            arrived.reserveCapacity(feed.nodes.count)
            for source in feed.nodes {
                guard let value = nodes[source].output else { continue }
                arrived.append(StageInputs.Arrival(node: plan.nodes[source].id, value: value))
            }
            if arrived.count < feed.minimum {
                fall(index, with: missing(feed, of: plan.nodes[index], arrived: arrived.count), now)
                return
            }
            let outage = arrived.count < feed.nodes.count ? outage(among: feed.nodes) : nil
            arrivals.append(StageInputs.Port(name: feed.input.name, arrivals: arrived, outage: outage))
        }
        launch(index, StageInputs(arrivals), now)
    }

    /// Too few inputs is the fault of whoever did not deliver, so their failure's class is kept; a source that is out of
    /// its time is a provider that did not answer.
    private func missing(_ feed: PlanNode.Feed, of node: PlanNode, arrived: Int) -> StageFailure {
        let absent = feed.nodes.filter { nodes[$0].product == nil }
        return missing(
            absent,
            StageFailure.inputMissing,
            "node \(node.id) needs \(feed.minimum) of \(feed.input.name) and got \(arrived); missing: \(causes(of: absent))"
        )
    }

    /// The failure of sources that could not be asked; nil where none is among the nodes.
    private func outage(among feeders: [Int]) -> StageFailure? {
        let absent = feeders.filter { index in
            guard nodes[index].product == nil, plan.nodes[index].stage.role == .source,
                let failure = nodes[index].failure
            else { return false }
            return failure.code != StageFailure.notConnected
        }
        guard !absent.isEmpty else { return nil }
        return missing(
            absent,
            StageFailure.sourcesFailed,
            "nobody who answered has anything, and these did not answer: \(causes(of: absent))"
        )
    }

    private func missing(_ absent: [Int], _ code: String, _ detail: String) -> StageFailure {
        let classes = absent.compactMap { index -> FailureClass? in
            guard let failure = nodes[index].failure else { return nil }
            return failure.isDeadline && plan.nodes[index].stage.role == .source ? .provider : failure.failureClass
        }
        return StageFailure(
            classes.first ?? .stage,
            code: code,
            detail,
            // One that may be back is enough to try again.
            isLasting: absent.allSatisfy { nodes[$0].failure?.isLasting == true }
        )
    }

    private func causes(of absent: [Int]) -> String {
        absent.map { plan.nodes[$0].id.text + (nodes[$0].failure.map { " (\($0.detail))" } ?? "") }
            .joined(separator: ", ")
    }

    private mutating func takeSubstitute(_ index: Int, _ now: Duration) -> Bool {
        guard let substitute = plan.nodes[index].substitute, nodes[substitute].phase == .ended else { return false }
        if nodes[substitute].state?.hasOutput == true, let product = nodes[substitute].product {
            nodes[index].product = NodeBody.Product(value: product.value)
            end(index, as: .substituted, now)
        } else {
            endFallen(index, now)
        }
        return true
    }

    private mutating func finish(_ now: Duration) {
        for index in nodes.indices where nodes[index].phase != .ended {
            if nodes[index].phase == .running { actions.append(.giveUp(node: index)) }
            if isWanted[index] {
                nodes[index].logged = NodeLog.Contents()
                end(index, as: .cancelled, now)
            } else {
                end(index, as: .skipped, now)
            }
        }
        isFinished = true
        finished = now
        actions.append(.finish)
    }
}
