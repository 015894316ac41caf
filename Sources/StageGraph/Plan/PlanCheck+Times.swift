extension PlanCheck {
    /// Checks waits and lives against each other and, along every path, against the deadline.
    mutating func checkTimes() {
        guard let deadline = definition.deadline else { return }
        for (index, node) in definition.nodes.enumerated() {
            if let wait = node.wait, let life = node.life, wait > life {
                note(
                    index,
                    "wait",
                    "waits \(DurationText.text(wait)) for a call that lives \(DurationText.text(life))",
                    .warning
                )
            }
            if node.wait != nil, policy(of: index) == .required, node.substitute == nil, stages[index] != nil {
                note(index, "wait", "has no effect: the run cannot go on without \"\(node.id)\"", .warning)
            }
        }
        var longest = [Duration](repeating: .zero, count: definition.nodes.count)
        var previous = [Int?](repeating: nil, count: definition.nodes.count)
        for node in order {
            for feeder in feeders(of: node) + (substitute(of: node).map { [$0] } ?? [])
            where longest[feeder] > longest[node] {
                longest[node] = longest[feeder]
                previous[node] = feeder
            }
            longest[node] += longestJoin(of: node)
        }
        // Each path is told once, at the first node that goes over the deadline.
        for node in order where longest[node] > deadline && longest[node] - longestJoin(of: node) <= deadline {
            var path = [node]
            while let before = previous[path[path.count - 1]] { path.append(before) }
            let names = path.reversed().filter { longestJoin(of: $0) > .zero }.map {
                "\(id($0)) \(DurationText.text(longestJoin(of: $0)))"
            }
            note(
                node,
                definition.nodes[node].life == nil ? "wait" : "life",
                "waits and lives add up to \(DurationText.text(longest[node])), more than the deadline of"
                    + " \(DurationText.text(deadline)): "
                    + names.joined(separator: " + ")
            )
        }
    }

    /// How long a node can hold up those after it by what its file says; zero when only the deadline bounds it.
    private func longestJoin(of node: Int) -> Duration {
        let definition = definition.nodes[node]
        let isWaitedFor = policy(of: node) == .required && definition.substitute == nil
        switch (definition.wait, definition.life) {
        case (let wait?, let life?): return isWaitedFor ? life : min(wait, life)
        case (let wait?, nil): return isWaitedFor ? .zero : wait
        case (nil, let life?): return life
        case (nil, nil): return .zero
        }
    }
}
