extension PlanCheck {
    /// Checks that every input is declared, fed as it needs, and fed by nodes of its type.
    mutating func checkFeeds() {
        for (index, node) in definition.nodes.enumerated() {
            guard let stage = stages[index] else {
                checkSources(of: index)
                continue
            }
            for feed in node.feeds {
                guard let input = stage.input(named: feed.port) else {
                    let hint = NearestName.hint(for: feed.port, among: stage.inputs.map(\.name))
                    note(index, "inputs.\(feed.port)", "\(stage.kind) has no input \"\(feed.port)\"\(hint)")
                    continue
                }
                check(feed, into: input, of: index)
            }
            for input in stage.inputs
            where input.arity == .one && !node.feeds.contains(where: { $0.port == input.name }) {
                let place = node.place.member("inputs").member(input.name)
                problems.append(
                    PipelineProblem(
                        place,
                        "is missing: \(stage.kind) needs \(input.typeName)\(fitting(input, for: index))"
                    )
                )
            }
            checkMinimum(of: index, stage)
        }
    }

    private mutating func checkSources(of index: Int) {
        for feed in definition.nodes[index].feeds {
            for name in feed.nodes where indices[name] == nil { noteUnknown(name, feed, of: index) }
        }
    }

    private mutating func noteUnknown(_ name: NodeID, _ feed: NodeDefinition.Feed, of index: Int) {
        noteMissing(name, "inputs.\(feed.port)", of: index)
    }

    private mutating func check(_ feed: NodeDefinition.Feed, into input: InputDeclaration, of index: Int) {
        let field = "inputs.\(feed.port)"
        if input.arity != .many, feed.nodes.count != 1 {
            note(index, field, "takes one node, found \(feed.nodes.count)")
        }
        if input.arity == .many, feed.nodes.isEmpty { note(index, field, "names no node") }
        for (place, name) in feed.nodes.enumerated() {
            guard let source = indices[name] else {
                noteUnknown(name, feed, of: index)
                continue
            }
            if feed.nodes[..<place].contains(name) { note(index, field, "names \"\(name)\" twice") }
            guard let output = stages[source], output.output != input.type else { continue }
            note(
                index,
                field,
                "takes \(input.typeName), but \"\(name)\" (\(output.kind)) gives \(output.outputName)"
                    + fitting(input, for: index)
            )
        }
    }

    private mutating func checkMinimum(of index: Int, _ stage: StageFacts) {
        let node = definition.nodes[index]
        for (port, least) in node.minimum.sorted(by: { $0.key < $1.key }) {
            guard let input = stage.input(named: port), input.arity == .many else {
                let many = stage.inputs.filter { $0.arity == .many }.map(\.name)
                note(
                    index,
                    "minimum",
                    "\"\(port)\" is no input that joins several nodes" + NearestName.hint(for: port, among: many)
                )
                continue
            }
            if least < 1, stage.role == .aggregator {
                note(index, "minimum", "without one of \"\(port)\" there is nothing to choose from: expected 1 or more")
            }
            let count = node.feeds.first { $0.port == port }?.nodes.count ?? 0
            if least > count {
                note(index, "minimum", "\(least) of \"\(port)\" can never come: \(count) nodes feed it")
            }
        }
    }

    /// Names the nodes that could feed an input.
    private func fitting(_ input: InputDeclaration, for index: Int) -> String {
        let fitting = definition.nodes.indices.filter { stages[$0]?.output == input.type && $0 != index }
        return fitting.isEmpty
            ? "; no node gives that" : "; would fit: " + fitting.prefix(8).map { id($0).text }.joined(separator: ", ")
    }
}

extension PlanCheck {
    /// Sorts the nodes so that each follows what feeds it or stands in for it; notes a cycle with its path.
    mutating func checkOrder() -> Bool {
        enum Colour { case white, grey, black }
        var colours = [Colour](repeating: .white, count: definition.nodes.count)
        var cycles: [[Int]] = []
        var sorted: [Int] = []
        for start in definition.nodes.indices where colours[start] == .white {
            // A stack of our own: a hostile file may hold a chain deeper than the thread's.
            var path: [(node: Int, next: [Int])] = [(start, dependencies(of: start))]
            colours[start] = .grey
            while var top = path.popLast() {
                guard let next = top.next.first else {
                    colours[top.node] = .black
                    sorted.append(top.node)
                    continue
                }
                top.next.removeFirst()
                path.append(top)
                switch colours[next] {
                case .black: break
                case .white:
                    colours[next] = .grey
                    path.append((next, dependencies(of: next)))
                case .grey:
                    if let from = path.firstIndex(where: { $0.node == next }) {
                        cycles.append(path[from...].map(\.node))
                    }
                }
            }
        }
        for cycle in cycles {
            // The path runs against the data's direction; a reader wants to see it flow.
            let names = (cycle.reversed() + [cycle[cycle.count - 1]]).map { id($0).text }
            note(cycle[0], "inputs", "the nodes feed one another: \(names.joined(separator: " → "))")
        }
        order = sorted
        return cycles.isEmpty
    }

    private func dependencies(of node: Int) -> [Int] {
        feeders(of: node) + (substitute(of: node).map { [$0] } ?? [])
    }

    /// Finds what runs from the start: all that the result and the sinks are made of.
    mutating func findEager() {
        var open = definition.nodes.indices.filter { $0 == result || stages[$0]?.role == .sink }
        while let node = open.popLast() {
            if eager.insert(node).inserted { open += feeders(of: node) }
        }
    }

    /// Warns of nodes nothing needs.
    mutating func checkUse() {
        var needed = eager
        var open = eager.compactMap { substitute(of: $0) }
        while let node = open.popLast() {
            if needed.insert(node).inserted { open += feeders(of: node) + (substitute(of: node).map { [$0] } ?? []) }
        }
        let used = Set(definition.nodes.indices.flatMap { feeders(of: $0) + (substitute(of: $0).map { [$0] } ?? []) })
        for node in definition.nodes.indices where !needed.contains(node) {
            if used.contains(node) {
                note(node, "", "\"\(id(node))\" leads neither to the result nor to a sink and never runs", .warning)
            } else {
                note(node, "", "the output of \"\(id(node))\" is used by nobody, so it never runs", .warning)
            }
        }
    }
}
