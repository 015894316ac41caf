import JSONDocument
import StageGraph
import TestSupport
import Testing

@Suite struct `The schema of pipeline files` {
    private let schema = PipelineSchema.document(for: PebbleCatalog.make())

    @Test func `lists every kind`() {
        let kinds = schema["$defs"]?["kind"]?["oneOf"]?.array?.compactMap { $0["const"]?.string }
        #expect(kinds == PebbleCatalog.make().facts.map(\.kind).sorted())
    }

    @Test func `bounds and explains every parameter`() {
        let slack = schema["$defs"]?["parameters:filter.heavy"]?["properties"]?["slack"]
        let bounds = slack?["anyOf"]?.array?.first
        #expect(bounds?["minimum"]?.double == 0)
        #expect(bounds?["maximum"]?.double == 10)
        #expect(slack?["description"] == .string(DropHeavy.slack.declaration.summary))
        #expect(slack?["default"]?.double == 0.5)
    }

    @Test func `refers only to what it defines`() {
        var references: [String] = []
        func visit(_ value: JSONValue) {
            if let reference = value["$ref"]?.string { references.append(reference) }
            for member in value.object?.members ?? [] { visit(member.value) }
            for item in value.array ?? [] { visit(item) }
        }
        visit(schema)
        let defined = Set((schema["$defs"]?.object?.names ?? []).map { "#/$defs/\($0)" })
        #expect(!references.isEmpty)
        #expect(Set(references).subtracting(defined).isEmpty)
    }

    @Test func `knows every field a node may have`() throws {
        let node = schema["$defs"]?["node"]?["properties"]?.object?.names ?? []
        #expect(
            Set(node) == [
                "id", "kind", "after", "inputs", "parameters", "policy", "minimum", "substitute", "wait", "life",
                "retry",
            ]
        )
    }
}
