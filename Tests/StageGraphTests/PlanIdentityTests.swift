import JSONDocument
import StageGraph
import Testing

@Suite struct `A plan's identity` {
    @Test func `is 64 hexadecimal digits`() throws {
        let identity = try PebblePipeline.plan().identity
        #expect(identity.count == 64)
        #expect(identity.allSatisfy { $0.isHexDigit })
    }

    @Test(arguments: [
        #"{ "nodes": { "heavy": { "parameters": { "slack": { "why": "another reason", "value": 0.25 } } } } }"#,
        #"{ "nodes": { "heavy": { "parameters": { "slack": 0.25 } } } }"#,
        #"{ "nodes": { "heavy": { "inputs": { "limit": "limit", "pool": "heap" } } } }"#,
        #"{ "nodes": { "north": { "parameters": { "count": 8 } } } }"#,
        #"{ "nodes": { "weight": { "parameters": { "curve": "straight" } } } }"#,
    ]) func `does not change with reasons, order of members or defaults written out`(_ patch: String) throws {
        let (patched, plain) = try (PebblePipeline.plan(patch), PebblePipeline.plan())
        #expect(patched.identity == plain.identity)
    }

    @Test(arguments: [
        #"{ "nodes": { "heavy": { "parameters": { "slack": 0.26 } } } }"#,
        #"{ "nodes": { "heap": { "inputs": { "pools": ["south", "north"] } } } }"#,
        #"{ "nodes": { "heap": { "minimum": { "pools": 2 } } } }"#,
        #"{ "nodes": { "north": { "policy": "required" } } }"#,
        #"{ "nodes": { "heavy": { "substitute": "heap" } } }"#,
        #"{ "nodes": { "heavy": { "life": "1s" } } }"#,
        #"{ "nodes": { "north": { "wait": "1s" } } }"#,
        #"{ "nodes": { "north": { "retry": { "attempts": 2 } } } }"#,
        #"{ "deadline": "3s" }"#,
    ]) func `changes with everything that can change a result`(_ patch: String) throws {
        let (patched, plain) = try (PebblePipeline.plan(patch), PebblePipeline.plan())
        #expect(patched.identity != plain.identity)
    }

    @Test func `changes with a stage's revision`() throws {
        var old = StageCatalog<Void>()
        old.add(Old.self) { (_, _) in Old() }
        var new = StageCatalog<Void>()
        new.add(New.self) { (_, _) in New() }
        let definition = try PipelineDefinition(
            json: [
                "schema": "knot.pipeline/1", "name": "one", "deadline": "1s", "result": "n",
                "nodes": [["id": "n", "kind": "reader.one"]],
            ],
            file: "test"
        )
        let (first, second) = try (Plan(definition, catalog: old), Plan(definition, catalog: new))
        #expect(first.identity != second.identity)
    }

    private struct Old: TransformStage {
        static let kind = "reader.one"
        static let role = StageRole.reader
        static let summary = "One."
        func run(_ inputs: StageInputs, in context: StageContext) async throws(StageFailure) -> Int { 1 }
    }

    private struct New: TransformStage {
        static let kind = "reader.one"
        static let role = StageRole.reader
        static let revision = 2
        static let summary = "One."
        func run(_ inputs: StageInputs, in context: StageContext) async throws(StageFailure) -> Int { 1 }
    }
}
