import Arguments
import Composition
import Console
import Foundation
import JSONDocument
import PipelineInput
import StageGraph
import TestSupport
import Testing

@testable import OperatorVerbs
@testable import Verbs
@testable import knot_recommend

@Suite struct `Pipelines by name or file` {
    private func run(_ words: String...) async -> (code: ExitCode, output: String, errors: String) {
        let output = MemorySink()
        let errors = MemorySink()
        let tool = CommandTool(
            environment: Environment([:]),
            output: output,
            diagnostics: errors,
            pipelines: TinyPipeline.pipelines()
        )
        return (await tool.run(words), output.text, errors.text)
    }

    @Test func `an unknown name is 78 and a missing file is 66`() async {
        #expect(await run("expand", "no-such").code == .configuration)
        #expect(await run("check", "no-such").code == .configuration)
        #expect(await run("expand", "/no/such.json").code == .notFound)
        #expect(await run("check", "/no/such.json").code == .notFound)
        #expect(await run("graph", "tiny", "--experiment", "/no/such.json").code == .notFound)
    }

    @Test func `check lists all problems of a file at once`() async throws {
        let folder = try ScratchFolder()
        let path = try folder.write(
            TinyPipeline.text.replacing("read.number", with: "read.numbr").replacing(
                "present.number",
                with: "present.numbr"
            ),
            to: "broken.json"
        )
        let outcome = await run("check", path, "--json")
        #expect(outcome.code == .configuration)
        let problems = try #require(try JSONParser.parse(outcome.output)["problems"]?.array)
        #expect(problems.count >= 2)
        #expect(problems.allSatisfy { $0["file"]?.string == path && $0["path"]?.string?.hasPrefix("$") == true })
    }

    @Test func `a file extends a shipped pipeline and another file beside it`() async throws {
        let folder = try ScratchFolder()
        _ = try folder.write(
            #"{"schema": "knot.pipeline/1", "name": "a", "extends": "tiny", "patch": {"deadline": "2s"}}"#,
            to: "a.json"
        )
        let path = try folder.write(
            #"{"schema": "knot.pipeline/1", "name": "b", "extends": "./a.json"}"#,
            to: "b.json"
        )
        let outcome = await run("expand", path)
        #expect(outcome.errors.isEmpty)
        let merged = try JSONParser.parse(outcome.output)
        #expect(merged["name"]?.string == "b")
        #expect(merged["deadline"]?.string == "2s")
    }

    @Test(arguments: ["self.json", "./self.json", "../here/self.json", "./../here/./self.json", "link.json"])
    func `a file that extends itself by whatever path is 78 and names the circle`(base: String) async throws {
        let folder = try ScratchFolder()
        try FileManager.default.createDirectory(atPath: folder.file("here"), withIntermediateDirectories: true)
        let path = try folder.write(
            #"{"schema": "knot.pipeline/1", "name": "a", "extends": "\#(base)"}"#,
            to: "here/self.json"
        )
        try FileManager.default.createSymbolicLink(
            atPath: folder.file("here/link.json"),
            withDestinationPath: "self.json"
        )
        let outcome = await run("expand", path)
        #expect(outcome.code == .configuration)
        #expect(outcome.errors.contains("the files extend one another: \(path) → "))
    }

    @Test func `check tells of a file that is not there and of what is wrong with the others`() async throws {
        let folder = try ScratchFolder()
        let broken = try folder.write(TinyPipeline.text.replacing("read.number", with: "read.numbr"), to: "broken.json")
        let outcome = await run("check", broken, "/no/such.json", "tiny", "--json")
        #expect(outcome.code == .configuration)
        let problems = try #require(try JSONParser.parse(outcome.output)["problems"]?.array)
        #expect(Set(problems.compactMap { $0["file"]?.string }) == [broken, "/no/such.json"])
        #expect(await run("check", "tiny", "/no/such.json").code == .notFound)
    }

    @Test func `a setting and an experiment change the plan's identity, a wrong one is 78`() async throws {
        let pipelines = TinyPipeline.pipelines()
        let plain = try pipelines.plan(.shipped("tiny"), experiment: nil, settings: [])
        let setting = try #require(CommandLineSetting("one.number=2"))
        #expect(try pipelines.plan(.shipped("tiny"), experiment: nil, settings: [setting]).identity != plain.identity)
        let folder = try ScratchFolder()
        let patch = try folder.write(#"{"nodes": {"one": {"parameters": {"number": 3}}}}"#, to: "patch.json")
        #expect(try pipelines.plan(.shipped("tiny"), experiment: patch, settings: []).identity != plain.identity)
        #expect(await run("expand", "tiny", "--set", "one.number=11").code == .configuration)
        #expect(await run("expand", "tiny", "--set", "two.number=1").code == .configuration)
        let broken = try folder.write("{", to: "broken.json")
        #expect(await run("expand", "tiny", "--experiment", broken).code == .configuration)
    }

    @Test func `graph draws every node and what feeds it`() async throws {
        let plan = try TinyPipeline.pipelines().plan(.shipped("tiny"), experiment: nil, settings: [])
        #expect(await run("graph", "tiny").output.contains(PlanDrawing.mermaid(plan)))
        #expect(await run("graph", "tiny", "--format", "dot").output.contains(PlanDrawing.dot(plan)))
        for word in ["read.number", "present.number"] {
            #expect(PlanDrawing.mermaid(plan).contains(word) && PlanDrawing.dot(plan).contains(word))
        }
        #expect(await run("graph", "tiny", "--json").output.contains("knot.graph/1"))
    }

    @Test func `doctor reports a pipeline's first problem`() async throws {
        let (arguments, pipelines) = (TypedArguments(verb: .doctor), TinyPipeline.pipelines())
        let settings = try Settings(arguments, environment: Environment([:]), file: nil, .knot)
        let options = SharedOptions(arguments, settings)
        #expect(pipelines.check(.shipped("tiny"), options).status != .failure)
        #expect(pipelines.check(.shipped("gone"), options).status == .failure)
    }
}
