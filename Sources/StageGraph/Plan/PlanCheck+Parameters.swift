import JSONDocument

extension PlanCheck {
    /// Checks every set value against its declaration and fills in the defaults.
    mutating func checkParameters() {
        for (index, node) in definition.nodes.enumerated() {
            guard let stage = stages[index] else {
                parameters.append(ParameterValues())
                declarations.append([])
                continue
            }
            let ofFeeds = stage.feedParameter.map { checkFeedParameters($0, of: index, stage) } ?? []
            var settings: [String: ParameterValues.Setting] = [:]
            for declaration in stage.parameters {
                settings[declaration.name] = ParameterValues.Setting(
                    value: declaration.domain.normal(declaration.defaultValue) ?? declaration.defaultValue,
                    layer: .default
                )
            }
            let declared = ofFeeds + stage.parameters
            for assignment in node.assignments {
                let field = "parameters.\(assignment.name)"
                guard let declaration = declared.first(where: { $0.name == assignment.name }) else {
                    noteUndeclared(assignment.name, of: index, stage, among: declared.map(\.name))
                    continue
                }
                let setting = assignment.setting
                guard let value = declaration.domain.normal(setting.value) else {
                    let found = JSONWriter.text(setting.value).prefix(60)
                    note(index, field, "\(found) does not fit: expected \(declaration.domain.expectation)")
                    continue
                }
                settings[assignment.name] = ParameterValues.Setting(
                    value: value,
                    layer: setting.layer,
                    origin: setting.origin,
                    why: setting.why
                )
            }
            parameters.append(ParameterValues(settings))
            declarations.append(declared)
        }
    }

    /// The parameters of the nodes that feed one; notes those that nothing sets, since no default would be meant.
    private mutating func checkFeedParameters(
        _ family: FeedParameter,
        of index: Int,
        _ stage: StageFacts
    ) -> [ParameterDeclaration] {
        let node = definition.nodes[index]
        let field = "inputs.\(family.input)"
        var declared: [ParameterDeclaration] = []
        for feeder in node.feeds.first(where: { $0.port == family.input })?.nodes ?? [] {
            let name = feeder.text
            guard stage.parameter(named: name) == nil else {
                note(index, field, "\(stage.kind) has a parameter \"\(name)\" of its own: give the node another id")
                continue
            }
            // A name that comes twice or leads nowhere is a problem of the input.
            guard indices[feeder] != nil, !declared.contains(where: { $0.name == name }) else { continue }
            let declaration = family.parameter(of: feeder).declaration
            declared.append(declaration)
            guard !node.assignments.contains(where: { $0.name == name }) else { continue }
            note(
                index,
                field,
                "\"\(name)\" has no \(family.noun): set parameters.\(name) to \(declaration.domain.expectation)"
            )
        }
        return declared
    }

    /// Says that a parameter is not declared; of a node that is there and feeds something else, it only has no effect.
    private mutating func noteUndeclared(_ name: String, of index: Int, _ stage: StageFacts, among known: [String]) {
        let field = "parameters.\(name)"
        let hint = NearestName.hint(for: name, among: known)
        guard let family = stage.feedParameter else {
            note(index, field, "\(stage.kind) has no parameter \"\(name)\"\(hint)")
            return
        }
        if indices[NodeID(name)] != nil {
            note(
                index,
                field,
                "no \(family.noun) is needed for \"\(name)\", which does not feed inputs.\(family.input)",
                .warning
            )
        } else {
            note(index, field, "the \(family.noun) belongs to no node: there is no \"\(name)\"\(hint)")
        }
    }
}

extension PlanCheck {
    /// Asks every kind of stage what it has against the way its node is set up.
    mutating func checkSettings() {
        for (index, node) in definition.nodes.enumerated() {
            // Only what is set up by the rules can be judged as a whole.
            guard let stage = stages[index], index < parameters.count, !hasErrors(at: index) else { continue }
            let feeds = Dictionary(node.feeds.map { ($0.port, $0.nodes) }) { first, _ in first }
            for objection in stage.objections(StageSetting(parameters[index], feeds: feeds)) {
                note(index, objection.field, objection.message, objection.severity)
            }
        }
    }

    private func hasErrors(at index: Int) -> Bool {
        let node = definition.nodes[index]
        let places = Set([node.place] + node.changedPlaces.values)
        return problems.contains { problem in
            problem.severity == .error
                && places.contains {
                    $0.file == problem.file && ($0.path == problem.path || problem.path.hasPrefix($0.path + "."))
                }
        }
    }
}

extension ParameterDeclaration.Domain {
    /// The value in the one form that counts for the identity, or nil when it does not fit.
    func normal(_ value: JSONValue) -> JSONValue? {
        switch self {
        case .double(let range): value.double.flatMap { range.contains($0) ? .number($0 == 0 ? 0 : $0) : nil }
        case .integer(let range): Self.whole(value).flatMap { range.contains($0) ? .integer($0) : nil }
        case .bool: value.bool.map(JSONValue.bool)
        case .choice(let words): value.string.flatMap { words.contains($0) ? .string($0) : nil }
        }
    }

    /// What a person is told would fit.
    package var expectation: String {
        switch self {
        case .double(let range): "a number from \(range.lowerBound) to \(range.upperBound)"
        case .integer(let range): "a whole number from \(range.lowerBound) to \(range.upperBound)"
        case .bool: "true or false"
        case .choice(let words): "one of " + words.joined(separator: ", ")
        }
    }

    private static func whole(_ value: JSONValue) -> Int? {
        if let int = value.int { return int }
        return value.double.flatMap { Int(exactly: $0) }
    }
}

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
            noteMissing(name, "substitute", of: index)
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
