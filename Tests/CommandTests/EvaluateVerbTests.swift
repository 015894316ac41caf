import Composition
import Console
import Evaluation
import Foundation
import JSONDocument
import StageGraph
import TestSupport
import Testing

@testable import knot_recommend

@Suite struct `The verb evaluate` {
    private static let vaults = Repository.root.appendingPathComponent("fixtures/vaults").path

    private func run(_ words: [String]) async -> (code: ExitCode, output: String, errors: String) {
        let output = MemorySink()
        let errors = MemorySink()
        let tool = CommandTool(environment: Environment([:]), output: output, diagnostics: errors)
        // By words alone: what a model would say is not what is tested here.
        return (await tool.run(["evaluate", "--model", "none"] + words), output.text, errors.text)
    }

    private func fixtures(_ numbers: ClosedRange<Int>) -> [String] {
        numbers.map { "\(Self.vaults)/dev-0\($0).json" }
    }

    private func rows(_ text: String) throws -> [JSONValue] {
        try text.split(separator: "\n").map { try JSONParser.parse(String($0)) }
    }

    @Test(arguments: ["judge", "evaluate"]) func `says that candidates were compared by words alone`(
        verb: String
    ) async throws {
        let scratch = try ScratchFolder()
        for name in ["dev-01.json", "dev-01.readings.json"] {
            let file = "\(Self.vaults)/\(name)"
            guard FileManager.default.fileExists(atPath: file) else { continue }
            try FileManager.default.copyItem(atPath: file, toPath: scratch.file(name))
        }
        let output = MemorySink()
        let tool = CommandTool(environment: Environment([:]), output: output, diagnostics: MemorySink())
        let words = [verb, "--model", "none", "--fixtures", scratch.path]
        #expect(await tool.run(words) == .done)
        #expect(output.text.contains("without an embedding model"))
        #expect(await tool.run(words + ["--json"]) == .done)
        #expect(output.text.contains("\"model\": null") || output.text.contains("\"model\":null"))
    }

    @Test(arguments: [
        "combine.hints", "combine=0..1", "combine.hints=1..0", "combine.hints=0..0", "combine.hints=0..1:1",
        "combine.hints=0..1:102", "combine.hints=a..b", "combine.hints=0..1:x", "combine.hints=0..inf",
    ])
    func `a sweep that makes no sense is 64`(sweep: String) async {
        #expect(await run(["--sweep", sweep]).code == .usage)
    }

    @Test func `a range has as many points as it says, and whole ones where only they fit`() throws {
        let range = try #require(SweepRange("combine.hints=0..1:11"))
        let values = try #require(range.values(for: .double(0...1))).map { $0.value.double }
        #expect(values == [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1])
        let whole = try #require(SweepRange("a.b=1..4"))
        #expect(whole.values(for: .integer(0...9))?.map(\.value) == [1, 2, 3, 4])
        #expect(whole.values(for: .bool) == nil)
        #expect(try #require(SweepRange("a.b=-2..2:3")).values(for: .double(-9...9))?.count == 3)
    }

    @Test(arguments: [
        (["--sweep", "nobody.hints=0..1"], ExitCode.configuration),
        (["--sweep", "combine.nothing=0..1"], .configuration),
        (["--sweep", "combine.hints=0..1e308:3"], .configuration),
        (["--sweep", "combine.hints=-1e308..1e308:3"], .configuration),
        (["--sweep", "meaning.most=0..1e300"], .configuration), (["--sweep", "meaning.most=-5..4"], .configuration),
        (["--against", "nobody"], .configuration), (["--against", "/no/such.json"], .notFound),
        (["/no/such.json"], .notFound), (["--fixtures", "/no/such"], .notFound),
        (["x", "--fixtures", "y"], .usage),
    ])
    func `what is not there or wrong has its code`(words: [String], code: ExitCode) async {
        #expect(await run(words).code == code)
    }

    @Test func `every broken file of a folder is told of at once, with all its problems`() async throws {
        let folder = try ScratchFolder()
        let sound = try String(contentsOfFile: "\(Self.vaults)/dev-01.json", encoding: .utf8)
        for (name, text) in [
            ("a", sound), ("b", sound.replacing("\"partner_name\"", with: "\"name\"")), ("c", "[1,"),
            ("d", sound.replacing("\"vault\"", with: "\"box\"")),
        ] {
            try text.write(toFile: folder.file("\(name).json"), atomically: true, encoding: .utf8)
        }
        let told = await run([folder.path, "--json"])
        #expect(told.code == .badInput)
        let problems = try #require(try JSONParser.parse(told.output)["problems"]?.array)
        let files = Set(problems.compactMap { $0["file"]?.string?.split(separator: "/").last.map(String.init) })
        #expect(files == ["b.json", "c.json", "d.json"], "\(told.output)")
        #expect(told.errors.contains("and 2 other files cannot be used"), "\(told.errors)")
    }

