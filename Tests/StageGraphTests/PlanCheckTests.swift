import JSONDocument
import StageGraph
import Testing

@Suite struct `A plan's check` {
    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        let patch: String
        /// The end of the path and a part of the message of each error, in any order.
        let errors: [(path: String, message: String)]

        var testDescription: String { name }

        init(_ name: String, _ patch: String, _ errors: (String, String)...) {
            self.name = name
            self.patch = patch
            self.errors = errors.map { (path: $0.0, message: $0.1) }
        }
    }

    static let cases = [
        Case(
            "unknown member",
            #"{ "nodes": { "heavy": { "polcy": "optional" } } }"#,
            (".heavy.polcy", "not a known member")
        ),
        Case(
            "unknown kind",
            #"{ "nodes": { "heavy": { "kind": "filter.heavi" } } }"#,
            (".heavy.kind", "did you mean \"filter.heavy\"?")
        ),
        Case(
            "unknown parameter",
            #"{ "nodes": { "heavy": { "parameters": { "slak": 1 } } } }"#,
            (".parameters.slak", "did you mean \"slack\"?")
        ),
        Case(
            "value out of bounds",
            #"{ "nodes": { "heavy": { "parameters": { "slack": 11 } } } }"#,
            (".parameters.slack", "a number from 0.0 to 10.0")
        ),
        Case(
            "value of another type",
            #"{ "nodes": { "north": { "parameters": { "count": 1.5 } } } }"#,
            (".parameters.count", "a whole number from 0 to 10000")
        ),
        Case(
            "word outside its set",
            #"{ "nodes": { "root": { "parameters": { "curve": "bent" } } } }"#,
            (".parameters.curve", "one of straight, root")
        ),
        Case(
            "missing input",
            #"{ "nodes": { "heavy": { "inputs": { "limit": null } } } }"#,
            (".inputs.limit", "needs Double; would fit: limit")
        ),
        Case(
            "taken out by the patch and still named",
            #"{ "nodes": { "limit": null } }"#,
            (".nodes.limit", "takes out the node \"limit\", which inputs.limit of \"heavy\" names")
        ),
        Case(
            "undeclared input",
            #"{ "nodes": { "top": { "inputs": { "rankin": "sum" } } } }"#,
            (".inputs.rankin", "did you mean \"ranking\"?")
        ),
        Case(
            "unknown node",
            #"{ "nodes": { "heavy": { "inputs": { "pool": "heep" } } } }"#,
            (".inputs.pool", "did you mean \"heap\"?")
        ),
        Case(
            "type mismatch",
            #"{ "nodes": { "few": { "inputs": { "pool": "weight" } } } }"#,
            (".inputs.pool", "takes Pool<Pebble>, but \"weight\" (score.weight) gives ScoreColumn")
        ),
        Case(
            "several for one",
            #"{ "nodes": { "heavy": { "inputs": { "pool": ["heap", "north"] } } } }"#,
            (".inputs.pool", "takes one node, found 2")
        ),
        Case(
            "named twice",
            #"{ "nodes": { "heap": { "inputs": { "pools": ["north", "north"] } } } }"#,
            (".inputs.pools", "names \"north\" twice")
        ),
        Case(
            "duplicate id",
            #"{ "add": [ { "id": "south", "kind": "reader.limit" } ] }"#,
            ("$.add[0]", "is taken by pebbles $.nodes[2]")
        ),
        Case(
            "cycle",
            """
            { "nodes": { "heavy": { "inputs": { "pool": "light" } } },
              "add": [ { "id": "light", "kind": "filter.heavy", "inputs": { "pool": "heavy", "limit": "limit" } } ] }
            """,
            ("", "feed one another: light → heavy → light")
        ),
        Case(
            "substitute in a cycle",
            #"{ "nodes": { "heap": { "substitute": "heavy" } } }"#,
            ("", "feed one another")
        ),
        Case(
            "role order",
            #"{ "nodes": { "heap": { "inputs": { "pools": ["north", "few"] } } } }"#,
            (".inputs.pools", "the aggregator \"heap\" cannot follow the shortlist \"few\""),
            ("", "feed one another")
        ),
        Case(
            "second sink",
            #"{ "add": [ { "id": "more", "kind": "sink.count", "inputs": { "checked": "check" } } ] }"#,
            ("$.add[0].kind", "is a sink already")
        ),
        Case(
            "sink that fails open",
            #"{ "nodes": { "count": { "policy": "optional" } } }"#,
            (".count.policy", "must not fail open")
        ),
        Case(
            "optional result",
            #"{ "nodes": { "check": { "policy": "optional" } } }"#,
            (".check.policy", "cannot be optional")
        ),
        Case(
            "minimum too large",
            #"{ "nodes": { "heap": { "minimum": { "pools": 3 } } } }"#,
            (".heap.minimum", "3 of \"pools\" can never come: 2 nodes feed it")
        ),
        Case(
            "minimum of one",
            #"{ "nodes": { "heavy": { "minimum": { "pool": 1 } } } }"#,
            (".heavy.minimum", "is no input that joins")
        ),
        Case(
            "substitute of another type",
            #"{ "nodes": { "heavy": { "substitute": "limit" } } }"#,
            (".heavy.substitute", "\"limit\" gives Double, but \"heavy\" must give Pool<Pebble>")
        ),
        Case(
            "unknown substitute",
            #"{ "nodes": { "heavy": { "substitute": "haep" } } }"#,
            (".heavy.substitute", "did you mean \"heap\"?")
        ),
        Case(
            "lives beyond the deadline",
            #"{ "nodes": { "heap": { "life": "1500ms" }, "heavy": { "life": "600ms" } } }"#,
            (".heavy.life", "2100ms, more than the deadline of 2s: heap 1500ms + heavy 600ms")
        ),
        Case(
            "bad duration",
            #"{ "nodes": { "heap": { "life": "2 s" } } }"#,
            (".heap.life", "expected a positive duration")
        ),
        Case("unknown result", #"{ "result": "chekc" }"#, ("$.result", "did you mean \"check\"?")),
        Case("node to patch unknown", #"{ "nodes": { "hevy": {} } }"#, (".hevy", "did you mean \"heavy\"?")),
        Case(
            "several at once",
            """
            { "nodes": { "heavy": { "parameters": { "slack": -1, "slak": 1 }, "substitute": "limit" },
                         "weight": { "kind": "score.wait" }, "count": { "policy": "optional" } } }
            """,
            (".parameters.slack", "does not fit"),
            (".parameters.slak", "did you mean"),
            (".heavy.substitute", "must give"),
            (".weight.kind", "did you mean"),
            (".count.policy", "must not fail open")
        ),
    ]

    @Test(arguments: cases) func `finds every problem with its path and what would fit`(_ example: Case) throws {
        let error = try #require(throws: PipelineError.self) { try PebblePipeline.plan(example.patch) }
        let errors = error.problems.filter { $0.severity == .error }
        for (path, message) in example.errors {
            #expect(
                errors.contains { $0.path.hasSuffix(path) && $0.message.contains(message) && !$0.file.isEmpty },
                "no \(path) \(message) in \(error)"
            )
        }
        #expect(errors.count == example.errors.count, "\(error)")
    }

    @Test func `asks for a check between selector and sink`() throws {
        var catalog = PebbleCatalog.make()
        catalog.add(WriteUnchecked.self) { (_, _) in WriteUnchecked() }
        let patch = """
            { "nodes": { "count": null },
              "add": [ { "id": "rash", "kind": "sink.rash", "inputs": { "selection": "top" } } ] }
            """
        let definition = try PebblePipeline.definition(patch)
        let error = try #require(throws: PipelineError.self) { try Plan(definition, catalog: catalog) }
        #expect(error.problems.map(\.message) == ["no check stands between the selector \"top\" and the sink \"rash\""])
    }

    @Test func `warns of what never runs and of waits without effect`() throws {
        let patch = """
            { "add": [ { "id": "lonely", "kind": "score.weight", "inputs": { "pool": "aside" } },
                       { "id": "aside", "kind": "filter.heavy", "inputs": { "pool": "heap", "limit": "limit" } } ],
              "nodes": { "heap": { "wait": "40ms", "life": "20ms" }, "heavy": { "policy": "optional" } } }
            """
        let plan = try PebblePipeline.plan(patch)
        #expect(plan.warnings.allSatisfy { $0.severity == .warning })
        let messages = plan.warnings.map(\.message)
        for part in [
            "\"lonely\" is used by nobody", "\"aside\" leads neither", "waits 40ms for a call that lives 20ms",
            "has no effect", "cannot start without \"heavy\"",
        ] {
            #expect(messages.contains { $0.contains(part) }, "no \(part) in \(messages)")
        }
    }

    @Test func `reports what a stage itself objects to, with its path`() throws {
        let error = try #require(throws: PipelineError.self) {
            try PebblePipeline.plan(#"{ "nodes": { "north": { "parameters": { "count": 13 } } } }"#)
        }
        #expect(error.problems.map(\.message) == ["13 brings bad luck"])
        #expect(error.problems.first?.path == "$.nodes.north.parameters.count")
    }

    @Test func `checks a long chain of nodes`() throws {
        let filters = (0..<400).map { index in
            let pool = index == 0 ? "heap" : "f\(index - 1)"
            return
                #"{ "id": "f\#(index)", "kind": "filter.heavy", "inputs": { "pool": "\#(pool)", "limit": "limit" } }"#
        }
        let added = filters.joined(separator: ",")
        let plan = try PebblePipeline.plan(
            #"{ "add": [ \#(added) ], "nodes": { "few": { "inputs": { "pool": "f399" } } } }"#
        )
        #expect(plan.nodes.count == 412)
        #expect(plan.order.count == 412)
    }
}

/// A sink that writes what nobody checked.
private struct WriteUnchecked: SinkStage {
    static let kind = "sink.rash"
    static let summary = "Writes too early."
    static let selection = InputPort<Selection<Pebble>>("selection")
    static var inputs: [InputDeclaration] { [selection.declaration] }

    func write(_ inputs: StageInputs, in context: StageContext) async throws(StageFailure) -> Int { 0 }
}
