import Arguments
import Composition
import Console
import JSONDocument
import TestSupport
import Testing

@testable import knot_recommend

@Suite struct `The layers of settings` {
    private func settings(
        _ words: [String] = [],
        _ variables: [String: String] = [:],
        file: JSONValue? = nil
    ) throws -> Settings {
        let arguments = try #require(try ArgumentParser.parse(["config"] + words, .knot))
        let file = try file.map { try ConfigFile(path: "/etc/knot/config.json", document: $0, .knot) }
        return try Settings(arguments, environment: Environment(variables), file: file, .knot)
    }

    private func layer(_ settings: Settings, _ name: FlagName) -> SettingLayer? {
        settings.all.first { $0.name == name }?.layer
    }

    @Test func `a flag wins over a variable, that over the file, that over the default`() throws {
        let file: JSONValue = ["threads": 2]
        let variables = ["KNOT_THREADS": "3"]
        #expect(try settings().text(.threads) == nil)
        #expect(try settings(file: file).text(.threads) == "2")
        #expect(try settings([], variables, file: file).text(.threads) == "3")
        let all = try settings(["--threads", "4"], variables, file: file)
        #expect(all.text(.threads) == "4")
        #expect(layer(all, .threads) == .flag)
        #expect(try layer(settings(file: file), .threads) == .file)
        #expect(try layer(settings(), .threads) == .unset)
    }

    @Test func `NO_COLOR set to anything means never, and a flag still wins`() throws {
        #expect(try settings([], ["NO_COLOR": "1"]).text(.color) == "never")
        #expect(try settings([], ["NO_COLOR": ""]).text(.color) == nil)
        #expect(try settings(["--color", "always"], ["NO_COLOR": "1"]).text(.color) == "always")
    }

    @Test func `a variable that does not fit is a configuration error that names it`() throws {
        let error = try #require(
            #expect(throws: CommandError.self) {
                try settings([], ["KNOT_THREADS": "many", "KNOT_SEED": "-1"])
            }
        )
        #expect(error.code == .configuration)
        #expect(error.problems.map(\.path) == ["KNOT_SEED", "KNOT_THREADS"])
    }

    @Test func `the file's problems are all reported with their paths`() throws {
        let error = try #require(
            #expect(throws: CommandError.self) {
                try settings(file: ["thread": 2, "seed": "x", "strict": 1, "deadline": 5, "set": "a.b=c"])
            }
        )
        #expect(error.code == .configuration)
        #expect(Set(error.problems.compactMap(\.path)) == ["$.thread", "$.seed", "$.strict", "$.deadline", "$.set"])
        #expect(error.problems.allSatisfy { $0.file == "/etc/knot/config.json" })
        #expect(error.problems.contains { $0.message.contains("did you mean threads?") })
    }

    @Test func `the file must be an object`() throws {
        let error = try #require(#expect(throws: CommandError.self) { try settings(file: [1]) })
        #expect(error.problems.map(\.path) == ["$"])
    }

    @Test func `paths in the file are beside it, names and words are not paths`() throws {
        let all = try settings(file: [
            "rates": "r.json", "readings": "rules", "pipeline": "classic", "experiment": "/x.json",
        ])
        #expect(all.text(.rates) == "/etc/knot/r.json")
        #expect(all.text(.readings) == "rules")
        #expect(all.text(.pipeline) == "classic")
        #expect(all.text(.experiment) == "/x.json")
    }

    @Test func `a file asked for by name must be there, the usual one need not`() throws {
        let missing = #expect(throws: CommandError.self) {
            try ConfigFile.load(Environment(["KNOT_CONFIG": "/nonexistent/config.json"]), .knot)
        }
        #expect(missing?.code == .notFound)
        #expect(try ConfigFile.load(Environment(["HOME": "/nonexistent"]), .knot) == nil)
        #expect(try ConfigFile.load(Environment([:]), .knot) == nil)
    }

    @Test func `broken JSON is a configuration error with its line`() throws {
        let folder = try ScratchFolder()
        let path = try folder.write("{\n  \"seed\": }", to: "config.json")
        let error = #expect(throws: CommandError.self) {
            try ConfigFile.load(Environment(["KNOT_CONFIG": path]), .knot)
        }
        #expect(error?.code == .configuration)
        #expect(error?.problems.first?.path == "line 2, column 11")
    }

    @Test func `the XDG folder comes before the home`() throws {
        let folder = try ScratchFolder()
        _ = try folder.write("{}", to: "unused")
        let error = #expect(throws: CommandError.self) {
            try ConfigFile.load(Environment(["XDG_CONFIG_HOME": folder.path, "KNOT_CONFIG": folder.path]), .knot)
        }
        #expect(error?.code == .notFound)
        #expect(try ConfigFile.load(Environment(["XDG_CONFIG_HOME": folder.path]), .knot) == nil)
    }
}
