import JSONDocument
import StageGraph
import Testing

@Suite struct `A pipeline loader` {
    private func load(
        _ files: [String: String],
        _ name: String = "x",
        experiments: [ExperimentLayer] = [],
        settings: [CommandLineSetting] = []
    ) throws -> PipelineDefinition {
        var files = files
        files["pebbles"] = PebblePipeline.text
        return try PipelineLoader(source: PebblePipeline.Texts(files: files)).load(
            name,
            experiments: experiments,
            settings: settings
        )
    }

    private func plan(_ definition: PipelineDefinition) throws -> Plan {
        try Plan(definition, catalog: PebbleCatalog.make())
    }

    private func patching(_ base: String, _ patch: String) -> String {
        #"{ "schema": "knot.pipeline/1", "name": "x", "extends": "\#(base)", "patch": \#(patch) }"#
    }

    @Test func `patches a named base field by field`() throws {
        let patch = """
            { "deadline": "3s", "nodes": { "root": null, "few": { "inputs": { "scores": ["weight"] } },
              "sum": { "inputs": { "scores": "weight" } }, "heavy": { "parameters": { "slack": 2 } } },
              "add": [ { "id": "again", "kind": "filter.heavy", "after": "heavy",
                         "inputs": { "pool": "heavy", "limit": "limit" } } ] }
            """
        let definition = try load(["x": patching("pebbles", patch)])
        #expect(definition.name == "x")
        #expect(definition.deadline == .seconds(3))
        #expect(
            definition.nodes.map(\.id.text) == [
                "limit", "north", "south", "heap", "heavy", "again", "weight", "few", "sum", "top", "check", "count",
            ]
        )
        let setting = try plan(definition)["heavy"]?.parameters.settings["slack"]
        #expect(setting == ParameterValues.Setting(value: 2.0, layer: .file, origin: "x"))
    }

    @Test func `gives the same plan from its expanded form`() throws {
        let definition = try load(["x": patching("pebbles", #"{ "nodes": { "heavy": { "life": "1s" } } }"#)])
        let again = try PipelineDefinition(json: definition.expanded(), file: "expanded")
        let (second, first) = try (plan(again), plan(definition))
        #expect(second.identity == first.identity)
    }

    @Test func `names the whole circle of files that extend one another`() throws {
        let files = ["x": patching("y", "{}"), "y": patching("z", "{}"), "z": patching("y", "{}")]
        let error = try #require(throws: PipelineError.self) { try load(files) }
        #expect(error.problems.map(\.message) == ["the files extend one another: x → y → z → y"])
    }

    @Test func `says which file is missing and who wanted it`() throws {
        let error = try #require(throws: PipelineError.self) { try load(["x": patching("gone", "{}")]) }
        #expect(error.unread == .missingFile)
        #expect(error.problems.first?.file == "x")
        #expect(error.problems.first?.path == "$.extends")
    }

    @Test func `refuses what is no JSON with line and column`() throws {
        let error = try #require(throws: PipelineError.self) { try load(["x": "{ \"schema\": }"]) }
        #expect(error.problems.first?.message.contains("line 1, column 13") == true)
    }

    @Test func `reports problems of every file in a chain together`() throws {
        let base = #"{ "schema": "knot.pipeline/1", "name": "b", "deadline": "soon", "result": "check", "nodes": [] }"#
        let error = try #require(throws: PipelineError.self) {
            try plan(try load(["x": patching("b", #"{ "nods": {} }"#), "b": base]))
        }
        #expect(Set(error.problems.map(\.file)) == ["x", "b"])
    }

    @Test func `reports what cannot be read together with what does not fit`() throws {
        let patch = #"{ "deadline": "soon", "nods": {}, "nodes": { "heavy": { "kind": "filter.heavi" } } }"#
        let error = try #require(throws: PipelineError.self) { try plan(try load(["x": patching("pebbles", patch)])) }
        let paths = error.problems.filter { $0.severity == .error }.map(\.path)
        #expect(paths.contains("$.patch.deadline"))
        #expect(paths.contains("$.patch.nods"))
        #expect(paths.contains { $0.hasSuffix("heavy.kind") })
        #expect(Set(paths).count == paths.count, "each place is reported once")
    }

    /// A patch that breaks what the base has, where the problem would show, and the change that brings it.
    struct Breaking: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let patch: String
        let message: String
        let path: String

        init(_ name: String, _ patch: String, _ message: String, at path: String) {
            testDescription = name
            self.patch = patch
            self.message = message
            self.path = path
        }
    }

    static let breaking = [
        Breaking(
            "an input taken away",
            #"{ "nodes": { "heavy": { "wait": "1s", "inputs": { "limit": null } } } }"#,
            "is missing: filter.heavy needs",
            at: ".nodes.heavy.inputs.limit"
        ),
        Breaking(
            "a kind with other parameters",
            #"{ "nodes": { "heavy": { "life": "1s", "kind": "score.weight" } } }"#,
            "has no parameter \"slack\"",
            at: ".nodes.heavy.kind"
        ),
        Breaking(
            "a kind that gives something else",
            #"{ "nodes": { "weight": { "kind": "reader.limit", "inputs": { "pool": null } } } }"#,
            "but \"weight\" (reader.limit) gives",
            at: ".nodes.weight.kind"
        ),
        Breaking(
            "a circle",
            #"{ "deadline": "3s", "nodes": { "heap": { "inputs": { "pools": ["north", "heavy"] } } } }"#,
            "the nodes feed one another",
            at: ".nodes.heap.inputs.pools"
        ),
        Breaking(
            "a name that is taken, before the one that has it",
            #"{ "add": [ { "id": "a", "kind": "reader.limit" },"#
                + #" { "id": "sum", "kind": "reader.limit", "after": "limit" } ] }"#,
            "is taken by",
            at: ".add[1]"
        ),
        Breaking(
            "a node left without use",
            #"{ "nodes": { "sum": { "inputs": { "scores": ["weight"] } },"#
                + #" "few": { "inputs": { "scores": ["weight"] } } } }"#,
            "is used by nobody",
            at: ".nodes.sum.inputs.scores"
        ),
    ]

    @Test(arguments: breaking, [false, true])
    func `places what a patch brings at the patch, in a file and in an experiment`(
        example: Breaking,
        isExperiment: Bool
    ) throws {
        let trial = ExperimentLayer(file: "x", patch: try JSONParser.parse(example.patch))
        let definition =
            try isExperiment
            ? load([:], "pebbles", experiments: [trial]) : load(["x": patching("pebbles", example.patch)])
        var problems: [PipelineProblem] = []
        do {
            problems = try plan(definition).warnings
        } catch let error as PipelineError {
            problems = error.problems
        }
        let found = problems.filter { $0.message.contains(example.message) }
        #expect(!found.isEmpty, "\(problems)")
        let root = isExperiment ? "$" : "$.patch"
        #expect(found.allSatisfy { $0.file == "x" && $0.path == root + example.path }, "\(found)")
    }

    @Test func `places what the last of several patches brings at that one`() throws {
        let files = [
            "x": patching("y", #"{ "nodes": { "top": { "life": "300ms" } }, "deadline": "1400ms" }"#),
            "y": patching("pebbles", #"{ "nodes": { "heap": { "life": "1500ms" } } }"#),
        ]
        let error = try #require(throws: PipelineError.self) { try plan(try load(files)) }
        let found = error.problems.filter { $0.message.contains("heap 1500ms") && !$0.message.contains("top") }
        #expect(found.map { [$0.file, $0.path] } == [["x", "$.patch.deadline"]], "\(error)")
        #expect(found.first?.message.contains("(in y at $.patch.nodes.heap.life)") == true)
    }

    @Test func `leaves what the base has wrong at the base`() throws {
        let base = PebblePipeline.text.replacing(#""slack": {"#, with: #""slak": {"#)
        let patch = #"{ "nodes": { "heavy": { "life": "1s" }, "weight": { "inputs": { "pool": "limit" } } } }"#
        let error = try #require(throws: PipelineError.self) {
            try plan(try load(["x": patching("own", patch), "own": base]))
        }
        let files = error.problems.filter { $0.severity == .error }.map {
            [$0.file, $0.message.contains("slak") ? "slak" : ""]
        }
        #expect(Set(files) == [["own", "slak"], ["x", ""]], "\(error)")
    }

    @Test func `lets later layers win and remembers who set what`() throws {
        let experiment = ExperimentLayer(
            file: "try.json",
            patch: [
                "nodes": [
                    "heavy": ["parameters": ["slack": ["value": 3, "why": "a hunch"]]],
                    "root": ["parameters": ["curve": "straight"]],
                ]
            ]
        )
        let setting = try #require(CommandLineSetting("root.curve=root"))
        let plan = try plan(
            load(
                ["x": patching("pebbles", #"{ "nodes": { "heavy": { "parameters": { "slack": 1 } } } }"#)],
                experiments: [experiment],
                settings: [setting]
            )
        )
        #expect(
            plan["heavy"]?.parameters.settings["slack"]
                == ParameterValues.Setting(value: 3.0, layer: .experiment, origin: "try.json", why: "a hunch")
        )
        #expect(plan["root"]?.parameters.settings["curve"]?.layer == .commandLine)
        #expect(plan["south"]?.parameters.settings["count"]?.layer == .file)
        #expect(plan["north"]?.parameters.settings["count"] == ParameterValues.Setting(value: 8, layer: .default))
    }

    @Test func `suggests the nearest node for a setting`() throws {
        let setting = try #require(CommandLineSetting("hevy.slack=1"))
        let error = try #require(throws: PipelineError.self) {
            try plan(try load([:], "pebbles", settings: [setting]))
        }
        #expect(error.problems.first?.file == "--set")
        #expect(error.problems.first?.message.contains("did you mean \"heavy\"?") == true)
    }

    @Test(arguments: ["", "a", "a.b", "a=1", ".b=1", "a.=1", "a.b="]) func `takes no setting of another form`(
        _ text: String
    ) {
        #expect(CommandLineSetting(text) == nil)
    }

    @Test(arguments: ["250ms", "2s", "1m", "1500ms", "90s"]) func `reads back the durations it writes`(
        _ text: String
    ) throws {
        let duration = try #require(DurationText.parse(text))
        #expect(DurationText.parse(DurationText.text(duration)) == duration)
    }

    @Test(arguments: ["", "s", "2", "-1s", "0s", "1e3s", "nans", "2 s", "1h", "99999m"])
    func `takes no other text as a duration`(_ text: String) {
        #expect(DurationText.parse(text) == nil)
    }
}
