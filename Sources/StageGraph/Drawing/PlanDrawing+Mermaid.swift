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
