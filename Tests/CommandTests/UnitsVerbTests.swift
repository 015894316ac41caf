import Composition
import Console
import JSONDocument
import Testing

@testable import knot_recommend

@Suite("units")
struct UnitsVerbTests {
    private static let names = ["work.service", "plan.service", "plan.timer", "environment", "crontab"]

    private struct Run {
        let code: ExitCode
        let output: String
        let diagnostics: String
    }

    private func run(_ words: String...) async -> Run {
        let (output, diagnostics) = (MemorySink(), MemorySink())
        let tool = CommandTool(environment: Environment([:]), output: output, diagnostics: diagnostics)
        let code = await tool.run(["units"] + words)
        return Run(code: code, output: output.text, diagnostics: diagnostics.text)
    }

    @Test func `prints each file under its path, and each runs this program`() async {
        let run = await run()
        #expect(run.code == .done)
        let lines = run.output.split(separator: "\n")
        for path in [
            "systemd/system/knot-recommend-work.service", "knot-recommend/environment", "cron.d/knot-recommend",
        ] {
            #expect(lines.contains("# /etc/\(path)"))
        }
        let programs = lines.filter { $0.hasPrefix("ExecStart=") }
        #expect(programs.count == 2 && programs.allSatisfy { $0.hasPrefix("ExecStart=/") })
    }

    @Test(arguments: names)
    func `prints one file as it goes into its place`(name: String) async throws {
        let json = try JSONParser.parse(await run(name, "--json").output)
        let file = try #require(json["files"]?.array?.first)
        #expect(file["name"]?.string == name && json["files"]?.array?.count == 1)
        #expect(await run(name).output == file["text"]?.string)
    }

    @Test func `knows no other file`() async {
        let run = await run("worker.service")
        #expect(run.code == .usage && run.diagnostics.contains("work.service"))
    }
}
