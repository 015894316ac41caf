import Arguments
import Composition
import Console
import Foundation
import JSONDocument
import TestSupport
import Testing

@testable import Verbs
@testable import knot_recommend

@Suite(.onOwnThreads) struct `The files of a call` {
    /// One way of writing the same path again.
    enum Alias: String, CaseIterable {
        case same, dotted, climbing, hardLink, symbolicLink, linkedFolder

        /// Another way to the file `name` in the folder.
        func path(of name: String, in folder: ScratchFolder) throws -> String {
            let files = FileManager.default
            switch self {
            case .same: return folder.file(name)
            case .dotted: return folder.path + "/./" + name
            case .climbing:
                try files.createDirectory(atPath: folder.file("deeper"), withIntermediateDirectories: true)
                return folder.file("deeper/../\(name)")
            case .hardLink:
                try files.linkItem(atPath: folder.file(name), toPath: folder.file("hard"))
                return folder.file("hard")
            case .symbolicLink:
                try files.createSymbolicLink(atPath: folder.file("soft"), withDestinationPath: name)
                return folder.file("soft")
            case .linkedFolder:
                try files.createSymbolicLink(atPath: folder.file("around"), withDestinationPath: folder.path)
                return folder.file("around/\(name)")
            }
        }
    }

    private static let writing: [(verb: VerbName, flag: FlagName)] = VerbName.allCases.flatMap { verb in
        CommandTable.knot.flags(of: verb).filter { $0.written.contains(verb) }.map { (verb, $0.name) }
    }

    private static func check(
        _ words: [String],
        output: FileIdentity? = nil,
        environment: [String: String] = [:]
    ) throws {
        let arguments = try #require(try ArgumentParser.parse(words, .knot))
        let environment = Environment(environment)
        let settings = try Settings(
            arguments,
            environment: environment,
            file: ConfigFile.load(environment, .knot),
            .knot
        )
        try CallFiles(arguments, settings, environment).check(output: output)
    }

