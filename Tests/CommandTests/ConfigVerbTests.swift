import Arguments
import Composition
import Console
import Foundation
import JSONDocument
import Testing

@testable import Verbs
@testable import knot_recommend

@Suite struct `What config shows` {
    private static func rows(_ environment: [String: String]) async throws -> [String: JSONValue] {
        let output = MemorySink()
        let tool = CommandTool(
            environment: Environment(environment),
            output: output,
            diagnostics: MemorySink()
        )
        #expect(await tool.run(["config", "--json"]) == .done)
        let rows = try #require(try JSONParser.parse(output.text)["settings"]?.array)
        let named = rows.compactMap { row in row["name"]?.string.map { ($0, row) } }
        #expect(named.count == rows.count)
        return Dictionary(uniqueKeysWithValues: named)
    }

    @Test func `is every setting there is, those without a flag too`() async throws {
        let rows = try await Self.rows(["HOME": "/nonexistent"])
        for flag in Flag.all where flag.isSetting { #expect(rows[flag.name.rawValue] != nil, "\(flag.name.typed)") }
        for name in ["configuration", "database", "dev-db", "cache", "state", "time-zones", "model-found"] {
            #expect(rows[name] != nil, "\(name)")
        }
    }

    @Test func `names what decided`() async throws {
        let rows = try await Self.rows([
            "HOME": "/nonexistent", "DATABASE_URL": "postgresql://me:secret@localhost:1/mine",
            "KNOT_DEV_DB": "/somewhere/db",
            "XDG_CACHE_HOME": "/cache", "XDG_STATE_HOME": "/state", "TZDIR": "/zones", "KNOT_MODEL": "/no/model",
        ])
        func expect(_ name: String, _ value: String, _ source: String) {
            #expect(
                rows[name]?["value"]?.string == value && rows[name]?["source"]?.string == source,
                "\(rows[name] ?? .null)"
            )
        }
        expect("database", "database mine on localhost:1", "DATABASE_URL")
        expect("dev-db", "/somewhere/db", "KNOT_DEV_DB")
        expect("cache", "/cache/knot-recommend", "XDG_CACHE_HOME")
        expect("state", "/state/knot-recommend", "XDG_STATE_HOME")
        expect("time-zones", "/zones", "TZDIR")
        expect("model-found", "(there is none in /no/model)", "KNOT_MODEL")
        #expect(!rows.values.contains { JSONWriter.text($0).contains("secret") })
    }

    @Test func `stands in columns`() async {
        let output = MemorySink()
        let tool = CommandTool(
            environment: Environment(["HOME": "/nonexistent", "KNOT_THREADS": "3"]),
            output: output,
            diagnostics: MemorySink()
        )
        #expect(await tool.run(["config"]) == .done)
        let lines = output.text.split(separator: "\n").map(String.init)
        let threads = lines.first { $0.hasPrefix("threads ") }
        #expect(threads?.firstMatch(of: /^threads +3 +environment KNOT_THREADS$/) != nil)
        let starts = Set(
            lines.prefix(10).compactMap { line in line.range(of: "default").map { line[..<$0.lowerBound].count } }
        )
        #expect(starts.count == 1)
    }
}
