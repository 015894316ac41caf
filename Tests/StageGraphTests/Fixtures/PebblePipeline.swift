import JSONDocument
import StageGraph
import Threads

/// The pipeline most of these tests start from, and the ways they load it.
enum PebblePipeline {
    static let text = """
        { "schema": "knot.pipeline/1", "name": "pebbles", "deadline": "2s", "result": "check", "nodes": [
            { "id": "limit", "kind": "reader.limit" },
            { "id": "north", "kind": "source.pebbles", "policy": "optional" },
            { "id": "south", "kind": "source.pebbles", "policy": "optional", "parameters": { "count": 6 } },
            { "id": "heap", "kind": "aggregate.heap", "inputs": { "pools": ["north", "south"] } },
            { "id": "heavy", "kind": "filter.heavy", "inputs": { "pool": "heap", "limit": "limit" },
              "parameters": { "slack": { "value": 0.25, "why": "scales differ" } } },
            { "id": "weight", "kind": "score.weight", "inputs": { "pool": "heavy" } },
            { "id": "root", "kind": "score.weight", "inputs": { "pool": "heavy" }, "parameters": { "curve": "root" } },
            { "id": "few", "kind": "shortlist.few", "inputs": { "pool": "heavy", "scores": ["weight", "root"] } },
            { "id": "sum", "kind": "combine.sum", "inputs": { "pool": "few", "scores": ["weight", "root"] } },
            { "id": "top", "kind": "select.top", "inputs": { "ranking": "sum" } },
            { "id": "check", "kind": "check.pebbles", "inputs": { "selection": "top" } },
            { "id": "count", "kind": "sink.count", "inputs": { "checked": "check" } }
        ] }
        """

    struct Texts: DefinitionSource {
        var files: [String: String]

        func definition(
            _ reference: String,
            extendedBy file: String?
        ) throws(DefinitionSourceError) -> DefinitionFile {
            guard let text = files[reference] else {
                throw DefinitionSourceError(.missingFile, "there is no file \(reference)")
            }
            return DefinitionFile(name: reference, bytes: Array(text.utf8))
        }
    }

    static func definition(
        _ patch: String = "{}",
        settings: [CommandLineSetting] = []
    ) throws -> PipelineDefinition {
        let patch = try JSONParser.parse(patch)
        return try PipelineLoader(source: Texts(files: ["pebbles": text])).load(
            "pebbles",
            experiments: [ExperimentLayer(file: "patch", patch: patch)],
            settings: settings
        )
    }

    static func plan(_ patch: String = "{}") throws -> Plan {
        try Plan(definition(patch), catalog: PebbleCatalog.make())
    }

    static func run(
        _ patch: String = "{}",
        _ quarry: Quarry = Quarry(),
        threads: Int = 2,
        options: RunOptions = RunOptions()
    ) async throws -> RunReport {
        let runner = GraphRunner(executor: StageExecutor(threads: threads))
        return await runner.report(of: try plan(patch).bind(to: quarry), options: options)
    }
}
