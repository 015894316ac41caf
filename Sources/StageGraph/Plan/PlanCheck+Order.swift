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
