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
