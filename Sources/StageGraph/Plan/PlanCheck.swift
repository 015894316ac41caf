/// Finds everything wrong with a definition and, where nothing is, the parts of its plan.
struct PlanCheck {
    let definition: PipelineDefinition
    let facts: [String: StageFacts]
    /// First node of each id, by index.
    let indices: [NodeID: Int]
    /// The facts of each node, nil where its kind is unknown.
    let stages: [StageFacts?]
    var problems: [PipelineProblem] = []
    var result: Int?
    var order: [Int] = []
    var eager: Set<Int> = []
    var planNodes: [PlanNode] = []
    /// Checked parameters by node, and what was declared of each.
    var parameters: [ParameterValues] = []
    var declarations: [[ParameterDeclaration]] = []

    /// What the node of the result must give; nil where anything will do.
    let wanted: ResultType?

    init(_ definition: PipelineDefinition, facts: [StageFacts], result wanted: ResultType? = nil) {
        self.definition = definition
        self.wanted = wanted
        self.facts = Dictionary(facts.map { ($0.kind, $0) }, uniquingKeysWith: { first, _ in first })
        var indices: [NodeID: Int] = [:]
        for (index, node) in definition.nodes.enumerated() where indices[node.id] == nil { indices[node.id] = index }
        self.indices = indices
        let byKind = self.facts
        stages = definition.nodes.map { byKind[$0.kind] }
        problems = definition.readingProblems
    }

    mutating func run() {
        checkHead()
        checkNames()
        checkParameters()
        checkFeeds()
        let isAcyclic = checkOrder()
        checkPolicies()
        checkRoles()
        checkSettings()
        checkResult()
        if isAcyclic {
            findEager()
            checkTimes()
            checkUse()
        }
        keepFirstOfEachPlace()
        if !problems.contains(where: { $0.severity == .error }) { assemble() }
    }

    /// Places what a patch brings at the patch; what could not be read stands where it is written.
    mutating func placeProblems() {
        let known = problems.prefix(while: definition.readingProblems.contains).count
        guard known < problems.count, let layers = definition.layers, !layers.patches.isEmpty else { return }
        let found = layers.placed(Array(problems.dropFirst(known))) { definition in
            var check = PlanCheck(definition, facts: Array(facts.values), result: wanted)
            check.run()
            return check.problems
        }
        problems = problems.prefix(known) + found
    }

    /// A value that could not be read is also missing; the first thing said of a place is the one that helps.
    private mutating func keepFirstOfEachPlace() {
        let unread = Set(definition.readingProblems.map { [$0.file, $0.path] })
        let known = definition.readingProblems.count
        let later = problems.dropFirst(known).filter { !unread.contains([$0.file, $0.path]) }
        problems = Array(problems.prefix(known)) + later
    }

    mutating func note(_ node: Int, _ field: String, _ message: String, _ severity: PipelineProblem.Severity = .error) {
        let definition = definition.nodes[node]
        problems.append(PipelineProblem(definition.place(of: field), message, severity))
    }

    /// Notes that a field of a node names a node that there is not.
    mutating func noteMissing(_ name: NodeID, _ field: String, of node: Int) {
        let user = definition.nodes[node]
        problems.append(
            definition.problem(
                missing: name,
                at: user.place(of: field),
                user: "\(field) of \"\(user.id)\"",
                besides: user.id
            )
        )
    }

    /// The nodes that feed one node through any input, in declared order, unknown names left out.
    func feeders(of node: Int) -> [Int] {
        definition.nodes[node].feeds.flatMap(\.nodes).compactMap { indices[$0] }
    }

    func substitute(of node: Int) -> Int? {
        definition.nodes[node].substitute.flatMap { indices[$0] }
    }

    func id(_ node: Int) -> NodeID { definition.nodes[node].id }

    /// The input a feed goes to, if the node's kind declares it.
    func input(_ feed: NodeDefinition.Feed, of node: Int) -> InputDeclaration? {
        stages[node]?.input(named: feed.port)
    }

    /// What a node's failure means: what the file says, else optional where every consumer can go without it.
    func policy(of node: Int) -> NodePolicy {
        if let written = definition.nodes[node].policy { return written }
        if node == result || stages[node]?.role == .sink { return .required }
        var isUsed = false
        for (consumer, other) in definition.nodes.enumerated() {
            for feed in other.feeds where feed.nodes.contains(id(node)) {
                guard let arity = input(feed, of: consumer)?.arity, arity != .one else { return .required }
                isUsed = true
            }
        }
        return isUsed ? .optional : .required
    }

    private mutating func checkHead() {
        if definition.nodes.isEmpty {
            problems.append(PipelineProblem(definition.place, "a pipeline needs at least one node"))
        }
        if definition.deadline == nil {
            problems.append(PipelineProblem(definition.place.member("deadline"), "is missing"))
        }
        let place = definition.resultPlace ?? definition.place.member("result")
        guard let name = definition.result else {
            problems.append(PipelineProblem(place, "is missing: the id of the node whose output is the result"))
            return
        }
        result = indices[name]
        if result == nil {
            problems.append(definition.problem(missing: name, at: place, user: "the result"))
        }
    }

    /// A result that nobody can read would only be found out by a run.
    private mutating func checkResult() {
        guard let wanted, let result, let stage = stages[result], stage.output != wanted.type else { return }
        let fitting = definition.nodes.indices.filter { stages[$0]?.output == wanted.type }.map { id($0).text }
        problems.append(
            PipelineProblem(
                definition.resultPlace ?? definition.place.member("result"),
                "\"\(id(result))\" (\(stage.kind)) gives \(stage.outputName), but a run must give \(wanted.name)"
                    + (fitting.isEmpty ? "; no node gives that" : "; would fit: " + fitting.joined(separator: ", "))
            )
        )
    }

    private mutating func checkNames() {
        for (index, node) in definition.nodes.enumerated() {
            if let first = indices[node.id], first != index {
                let other = definition.nodes[first].place
                note(index, "id", "the id \"\(node.id)\" is taken by \(other.file) \(other.path)")
            }
            if stages[index] == nil {
                note(
                    index,
                    "kind",
                    "there is no kind \"\(node.kind)\"" + NearestName.hint(for: node.kind, among: Array(facts.keys))
                )
            }
        }
    }

    private mutating func assemble() {
        planNodes = definition.nodes.enumerated().compactMap { index, node in
            guard let stage = stages[index] else { return nil }
            let feeds = stage.inputs.map { input in
                let nodes = node.feeds.first { $0.port == input.name }?.nodes.compactMap { indices[$0] } ?? []
                let least = input.arity == .optional ? 0 : min(1, nodes.count)
                return PlanNode.Feed(input: input, nodes: nodes, minimum: node.minimum[input.name] ?? least)
            }
            return PlanNode(
                id: node.id,
                index: index,
                stage: stage,
                feeds: feeds,
                declarations: declarations[index],
                parameters: parameters[index],
                policy: policy(of: index),
                substitute: substitute(of: index),
                wait: node.wait,
                life: node.life,
                retry: node.retry,
                place: node.place
            )
        }
    }
}
