/// Draws a plan in languages that others turn into pictures: what feeds what, grouped by role.
package enum PlanDrawing {
    /// One line of a drawing: from a node to another that it feeds.
    struct Edge: Equatable {
        let from: Int
        let to: Int
        /// The ports that the two nodes' names do not already tell, in declared order.
        let label: String
    }

    /// Every pair of nodes once, however many ports join them, in the order in which the consumers are declared.
    static func edges(of plan: Plan) -> [Edge] {
        plan.nodes.flatMap { node in
            var sources: [Int] = []
            var ports: [Int: [String]] = [:]
            for feed in node.feeds {
                for source in feed.nodes {
                    if ports[source] == nil { sources.append(source) }
                    let isObvious =
                        rolePorts.contains(feed.input.name) || feed.input.name == plan.nodes[source].id.text
                    ports[source, default: []] += isObvious ? [] : [feed.input.name]
                }
            }
            return sources.map {
                Edge(from: $0, to: node.index, label: ports[$0, default: []].joined(separator: ", "))
            }
        }
    }

    /// What a role always takes, which a picture need not say.
    private static let rolePorts: Set<String> = ["pool", "pools", "scores", "ranking", "selection"]

    /// Who stands in for whom.
    static func substitutes(of plan: Plan) -> [Edge] {
        plan.nodes.compactMap { node in
            node.substitute.map { Edge(from: $0, to: node.index, label: "stands in") }
        }
    }

    /// The roles of a plan in their order, each with its nodes in declared order.
    static func groups(of plan: Plan) -> [(role: StageRole, nodes: [PlanNode])] {
        StageRole.allCases.compactMap { role in
            let nodes = plan.nodes.filter { $0.stage.role == role }
            return nodes.isEmpty ? nil : (role, nodes)
        }
    }
}

extension StageRole {
    /// Fill and line of a role: cool where things come in, warm where they are decided.
    var colours: (fill: String, line: String) {
        switch self {
        case .reader, .retriever: ("#e8f1fb", "#4a7fb5")
        case .planner, .source: ("#e3f4f1", "#3c8f80")
        case .aggregator, .relater: ("#eef0f3", "#6b7785")
        case .filter: ("#fdeceb", "#c0564e")
        case .scorer: ("#fdf6e0", "#b58a1b")
        case .shortlist, .combiner: ("#fbeedd", "#b9722b")
        case .selector, .check: ("#f3eafa", "#855cab")
        case .presenter, .sink: ("#e9f6e6", "#55913f")
        }
    }
}