    private static func expectRefused(
        _ words: [String],
        output: FileIdentity? = nil,
        environment: [String: String] = [:],
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let error = #expect(throws: CommandError.self, "\(words)", sourceLocation: sourceLocation) {
            try check(words, output: output, environment: environment)
        }
        #expect(error?.code == .usage, "\(words)", sourceLocation: sourceLocation)
    }

    /// Every verb that writes, with every flag and operand that it reads a file from.
    private static func reading(_ verb: VerbName, _ path: String) -> [[String]] {
        let flags = CommandTable.knot.flags(of: verb).filter { !$0.written.contains(verb) && $0.kind.isPath(path) }
        let operand = Verb.named(verb).operand.map { $0.kind.isPath(path) } ?? false
        return flags.map { [$0.name.typed, path] } + (operand ? [[path]] : [])
    }

    @Test(arguments: Alias.allCases) func `no output is an input, however it is written`(alias: Alias) throws {
        #expect(Self.writing.count >= 6)
        for (verb, flag) in Self.writing {
            let folder = try ScratchFolder()
            let input = try folder.write("{}", to: "x.json")
            let output = try alias.path(of: "x.json", in: folder)
            for words in Self.reading(verb, input) {
                Self.expectRefused([verb.rawValue] + words + [flag.typed, output])
            }
            #expect(try String(contentsOfFile: input, encoding: .utf8) == "{}")
        }
    }

    @Test(arguments: Alias.allCases) func `no two outputs are one, there already or not`(alias: Alias) throws {
        for isThere in [true, false] where isThere || alias != .hardLink {
            let folder = try ScratchFolder()
            if isThere { _ = try folder.write("", to: "s") }
            let other = try alias.path(of: "s", in: folder)
            Self.expectRefused(["run", "--fixture", "f", "--record", folder.file("s"), "--trace", other])
            Self.expectRefused(["run", "--fixture", "f", "--record", other, "--trace", folder.file("s")])
        }
    }

    @Test func `no output is what lies beside an input, in a folder of inputs or named by a setting`() throws {
        let folder = try ScratchFolder()
        try FileManager.default.createDirectory(atPath: folder.file("readings"), withIntermediateDirectories: true)
        let fixture = try folder.write("{}", to: "v.json")
        let beside = [try folder.write("{}", to: "rates.json"), try folder.write("{}", to: "readings/v.json")]
        for path in beside { Self.expectRefused(["run", "--fixture", fixture, "--record", path]) }
        for path in beside + [fixture] { Self.expectRefused(["evaluate", folder.path, "--report", path]) }
        let named = try folder.write("{}", to: "other")
        for variable in CommandTable.knot.flags(of: .run).compactMap(\.environment) where variable != "NO_COLOR" {
            guard let flag = Flag.all.first(where: { $0.environment == variable }), flag.kind.isPath("./x") else {
                continue
            }
            let path = flag.kind == .pipeline ? fixture : named
            Self.expectRefused(["run", "--vault", "x", "--trace", path], environment: [variable: path])
        }
        Self.expectRefused(["run", "--vault", "x", "--trace", fixture], environment: ["KNOT_CONFIG": fixture])
        Self.expectRefused(["run", "--vault", "x", "--trace", named], environment: ["DATABASE_URL_FILE": named])
    }

    @Test func `what harms nobody is let through`() throws {
        let folder = try ScratchFolder()
        let fixture = try folder.write("{}", to: "v.json")
        try Self.check(["run", "--fixture", fixture, "--record", folder.file("a"), "--trace", folder.file("b")])
        try Self.check(["run", "--fixture", fixture, "--record", "/dev/null", "--trace", "/dev/null"])
        try Self.check(["evaluate", folder.path, "--report", folder.file("report.html")])
        try Self.check(["import", fixture, fixture])
        try Self.check(["refresh", "--from", "-", "--fixture", fixture, "--reason", "too_expensive"])
    }

    @Test func `standard output is an output like any other`() throws {
        let folder = try ScratchFolder()
        let fixture = try folder.write("{}", to: "v.json")
        let file = try folder.write("", to: "out")
        for path in ["-", "/dev/stdout", "/dev/fd/1"] {
            Self.expectRefused(["run", "--fixture", fixture, "--record", path])
        }
        Self.expectRefused(["run", "--fixture", fixture, "--record", file], output: FileIdentity(file))
        Self.expectRefused(["run", "--fixture", fixture], output: FileIdentity(fixture))
    }

    @Test func `standard output that the result does not take is free for one other output`() throws {
        let folder = try ScratchFolder()
        let result = folder.file("figures")
        try Self.check(["evaluate", folder.path, "--output", result, "--report", "-"])
        Self.expectRefused(["evaluate", folder.path, "--output", "-", "--report", "-"])
        Self.expectRefused(["evaluate", folder.path, "--output", result, "--report", result])
    }

    @Test func `what can be read only once is read once`() throws {
        let folder = try ScratchFolder()
        let pipe = folder.file("pipe")
        #expect(unsafe mkfifo(pipe, 0o600) == 0)
        for path in ["-", "/dev/stdin", pipe] {
            Self.expectRefused(["run", "--fixture", path, "--rates", path])
            Self.expectRefused(["import", path, path])
        }
        Self.expectRefused(["run", "--fixture", "-", "--rates", "/dev/stdin"])
    }

    @Test func `a refused call leaves every file as it was`() throws {
        let folder = try ScratchFolder()
        let input = try folder.write(#"{"mine": true}"#, to: "x.json")
        let outcome = try BuiltCommand.run(#""$KNOT" run --fixture '\#(input)' --record '\#(input)' --json"#)
        #expect(outcome.code == 64)
        #expect(try JSONParser.parse(outcome.output)["code"]?.string == "usage")
        #expect(outcome.errors.contains("--record and --fixture are one file"))
        #expect(try String(contentsOfFile: input, encoding: .utf8) == #"{"mine": true}"#)
    }
}
