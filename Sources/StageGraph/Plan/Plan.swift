import Digest
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
    /// For each node, those that feed it, in declared order, each once.
    package let feeders: [[Int]]
    /// For each node, how many feed it.
    let feederCounts: [Int]
    /// SHA-256, in hexadecimal, of the canonical expanded form with the stages' revisions.
    package let identity: String
    /// The merged definition file this plan was made from.
    package let definition: JSONValue
    /// What is doubtful but no error.
    package let warnings: [PipelineProblem]
    /// The catalogue that it was checked against, which makes its stages.
    private let catalog: any Sendable

    package subscript(id: NodeID) -> PlanNode? {
        nodes.first { $0.id == id }
    }

    /// Checks a definition against facts of a catalogue; throws every problem at once.
    private init(
        _ definition: PipelineDefinition,
        facts: [StageFacts],
        result wanted: ResultType?,
        of catalog: any Sendable
    ) throws(PipelineError) {
        var check = PlanCheck(definition, facts: facts, result: wanted)
        check.run()
        check.placeProblems()
        let errors = check.problems.filter { $0.severity == .error }
        guard errors.isEmpty, let result = check.result, let deadline = definition.deadline else {
            throw PipelineError(check.problems.located(in: definition.files))
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
        feeders = check.planNodes.map { Set($0.feeds.flatMap(\.nodes)).sorted() }
        feederCounts = check.planNodes.map { $0.feeds.reduce(0) { $0 + $1.nodes.count } }
        warnings = check.problems.located(in: definition.files)
        self.catalog = catalog
        self.definition = definition.expanded()
        identity = PlanIdentity.digest(name: name, deadline: deadline, result: result, nodes: check.planNodes)
    }

    /// Checks a definition against a catalogue; throws every problem at once.
    package init<Ports>(_ definition: PipelineDefinition, catalog: StageCatalog<Ports>) throws(PipelineError) {
        try self.init(definition, facts: catalog.facts, result: catalog.result, of: catalog)
    }
}

extension Plan {
    /// Checks another definition that names no kind besides those of this plan, and gives the same type of result.
    package func replanned(as definition: PipelineDefinition) throws(PipelineError) -> Plan {
        let wanted = ResultType(nodes[result].stage.outputType)
        return try Plan(definition, facts: nodes.map(\.stage), result: wanted, of: catalog)
    }
}

/// One node of a plan: checked, with every parameter resolved.
package struct PlanNode: Sendable {
    /// One input and the nodes that feed it, by index in the plan, in declared order.
    package struct Feed: Sendable {
        package let input: InputDeclaration
        package let nodes: [Int]
        /// How many of them must have come for the node to start.
        package let minimum: Int
    }

    package let id: NodeID
    package let index: Int
    package let stage: StageFacts
    package let feeds: [Feed]
    /// What the node can be set to: one declaration for each node that feeds it where its kind asks for that, then the kind's.
    package let declarations: [ParameterDeclaration]
    /// Every declared parameter, set or not.
    package let parameters: ParameterValues
    package let policy: NodePolicy
    /// The node whose output stands in when this one fails.
    package let substitute: Int?
    package let wait: Duration?
    package let life: Duration?
    package let retry: RetryPolicy?
    let place: SourcePlace

    /// True when the run goes on without this node.
    package var isTolerated: Bool { policy == .optional }
}

/// A plan with its stages made: what a runner takes.
package struct BoundPlan: Sendable {
    package let plan: Plan
    let bodies: [NodeBody]
}

extension Plan {
    /// Makes every stage with these ports, cheaply enough to do for each run.
    package func bind<Ports: Sendable>(to ports: Ports) -> BoundPlan {
        guard let catalog = catalog as? StageCatalog<Ports> else {
            preconditionFailure("the catalogue of a plan makes stages of other ports")
        }
        // By index: a node is large to copy.
        return BoundPlan(
            plan: self,
            bodies: nodes.indices.map { catalog.make(nodes[$0].stage.kind, nodes[$0].parameters, ports) }
        )
    }
}

extension BoundPlan {
    /// The same stages, but one filter or shortlist keeps one item whatever it thinks of it.
    ///
    /// It is for asking what would have become of the item. The node still says that it dropped it; what counts is how
    /// far the item comes afterwards.
    package func sparing<Item: GraphItem>(_ item: ItemID, at node: NodeID, in type: Item.Type) -> BoundPlan {
        guard let index = plan[node]?.index, [.filter, .shortlist].contains(plan.nodes[index].stage.role) else {
            return self
        }
        let port = InputPort<Pool<Item>>(plan.nodes[index].stage.itemInput ?? "pool")
        let body = bodies[index]
        var bodies = bodies
        bodies[index] = NodeBody { (inputs, context) async throws(StageFailure) in
            let product = try await body.run(inputs, context)
            guard let kept = product.value as? Pool<Item>, !kept.items.contains(where: { $0.itemID == item }) else {
                return product
            }
            let before = try inputs.value(port).items
            guard let place = before.firstIndex(where: { $0.itemID == item }) else { return product }
            // It comes back where it stood, so that a spared item is no different from one that was never in doubt.
            let earlier = Set(before[..<place].map { $0.itemID })
            let position = kept.items.prefix { earlier.contains($0.itemID) }.count
            var items = kept.items
            items.insert(before[place], at: position)
            context.trace(TraceEvent("spared", item: item))
            return NodeBody.Product(value: Pool(items), incoming: product.incoming, outgoing: items.count)
        }
        return BoundPlan(plan: plan, bodies: bodies)
    }
}

/// The form of a plan that its identity is taken of: values only, no reasons, no summaries, no order of members.
enum PlanIdentity {
    static func digest(name: String, deadline: Duration, result: Int, nodes: [PlanNode]) -> String {
        let form: JSONValue = [
            "schema": .string(PipelineDefinition.schema), "name": .string(name),
            "deadline": .string(DurationText.text(deadline)), "result": .string(nodes[result].id.text),
            "nodes": .array(nodes.map { json($0, among: nodes) }),
        ]
        return SHA256Digest(of: JSONWriter.bytes(form, style: .canonical)).hex
    }

    private static func json(_ node: PlanNode, among nodes: [PlanNode]) -> JSONValue {
        let feeds = node.feeds.map { ($0.input.name, JSONValue($0.nodes.map { nodes[$0].id.text })) }
        let minima = node.feeds.filter { $0.input.arity == .many }.map {
            ($0.input.name, JSONValue.integer($0.minimum))
        }
        let parameters = node.declarations.compactMap { declaration in
            node.parameters.settings[declaration.name].map { (declaration.name, $0.value) }
        }
        return [
            "id": .string(node.id.text), "kind": .string(node.stage.kind), "revision": .integer(node.stage.revision),
            "inputs": NodeDefinition.object(feeds), "minimum": NodeDefinition.object(minima),
            "parameters": NodeDefinition.object(parameters), "policy": .string(node.policy.rawValue),
            "substitute": JSONValue(node.substitute.map { nodes[$0].id.text }),
            "wait": JSONValue(node.wait.map { DurationText.text($0) }),
            "life": JSONValue(node.life.map { DurationText.text($0) }),
            "retry": node.retry.map {
                ["attempts": .integer($0.attempts), "base": .string(DurationText.text($0.base))]
            } ?? .null,
        ]
    }
}
