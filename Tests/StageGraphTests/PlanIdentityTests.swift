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
        old.add(Old.self) { (_, _) throws(ParameterError) in Old() }
        var new = StageCatalog<Void>()
        new.add(New.self) { (_, _) throws(ParameterError) in New() }
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

    @Test func `is the same from the builder and from a file`() throws {
        var builder = PipelineBuilder("pebbles", deadline: .seconds(2))
        let limit = builder.add("limit", ReadLimit.self)
        let north = builder.add("north", FindPebbles.self, rules: NodeRules(policy: .optional))
        let south = builder.add(
            "south",
            FindPebbles.self,
            parameters: [FindPebbles.count <- 6],
            rules: NodeRules(policy: .optional)
        )
        let heap = builder.add("heap", HeapPebbles.self, [HeapPebbles.pools <- [north, south]])
        let heavy = builder.add(
            "heavy",
            DropHeavy.self,
            [DropHeavy.pool <- heap, DropHeavy.limit <- limit],
            parameters: [(DropHeavy.slack <- 0.25).because("scales differ")]
        )
        let weight = builder.add("weight", ScoreWeight.self, [ScoreWeight.pool <- heavy])
        let root = builder.add(
            "root",
            ScoreWeight.self,
            [ScoreWeight.pool <- heavy],
            parameters: [ScoreWeight.curve <- .root]
        )
        let few = builder.add("few", KeepFew.self, [KeepFew.pool <- heavy, KeepFew.columns <- [weight, root]])
        let sum = builder.add("sum", AddScores.self, [AddScores.pool <- few, AddScores.columns <- [weight, root]])
        let top = builder.add("top", TakeTop.self, [TakeTop.ranking <- sum])
        let check = builder.add("check", CheckPebbles.self, [CheckPebbles.selection <- top])
        _ = builder.add("count", CountReceipt.self, [CountReceipt.checked <- check])
        let plan = try Plan(builder.definition(result: check), catalog: PebbleCatalog.make())
        let file = try PebblePipeline.plan()
        #expect(plan.identity == file.identity)
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
