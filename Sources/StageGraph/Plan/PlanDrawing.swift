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

extension PlanDrawing {
    /// The plan as a Graphviz digraph; optional nodes are dashed and the result's line is thick.
    package static func dot(_ plan: Plan) -> String {
        var lines = [
            "digraph \"\(quoted(plan.name))\" {", "  rankdir=TB;", "  compound=true;",
            "  node [shape=box, fontname=\"sans-serif\", fontsize=11];",
            "  edge [fontname=\"sans-serif\", fontsize=9, color=\"#6b7785\"];",
        ]
        for (role, nodes) in groups(of: plan) {
            lines.append("  subgraph \"cluster_\(role.rawValue)\" {")
            lines.append("    label=\"\(role.rawValue)\"; fontname=\"sans-serif\"; color=\"#d0d7de\"; style=rounded;")
            for node in nodes { lines.append("    \(statement(of: node, isResult: node.index == plan.result))") }
            lines.append("  }")
        }
        for edge in edges(of: plan) {
            let label = edge.label.isEmpty ? "" : " [label=\"\(quoted(edge.label))\"]"
            lines.append("  n\(edge.from) -> n\(edge.to)\(label);")
        }
        for edge in substitutes(of: plan) {
            lines.append("  n\(edge.from) -> n\(edge.to) [label=\"\(edge.label)\", style=dotted];")
        }
        return (lines + ["}"]).joined(separator: "\n") + "\n"
    }

    private static func statement(of node: PlanNode, isResult: Bool) -> String {
        let (fill, line) = node.stage.role.colours
        let style = node.isTolerated ? "filled,rounded,dashed" : "filled,rounded"
        let width = isResult ? ", penwidth=3" : ""
        return "n\(node.index) [label=\"\(quoted(node.id.text))\\n\(quoted(node.stage.kind))\", style=\"\(style)\","
            + " fillcolor=\"\(fill)\", color=\"\(line)\"\(width)];"
    }

    /// Text that is safe between quotes; control characters, which no label needs, become blanks.
    private static func quoted(_ text: String) -> String {
        var output = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": output += "\\\(scalar)"
            case _ where scalar.value < 0x20 || scalar.value == 0x7F: output += " "
            default: output.unicodeScalars.append(scalar)
            }
        }
        return output
    }
}

extension PlanDrawing {
    /// The plan as a Mermaid flowchart; optional nodes are dashed and the result's line is thick.
    package static func mermaid(_ plan: Plan) -> String {
        var lines = ["flowchart TD"]
        let groups = groups(of: plan)
        for (role, nodes) in groups {
            // A word before the name, since some role may one day be called like a word of the language.
            lines.append("  subgraph role_\(role.rawValue)[\"\(role.rawValue)\"]")
            for node in nodes {
                let label = "\(markup(node.id.text))<br/><small>\(markup(node.stage.kind))</small>"
                let (open, close) = brackets(of: role)
                lines.append("    n\(node.index)\(open)\"\(label)\"\(close)")
            }
            lines.append("  end")
        }
        for edge in edges(of: plan) {
            let label = edge.label.isEmpty ? "" : "|\"\(markup(edge.label))\"|"
            lines.append("  n\(edge.from) -->\(label) n\(edge.to)")
        }
        for edge in substitutes(of: plan) { lines.append("  n\(edge.from) -.->|\"\(edge.label)\"| n\(edge.to)") }
        for (role, nodes) in groups {
            let (fill, line) = role.colours
            lines.append("  classDef \(role.rawValue) fill:\(fill),stroke:\(line),color:#1f2328")
            lines.append("  class \(nodes.map { "n\($0.index)" }.joined(separator: ",")) \(role.rawValue)")
        }
        let optional = plan.nodes.filter(\.isTolerated).map { "n\($0.index)" }
        if !optional.isEmpty {
            lines.append("  classDef optional stroke-dasharray:4 3")
            lines.append("  class \(optional.joined(separator: ",")) optional")
        }
        lines.append("  classDef result stroke-width:3px")
        lines.append("  class n\(plan.result) result")
        return lines.joined(separator: "\n") + "\n"
    }

    /// Where something comes in or goes out, where the set is chosen, and everything between.
    private static func brackets(of role: StageRole) -> (open: String, close: String) {
        switch role {
        case .source: ("([", "])")
        case .selector, .check: ("{{", "}}")
        case .sink: ("[(", ")]")
        default: ("[", "]")
        }
    }

    /// Text that is safe between quotes: Mermaid's own numeric entities for all it could read as something else.
    private static func markup(_ text: String) -> String {
        var output = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "#", "&", "<", ">", ";", "`", "|", "\\", "[", "]", "{", "}": output += "#\(scalar.value);"
            case _ where scalar.value < 0x20 || scalar.value == 0x7F: output += " "
            default: output.unicodeScalars.append(scalar)
            }
        }
        return output
    }
}
