package import JSONDocument

/// An immutable, checked graph: what runs, in which order it is joined, and the name under which its results are kept.
package struct Plan: Sendable {
    package let name: String
    package let summary: String?
    package let deadline: Duration
    /// In declared order, which is the order of every join.
    package let nodes: [PlanNode]
    package let result: Int
    /// Indices such that every node comes after what feeds it or stands in for it.
    package let order: [Int]
    /// The nodes that run from the start; the others only when a substitute needs them, or never.
    package let eager: Set<Int>
    /// For each node, those it feeds, as often as it does.
    let followers: [[Int]]
    /// For each node, how many feed it.
    let feederCounts: [Int]
    /// SHA-256, in hexadecimal, of the canonical expanded form with the stages' revisions.
    package let identity: String
    /// The merged definition file this plan was made from.
    package let definition: JSONValue
    /// What is doubtful but no error.
    package let warnings: [PipelineProblem]

    package subscript(id: NodeID) -> PlanNode? {
        nodes.first { $0.id == id }
    }

    /// Checks a definition against a catalogue's facts; throws every problem at once.
    package init(
        _ definition: PipelineDefinition,
        facts: [StageFacts],
        result wanted: ResultType? = nil
    ) throws(PipelineError) {
        var check = PlanCheck(definition, facts: facts, result: wanted)
        check.run()
        let errors = check.problems.filter { $0.severity == .error }
        guard errors.isEmpty, let result = check.result, let deadline = definition.deadline else {
            throw PipelineError(check.problems)
        }
        name = definition.name
        summary = definition.summary
        self.deadline = deadline
        nodes = check.planNodes
        self.result = result
        order = check.order
        eager = check.eager
        var followers = [[Int]](repeating: [], count: check.planNodes.count)
        for node in check.planNodes {
            for feeder in node.feeds.flatMap(\.nodes) { followers[feeder].append(node.index) }
        }
        self.followers = followers
        feederCounts = check.planNodes.map { $0.feeds.reduce(0) { $0 + $1.nodes.count } }
        warnings = check.problems
        self.definition = definition.expanded()
        identity = PlanIdentity.digest(name: name, deadline: deadline, result: result, nodes: check.planNodes)
    }

    /// Checks a definition against a catalogue; throws every problem at once.
    package init<Ports>(_ definition: PipelineDefinition, catalog: StageCatalog<Ports>) throws(PipelineError) {
        try self.init(definition, facts: catalog.facts, result: catalog.result)
    }
}
