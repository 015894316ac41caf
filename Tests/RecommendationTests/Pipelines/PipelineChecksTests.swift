import JSONDocument
import KnotDomain
import Recommendation
import Shipped
import StageGraph
import TestSupport
import Testing

/// Whatever would make a run fail because of its pipeline is found by checking the pipeline, with file and path.
@Suite(.onOwnThreads) struct PipelineChecksTests {
    struct Fault: Sendable, CustomTestStringConvertible {
        let name: String
        let settings: [String]
        var patch: JSONValue?
        let path: String
        let message: String

        var testDescription: String { name }
    }

    private static let scorers = [
        "hints", "themes", "interests", "vibes", "love_languages", "budget", "timing", "place", "quality", "learned",
    ]

    private static let faults = [
        Fault(
            name: "a floor above its ceiling",
            settings: ["relatedness.cosine_floor=0.8"],
            path: "relatedness.cosine_floor",
            message: "must be below cosine_ceiling"
        ),
        Fault(
            name: "a ceiling below its floor",
            settings: ["relatedness.cosine_ceiling=0.05"],
            path: "relatedness.cosine_ceiling",
            message: "must be below cosine_ceiling"
        ),
        Fault(
            name: "a flat ramp",
            settings: ["taste.vibe_low=0.15"],
            path: "taste.vibe_low",
            message: "must be below vibe_high"
        ),
        Fault(
            name: "no weight at all",
            settings: Self.scorers.map { "combine.\($0)=0" },
            path: "combine.",
            message: "every scorer has the weight 0"
        ),
        Fault(
            name: "no weight of those that score",
            settings: ["combine.hints=0"],
            patch: ["nodes": ["combine": ["inputs": ["scores": ["hints"]]]]],
            path: "combine.hints",
            message: "every scorer has the weight 0"
        ),
        Fault(
            name: "a scorer without weight",
            settings: [],
            patch: [
                "nodes": ["combine": ["inputs": ["scores": ["hints", "more"]]]],
                "add": [["id": "more", "kind": "score.quality", "inputs": ["pool": "distinct"]]],
            ],
            path: "$.nodes.combine.inputs.scores",
            message: "\"more\" has no weight: set parameters.more to a number from 0.0 to 1.0"
        ),
        Fault(
            name: "a weight of nobody",
            settings: ["combine.qualiti=0.1"],
            path: "combine.qualiti",
            message: "the weight belongs to no node: there is no \"qualiti\"; did you mean \"quality\"?"
        ),
        Fault(
            name: "a weight below nothing",
            settings: ["combine.hints=-0.1"],
            path: "combine.hints",
            message: "-0.1 does not fit: expected a number from 0.0 to 1.0"
        ),
        Fault(
            name: "a weight that is no number",
            settings: ["combine.hints=much"],
            path: "combine.hints",
            message: "\"much\" does not fit: expected a number from 0.0 to 1.0"
        ),
        Fault(
            name: "a scorer named like a parameter",
            settings: [],
            patch: [
                "nodes": ["combine": ["inputs": ["scores": ["hints", "ordinary"]]]],
                "add": [
                    ["id": "ordinary", "kind": "score.quality", "inputs": ["pool": "distinct"]]
                ],
            ],
            path: "$.nodes.combine.inputs.scores",
            message: "has a parameter \"ordinary\" of its own: give the node another id"
        ),
        Fault(
            name: "a result that is no set",
            settings: [],
            patch: ["result": "check"],
            path: "$.result",
            message: "would fit: present"
        ),
        Fault(
            name: "a pipeline content with no source",
            settings: [],
            patch: ["nodes": ["aggregate": ["minimum": ["pools": 0]]]],
            path: "$.nodes.aggregate.minimum",
            message: "expected 1 or more"
        ),
    ]