    @Test func `a star is explained, and a page and an object say what they were made with`() async throws {
        let folder = try ScratchFolder()
        let page = folder.file("page.html")
        let words =
            fixtures(1...2) + ["--readings", "rules", "--set", "combine.hints=0.1", "--against", "choice-of-three"]
        let told = await run(words + ["--report", page])
        #expect(told.code == .done)
        #expect(
            told.output.split(separator: "\n").joined(separator: " ").contains(
                "choice-of-three* is choice-of-three with combine.hints=0.1."
            )
        )
        let html = try String(contentsOfFile: page, encoding: .utf8)
        let summary = try #require(try rows(await run(words + ["--json"]).output).last)
        let made = try #require(summary["provenance"])
        #expect(made["model"] == .null && made["version"]?.string == ProgramVersion.number)
        #expect(made["changes"] == ["combine.hints=0.1"])
        let command = try #require(made["command"]?.string)
        #expect(command.hasPrefix("knot-recommend evaluate ") && command.contains("--set combine.hints=0.1"))
        #expect(!command.contains("--report") && html.contains(command))
        let digest = try #require(made["data_digest"]?.string)
        #expect(html.contains(digest))
        let other = try #require(try rows(await run(fixtures(1...3) + ["--json"]).output).last)
        #expect(other["provenance"]?["data_digest"] != made["data_digest"])
    }

    @Test func `the same figure has the same name in text and on the page`() async throws {
        let folder = try ScratchFolder()
        let page = folder.file("page.html")
        let text = await run(fixtures(1...4) + ["--readings", "rules", "--against", "classic", "--report", page]).output
        let html = try String(contentsOfFile: page, encoding: .utf8).replacing("&gt;", with: ">")
        let table = text.split(separator: "\n", omittingEmptySubsequences: false).drop { !$0.hasPrefix("means [95 %]") }
            .dropFirst().prefix { !$0.isEmpty }
        #expect(table.count > 9)
        for line in table {
            let name = line.prefix(16).split(separator: " ").joined(separator: " ")
            #expect(html.contains(">\(name)<"), "\(name)")
        }
    }

    @Test func `a result goes into a file whole or not at all, and as a table where that is asked for`() async throws {
        let folder = try ScratchFolder()
        let file = folder.file("figures.csv")
        let told = await run(fixtures(1...2) + ["--readings", "rules", "--format", "csv", "--output", file])
        #expect(told.code == .done && told.output.isEmpty)
        let csv = try String(contentsOfFile: file, encoding: .utf8)
        #expect(csv.split(separator: "\n").count == 3 && csv.hasPrefix("pipeline,pipeline_hash,fixture,"))
        let failed = await run(["/no/such.json", "--output", file])
        #expect(failed.code == .notFound)
        #expect(try String(contentsOfFile: file, encoding: .utf8) == csv)
        #expect(await run(fixtures(1...1) + ["--format", "csv", "--json"]).code == .usage)
        #expect(await run(fixtures(1...1) + ["--format", "dot"]).code == .usage)
        #expect(await run(fixtures(1...1) + ["--output", fixtures(1...1)[0]]).code == .usage)
    }

    @Test func `a folder without a judged vault is 66`() async throws {
        let folder = try ScratchFolder()
        #expect(await run([folder.path]).code == .notFound)
    }

    @Test func `prints each vault and then the summary, the same bytes with any number of threads`() async throws {
        let words = fixtures(1...3) + ["--against", "classic", "--readings", "rules", "--json"]
        let one = await run(words + ["--threads", "1"])
        let many = await run(words + ["--threads", "3"])
        #expect(one.code == .done && one.errors.isEmpty)
        #expect(one.output == many.output)
        let rows = try rows(one.output)
        #expect(rows.count == 3 + 3 + 1)
        #expect(rows.prefix(6).allSatisfy { $0["schema"]?.string == "knot.evaluation.vault/1" })
        let summary = try #require(rows.last)
        #expect(summary["schema"]?.string == "knot.evaluation/1")
        #expect(summary["pipelines"]?.array?.count == 2)
        let figures = try #require(summary["comparison"]?["figures"]?.object)
        #expect(figures.names.contains("mean_grade") && figures.names.count == 7)
        // The summary's mean is that of the rows.
        let grades = rows.prefix(3).compactMap { $0["figures"]?["mean_grade"]?.double }
        let mean = summary["pipelines"]?.array?.first?["figures"]?["mean_grade"]?["mean"]?.double
        #expect(try (#require(mean) - grades.reduce(0, +) / 3).magnitude < 1e-12)
        let other = await run(words + ["--seed", "7"])
        #expect(other.output != one.output, "another seed draws other intervals")
    }

    @Test func `a broken gate is 10 under strict, and 0 otherwise`() async throws {
        let folder = try ScratchFolder()
        let text = try String(contentsOfFile: fixtures(1...1)[0], encoding: .utf8)
        let none = try folder.write(
            text.replacing("\"candidates\": [", with: "\"candidates\": [], \"unread\": ["),
            to: "a.json"
        )
        let cut = try JSONParser.parse(try String(contentsOfFile: none, encoding: .utf8))
        var object = try #require(cut.object)
        object["judgments"] = []
        let path = try folder.write(JSONWriter.text(.object(object)), to: "a.json")
        let loose = await run([path])
        #expect(loose.code == .done)
        #expect(loose.output.contains("fewer than three                  1"))
        #expect(await run([path, "--strict"]).code == .degradedUnderStrict)
    }

    @Test func `text is of at most eighty columns and puts gates before figures`() async throws {
        let outcome = await run(
            fixtures(1...2) + ["--against", "classic", "--readings", "rules", "--sweep", "combine.hints=0..1:2", "-v"]
        )
        #expect(outcome.code == .done)
        let lines = outcome.output.split(separator: "\n").map(String.init)
        for line in lines { #expect(DisplayWidth.of(line) <= 80, "\(line)") }
        let gates = try #require(lines.firstIndex { $0.hasPrefix("gates") })
        let means = try #require(lines.firstIndex { $0.hasPrefix("means") })
        #expect(gates < means)
        #expect(outcome.output.contains("effect of combine.hints"))
    }

    @Test func `a recording is a vault, judged by the fixture of the same vault`() async throws {
        let folder = try ScratchFolder()
        let tape = folder.file("tape.cassette")
        let tool = CommandTool(
            environment: Environment([:]),
            output: MemorySink(),
            diagnostics: MemorySink()
        )
        let fixture = fixtures(1...1)[0]
        #expect(await tool.run(["run", "--model", "none", "--fixture", fixture, "--record", tape, "--quiet"]) == .done)
        let judged = await run([tape, "--fixtures", Self.vaults, "--json"])
        #expect(judged.code == .done && judged.errors.isEmpty)
        let plain = await run([fixture, "--json"])
        let figures = try [judged, plain].map { try rows($0.output).first?["figures"] }
        #expect(figures[0] == figures[1] && figures[0]?["mean_grade"]?.double != nil)
        // A folder of recordings, and a folder of judgments that has none for it.
        let unjudged = await run([folder.path, "--fixtures", folder.path])
        #expect(unjudged.code == .done && unjudged.errors.contains("1 vault has no judgments"))
        #expect(unjudged.output.contains("Nobody judged") && unjudged.output.contains("types of 3"))
        #expect(await run([tape, "--fixtures", "/no/such"]).code == .notFound)
        let torn = try folder.write(
            String(String(contentsOfFile: tape, encoding: .utf8).dropLast(90)),
            to: "torn.cassette"
        )
        #expect(await run([torn]).code == .badInput)
    }

    @Test func `changes on the command line are of one pipeline, not of the other`() async throws {
        let words = fixtures(1...2) + ["--readings", "rules", "--json", "--against", "choice-of-three"]
        let outcome = await run(words + ["--set", "combine.hints=0.1"])
        let summary = try #require(try rows(outcome.output).last)
        let labels = summary["pipelines"]?.array?.compactMap { $0["label"]?.string }
        #expect(labels == ["choice-of-three*", "choice-of-three"])
        let hashes = summary["pipelines"]?.array?.compactMap { $0["hash"]?.string } ?? []
        #expect(Set(hashes).count == 2)
    }

    @Test func `writes the page, whole and the same again`() async throws {
        let folder = try ScratchFolder()
        let words = fixtures(1...2) + ["--against", "classic", "--readings", "rules", "--report"]
        #expect(await run(words + [folder.file("a.html")]).code == .done)
        #expect(await run(words + [folder.file("b.html"), "--threads", "1"]).code == .done)
        let pages = try ["a.html", "b.html"].map { try String(contentsOfFile: folder.file($0), encoding: .utf8) }
        #expect(pages[0] == pages[1])
        #expect(pages[0].hasPrefix("<!doctype html>") && pages[0].hasSuffix("</html>\n"))
        #expect(pages[0].contains("default-src 'none'"))
        #expect(await run(words + ["/no/such/folder/a.html"]).code == .inputOutput)
    }
}
