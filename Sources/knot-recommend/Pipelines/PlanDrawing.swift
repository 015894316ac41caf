import StageGraph

/// A plan as a picture in a language that others draw.
struct PlanDrawing: Sendable {
    private let plan: Plan

    init(_ plan: Plan) {
        self.plan = plan
    }

    func text(_ format: GraphFormat) -> String {
        let lines =
            switch format {
            case .mermaid: mermaid
            case .dot: dot
            }
        return lines.joined(separator: "\n") + "\n"
    }

    /// What feeds what, each pair once although it may be joined by several inputs.
    private var edges: [(from: Int, to: Int)] {
        plan.nodes.flatMap { node in
            Set(node.feeds.flatMap(\.nodes)).sorted().map { (from: $0, to: node.index) }
        }
    }

    private var substitutes: [(from: Int, to: Int)] {
        plan.nodes.compactMap { node in node.substitute.map { (from: $0, to: node.index) } }
    }

    private var mermaid: [String] {
        var lines = ["flowchart TD"]
        for node in plan.nodes {
            let label = "\(Self.markup(node.id.text))<br/><small>\(Self.markup(node.stage.kind))</small>"
            let (open, close) = Self.shape(node.stage.role)
            lines.append("  n\(node.index)\(open)\"\(label)\"\(close)")
        }
        lines += edges.map { "  n\($0.from) --> n\($0.to)" }
        lines += substitutes.map { "  n\($0.from) -. stands in .-> n\($0.to)" }
        let optional = plan.nodes.filter(\.isTolerated).map { "n\($0.index)" }
        if !optional.isEmpty {
            lines += [
                "  classDef optional stroke-dasharray: 4 3", "  class \(optional.joined(separator: ",")) optional",
            ]
        }
        return lines
    }

    private var dot: [String] {
        var lines = [
            "digraph \"\(Self.quoted(plan.name))\" {", "  node [shape=box, style=rounded, fontname=\"sans-serif\"];",
        ]
        for node in plan.nodes {
            let style = node.isTolerated ? ", style=\"rounded,dashed\"" : ""
            lines.append(
                "  n\(node.index) [label=\"\(Self.quoted(node.id.text))\\n\(Self.quoted(node.stage.kind))\"\(style)];"
            )
        }
        lines += edges.map { "  n\($0.from) -> n\($0.to);" }
        lines += substitutes.map { "  n\($0.from) -> n\($0.to) [style=dotted, label=\"stands in\"];" }
        return lines + ["}"]
    }

    /// Where something comes in or goes out, where the set is chosen, and everything between.
    private static func shape(_ role: StageRole) -> (open: String, close: String) {
        switch role {
        case .source: ("([", "])")
        case .selector: ("{{", "}}")
        case .sink: ("[(", ")]")
        default: ("[", "]")
        }
    }

    private static func markup(_ text: String) -> String {
        TerminalText.safe(text, limit: 80).replacing("&", with: "&amp;").replacing("\"", with: "&quot;")
            .replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    }

    private static func quoted(_ text: String) -> String {
        TerminalText.safe(text, limit: 80).replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
    }
}
