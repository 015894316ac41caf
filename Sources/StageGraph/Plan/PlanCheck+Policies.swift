extension PlanCheck {
    /// Checks substitutes and that nothing fails open that must not.
    mutating func checkPolicies() {
        for (index, node) in definition.nodes.enumerated() {
            checkSubstitute(of: index)
            if stages[index]?.role == .sink, node.policy == .optional {
                note(
                    index,
                    "policy",
                    "a sink must not fail open: a lost write would look like success; expected required"
                )
            } else if index == result, node.policy == .optional {
                note(index, "policy", "the node of the result cannot be optional; expected required")
            } else if node.policy == .optional, node.substitute == nil {
                warnOfRequiredConsumers(of: index)
            }
        }
        let sinks = definition.nodes.indices.filter { stages[$0]?.role == .sink }
        for sink in sinks.dropFirst() {
            note(
                sink,
                "kind",
                "\"\(id(sinks[0]))\" is a sink already: a run writes in one place or it cannot write all or nothing"
            )
        }
    }

    private mutating func checkSubstitute(of index: Int) {
        guard let name = definition.nodes[index].substitute else { return }
        guard let other = indices[name] else {
            let hint = NearestName.hint(for: name.text, among: definition.nodes.map(\.id.text))
            note(index, "substitute", "there is no node \"\(name)\"\(hint)")
            return
        }
        if stages[index]?.role == .sink {
            note(index, "substitute", "a sink cannot be stood in for: it must write or fail")
        }
        if let stage = stages[index], let stand = stages[other], stage.output != stand.output {
            note(
                index,
                "substitute",
                "\"\(name)\" gives \(stand.outputName), but \"\(id(index))\" must give \(stage.outputName)"
            )
        }
    }

    private mutating func warnOfRequiredConsumers(of index: Int) {
        for (consumer, node) in definition.nodes.enumerated() {
            for feed in node.feeds where feed.nodes.contains(id(index)) && input(feed, of: consumer)?.arity == .one {
                note(
                    index,
                    "policy",
                    "\"\(node.id)\" cannot start without \"\(id(index))\":"
                        + " optional saves little here without a substitute",
                    .warning
                )
            }
        }
    }

    /// Checks that roles follow one another and that nothing is shown or written unchecked.
    mutating func checkRoles() {
        for (index, node) in definition.nodes.enumerated() {
            guard let stage = stages[index] else { continue }
            for feed in node.feeds {
                for source in feed.nodes.compactMap({ indices[$0] }) {
                    guard let earlier = stages[source], !stage.role.mayFollow(earlier.role) else { continue }
                    note(
                        index,
                        "inputs.\(feed.port)",
                        "the \(stage.role.rawValue) \"\(node.id)\" cannot follow"
                            + " the \(earlier.role.rawValue) \"\(id(source))\""
                    )
                }
            }
            if stage.role == .sink || stage.role == .presenter { checkGuard(of: index, stage.role) }
        }
    }

    private mutating func checkGuard(of index: Int, _ role: StageRole) {
        var seen: Set<Int> = [index]
        var open = feeders(of: index)
        var meetsCheck = false
        while let node = open.popLast() {
            guard seen.insert(node).inserted else { continue }
            if stages[node]?.role == .check {
                meetsCheck = true
            } else if stages[node]?.role == .selector {
                note(
                    index,
                    "inputs",
                    "no check stands between the selector \"\(id(node))\" and the \(role.rawValue) \"\(id(index))\""
                )
            } else {
                open += feeders(of: node)
            }
        }
        if role == .sink, !meetsCheck, !seen.contains(where: { stages[$0]?.role == .selector }) {
            note(index, "inputs", "no check stands before the sink \"\(id(index))\"")
        }
    }
}

extension StageRole {
    /// Whether data may flow from the other role to this one; a scorer may also score a shortlist, and a relater may look
    /// at what filters left, before others go by what it found.
    package func mayFollow(_ other: StageRole) -> Bool {
        other <= self || (other == .shortlist && self == .scorer) || (other == .filter && self == .relater)
    }
}
