import Testing

@testable import StageGraph

/// A plan's pictures, taken apart again: what they say must be what the plan says, each thing once.
@Suite struct PlanDrawingTests {
    private static let optionalPatch = """
        { "nodes": { "heavy": { "policy": "optional", "substitute": "heap" } } }
        """

    @Test func `mermaid names every node once with its id and kind`() throws {
        let plan = try PebblePipeline.plan()
        let nodes = Self.statements(PlanDrawing.mermaid(plan), /^\s+n(\d+)[\(\[\{]+"(.+)<br\/><small>(.+)<\/small>"/)
        #expect(nodes.map(\.sorted) == Self.expectedNodes(plan))
    }

    @Test func `dot names every node once with its id and kind`() throws {
        let plan = try PebblePipeline.plan()
        let nodes = Self.statements(PlanDrawing.dot(plan), /^\s+n(\d+) \[label="([^"\\]+)\\n([^"]+)", style=/)
        #expect(nodes.map(\.sorted) == Self.expectedNodes(plan))
    }

    @Test func `both pictures draw every edge once`() throws {
        let plan = try PebblePipeline.plan()
        var expected: Set<String> = []
        for node in plan.nodes {
            for source in node.feeds.flatMap(\.nodes) { expected.insert("\(source) \(node.index)") }
        }
        for (text, arrow) in [(PlanDrawing.mermaid(plan), "-->"), (PlanDrawing.dot(plan), "->")] {
            let drawn = Self.edges(text, arrow)
            #expect(drawn.sorted() == expected.sorted(), "\(arrow)")
        }
    }

    @Test func `an edge says its port only where the port is not what one would think`() throws {
        let plan = try PebblePipeline.plan()
        let limit = try #require(plan["limit"]?.index)
        let heavy = try #require(plan["heavy"]?.index)
        let edge = PlanDrawing.edges(of: plan).first { $0.from == limit && $0.to == heavy }
        #expect(edge?.label == "", "the port is called limit, like the node that feeds it")
        let text = PlanDrawing.mermaid(try PebblePipeline.plan())
        let count = try #require(plan["count"]?.index)
        let check = try #require(plan["check"]?.index)
        #expect(PlanDrawing.edges(of: plan).first { $0.from == check && $0.to == count }?.label == "checked")
        #expect(!text.contains("|\"pool\"|"))
    }

    @Test func `what may fail is dashed and what stands in is dotted`() throws {
        let plan = try PebblePipeline.plan(Self.optionalPatch)
        let heavy = try #require(plan["heavy"]?.index)
        let heap = try #require(plan["heap"]?.index)
        let mermaid = PlanDrawing.mermaid(plan)
        #expect(mermaid.contains("n\(heap) -.->|\"stands in\"| n\(heavy)"))
        let optional = plan.nodes.filter(\.isTolerated).map { "n\($0.index)" }.joined(separator: ",")
        #expect(mermaid.contains("  class \(optional) optional\n"))
        let dot = PlanDrawing.dot(plan)
        #expect(dot.contains("n\(heap) -> n\(heavy) [label=\"stands in\", style=dotted];"))
        #expect(dot.split(separator: "\n").count { $0.contains("dashed") } == plan.nodes.count(where: \.isTolerated))
    }

    @Test func `groups open and close in both languages`() throws {
        let plan = try PebblePipeline.plan()
        let roles = Set(plan.nodes.map(\.stage.role)).count
        let mermaid = PlanDrawing.mermaid(plan).split(separator: "\n")
        #expect(mermaid.count { $0.hasPrefix("  subgraph ") } == roles)
        #expect(mermaid.count { $0 == "  end" } == roles)
        let dot = PlanDrawing.dot(plan)
        #expect(dot.count { $0 == "{" } == roles + 1)
        #expect(dot.count { $0 == "}" } == roles + 1)
        #expect(dot.count { $0 == "\"" } % 2 == 0)
    }

    @Test func `a name full of quotes stays inside its quotes`() throws {
        var definition = try PebblePipeline.definition()
        definition.name = "a \"b\" \\ c\nd"
        let plan = try Plan(definition, catalog: PebbleCatalog.make())
        #expect(PlanDrawing.dot(plan).hasPrefix("digraph \"a \\\"b\\\" \\\\ c d\" {\n"))
    }

    @Test func `the same plan is always drawn the same`() throws {
        let first = try PebblePipeline.plan()
        let second = try PebblePipeline.plan()
        #expect(PlanDrawing.mermaid(first) == PlanDrawing.mermaid(second))
        #expect(PlanDrawing.dot(first) == PlanDrawing.dot(second))
    }

    private static func expectedNodes(_ plan: Plan) -> [[String]] {
        // Drawings go by role, so the order is that of the roles and within one that of the plan.
        StageRole.allCases.flatMap { role in
            plan.nodes.filter { $0.stage.role == role }
                .map { ["\($0.index)", $0.id.text, $0.stage.kind].sorted() }
        }
    }

    private static func statements(
        _ text: String,
        _ pattern: Regex<(Substring, Substring, Substring, Substring)>
    ) -> [Set<String>] {
        text.split(separator: "\n").compactMap { line in
            line.firstMatch(of: pattern).map { [String($0.1), String($0.2), String($0.3)] }
        }
    }

    private static func edges(_ text: String, _ arrow: String) -> [String] {
        text.split(separator: "\n").compactMap { line in
            guard !line.contains("stands in") else { return nil }
            let words = line.split(whereSeparator: { " ;|".contains($0) })
            guard words.count >= 3, words[1] == arrow, let last = words.dropFirst(2).last(where: { $0.hasPrefix("n") })
            else { return nil }
            let to = arrow == "->" ? words[2] : last
            return "\(words[0].dropFirst()) \(to.dropFirst())"
        }
    }
}

extension Set<String> {
    fileprivate var sorted: [String] { sorted() }
}
