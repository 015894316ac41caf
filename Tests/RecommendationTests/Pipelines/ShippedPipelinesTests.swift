import Foundation
import JSONDocument
import Recommendation
import Shipped
import StageGraph
import TestSupport
import Testing

@Suite("A shipped pipeline")
struct ShippedPipelinesTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    @Test(arguments: ShippedPipelines.names)
    func `has no problem and no warning`(name: String) throws {
        let plan = try ShippedPipelines.plan(name)
        #expect(plan.warnings.isEmpty)
        #expect(plan.name == name)
    }

    @Test(arguments: ShippedPipelines.names)
    func `gives a reason for every number it sets`(name: String) throws {
        for node in try ShippedPipelines.plan(name).nodes {
            for (parameter, setting) in node.parameters.settings where setting.layer == .file {
                guard setting.value.double != nil else { continue }
                #expect(setting.why != nil, "\(node.id).\(parameter) has no reason")
            }
        }
    }

    @Test(arguments: ShippedPipelines.names)
    func `stays the same when its merged form is loaded again`(name: String) throws {
        let plan = try ShippedPipelines.plan(name)
        let again = try Plan(try PipelineDefinition(json: plan.definition, file: name), catalog: .knot)
        #expect(again.identity == plan.identity)
    }

    @Test func `is described by the schema beside it and the tables of the documentation`() throws {
        let url = Self.root.appending(path: "pipelines/schema.json")
        let document = PipelineSchema.document(for: StageCatalog.knot)
        let text = JSONWriter.text(document, style: .pretty) + "\n"
        if ProcessInfo.processInfo.environment["KNOT_RECORD_SNAPSHOTS"] != nil {
            try Data(text.utf8).write(to: url, options: .atomic)
        }
        let kept = String(decoding: try Data(contentsOf: url), as: UTF8.self)
        let isSame = kept == text
        #expect(isSame, "the stages have changed: make transcripts records pipelines/schema.json again")

        // The documentation's tables are made of the schema.
        let isRecording = ProcessInfo.processInfo.environment["KNOT_RECORD_SNAPSHOTS"] != nil
        let tables = Process()
        tables.executableURL = Self.root.appending(path: "Tests/Documentation/stages")
        tables.arguments = isRecording ? [] : ["--check"]
        try tables.run()
        tables.waitUntilExit()
        #expect(tables.terminationStatus == 0, "the stages have changed: make transcripts records their tables again")
    }
}