    @Test(arguments: faults) func `what would make a run fail is a problem with its path`(_ fault: Fault) throws {
        let error = try #require(throws: PipelineError.self) {
            try Scene.plan(ShippedPipelines.standard, settings: fault.settings, patch: fault.patch)
        }
        let problem = try #require(error.problems.first { $0.severity == .error })
        #expect(problem.path.hasPrefix(fault.path) && problem.message.contains(fault.message), "\(error)")
    }

    @Test func `a scorer that classic does not multiply by is a problem`() throws {
        let patch: JSONValue = ["nodes": ["combine": ["inputs": ["scores": ["interests", "interests_first"]]]]]
        let error = try #require(throws: PipelineError.self) { try Scene.plan("classic", patch: patch) }
        #expect(error.problems.contains { $0.message.contains("\"interests_first\" is no factor") })
    }

    @Test func `a weight whose scorer is not there is told`() throws {
        let plan = try Scene.plan(
            ShippedPipelines.standard,
            patch: ["nodes": ["combine": ["inputs": ["scores": ["hints"]]]]]
        )
        #expect(plan.warnings.contains { $0.message.contains("no weight is needed for \"quality\"") })
    }

    @Test func `a new scorer needs a node and a weight in the file, and nothing else`() throws {
        let plan = try Scene.plan(
            ShippedPipelines.standard,
            patch: [
                "nodes": ["combine": ["inputs": ["scores": ["hints", "fresh"]], "parameters": ["fresh": 0.3]]],
                "add": [["id": "fresh", "kind": "score.quality", "inputs": ["pool": "distinct"]]],
            ]
        )
        #expect(plan["combine"]?.declarations.map(\.name) == ["hints", "fresh", "ordinary"])
    }

    @Test func `a problem names its line in the file that it is about`() throws {
        let lines = [
            #"{ "schema": "knot.pipeline/1", "name": "mine", "extends": "choice-of-three","#,
            #"  "patch": { "nodes": {"#, #"    "combine": { "parameters": {"#, #"      "hints": 0.5,"#,
            #"      "novelti": { "value": 0.1, "why": "a slip" }"#, "    } } } } }",
        ]
        let error = try #require(throws: PipelineError.self) { try Self.plan(lines.joined(separator: "\n")) }
        #expect(error.problems.map(\.line) == [5])
        #expect(
            error.description.hasPrefix(
                "file:5: $.patch.nodes.combine.parameters.novelti: the weight belongs to no node"
            )
        )
    }

    @Test(arguments: ["a\u{0}b", "", "two\nlines", String(repeating: "x", count: 201)])
    func `a name can stand on one line and be stored`(name: String) throws {
        var pipeline = try #require(try Self.shipped(ShippedPipelines.standard).object)
        pipeline["name"] = .string(name)
        let text = JSONWriter.text(.object(pipeline))
        let error = try #require(throws: PipelineError.self) { try Self.plan(text) }
        #expect(error.problems.map(\.path) == ["$.name"])
    }

    @Test func `a reason with a NUL is a problem, since no database takes it`() throws {
        let patch: JSONValue = ["nodes": ["select": ["parameters": ["strength": ["value": 0.1, "why": "a\u{0}b"]]]]]
        let error = try #require(throws: PipelineError.self) {
            try Scene.plan(ShippedPipelines.standard, patch: patch)
        }
        #expect(error.problems.map(\.path) == ["$.nodes.select.parameters.strength.why"])
    }

    @Test(arguments: 0..<6)
    func `whenever a mutated pipeline has no problem, its runs do not fail`(part: UInt64) async throws {
        var sound = 0
        for turn in 0..<250 as Range<UInt64> {
            let seed = part * 1_000 + turn
            let name = ShippedPipelines.names[Int(seed % 2)]
            var mutation = PipelineMutation(seed: seed)
            let text = JSONWriter.text(mutation.mutated(try Self.shipped(name)))
            let plan: Plan
            do { plan = try Self.plan(text) } catch { continue }
            sound += 1
            let run = await Scene.engine.report(plan, ports: MatrixWorld.scene.ports(), options: RunOptions())
            guard case .failure(let failure) = run.result else { continue }
            // Only what no check can know: which providers are connected.
            #expect(failure.failureClass == .provider, "seed \(seed): \(failure)\n\(text)")
        }
        #expect(sound > 50)
    }

    private static func shipped(_ name: String) throws -> JSONValue {
        try JSONParser.parse(ShippedPipelines().definition(name, extendedBy: nil).bytes)
    }

    private static func plan(_ text: String) throws -> Plan {
        try Plan(PipelineLoader(source: OneFile(text: text)).load("file"), catalog: .knot)
    }

    private struct OneFile: DefinitionSource {
        let text: String

        func definition(
            _ reference: String,
            extendedBy file: String?
        ) throws(DefinitionSourceError) -> DefinitionFile {
            if reference != "file" { return try ShippedPipelines().definition(reference, extendedBy: nil) }
            return DefinitionFile(name: reference, bytes: Array(text.utf8))
        }
    }
}
