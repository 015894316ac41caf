import Composition
import Console
import Foundation
import TestSupport
import Testing

/// The README's way from nothing to a set for one's own vault, on a database of `dev-db`.
@Suite(.tags(.database), .needs(.eighteen), .serialized) struct `A person with a laptop` {
    /// The first block of that kind after a heading of the README.
    private static func block(_ kind: String, after heading: String) throws -> String {
        let text = try String(contentsOf: Repository.root.appendingPathComponent("README.md"), encoding: .utf8)
        let section = try #require(text.range(of: heading))
        let start = try #require(text.range(of: "```\(kind)\n", range: section.upperBound..<text.endIndex))
        let end = try #require(text.range(of: "\n```", range: start.upperBound..<text.endIndex))
        return String(text[start.upperBound..<end.lowerBound])
    }

    /// A place for a server, which its unprivileged account may enter.
    private static func environment(_ scratch: ScratchFolder) -> [String: String] {
        var values = ["KNOT_DEV_DB": scratch.file("db"), "DATABASE_URL": ""]
        for name in ["KNOT_CACHE", "XDG_CACHE_HOME", "HOME"] {
            values[name] = ProcessInfo.processInfo.environment[name]
        }
        return values
    }

    @Test(.timeLimit(.minutes(20))) func `gets three choices for a vault of their own as the README says`() async throws
    {
        let scratch = try ScratchFolder()
        let environment = Self.environment(scratch)
        let heading = "## Your own vault in five minutes"
        _ = try scratch.write(try Self.block("json", after: heading), to: "mine.json")
        let steps = try Self.block("sh", after: heading).replacing("knot-recommend ", with: "\"$KNOT\" ")
        let script = "ln -s '\(Repository.root.path)/fixtures' fixtures && set -e && \(steps)"
        let outcome = try await DatabaseCommand.run(
            "cd '\(scratch.path)' && \(script)",
            on: "",
            environment: environment
        )
        let stop = try await DatabaseCommand.run("\"$KNOT\" dev-db stop", on: "", environment: environment)
        #expect(outcome.code == 0, "\(outcome)")
        #expect(outcome.output.contains("Choice of Three for a major milestone"))
        #expect(outcome.output.contains("You noted") || outcome.output.contains("you noted"), "\(outcome.output)")
        #expect(outcome.output.contains("\n 3. "))
        #expect(stop.output == "the dev database is stopped\n")
    }

    @Test(.timeLimit(.minutes(20))) func `a dev database starts, tells of itself, is emptied and stops`() async throws {
        let scratch = try ScratchFolder()
        let environment = Self.environment(scratch)
        func run(_ verb: String) async throws -> BuiltCommand.Outcome {
            try await DatabaseCommand.run("\"$KNOT\" \(verb)", on: "", environment: environment)
        }
        #expect(try await run("dev-db status").output.hasPrefix("there is no dev database; "))
        let url = try await run("dev-db url")
        #expect(url.code == 69 && url.errors.contains("does not run"))
        #expect(try await run("dev-db stop").output == "the dev database did not run\n")
        #expect(try await run("dev-db start").output.hasPrefix("the dev database runs: PostgreSQL "))
        #expect(try await run("dev-db start").output.hasPrefix("the dev database runs already: "))
        #expect(try await run("dev-db url").output.hasPrefix("postgresql://"))
        #expect(try await run("migrate").code == 0)
        #expect(try await run("run --all").output == "0 of 0 vaults: 0 stored\n")
        #expect(try await run("dev-db reset --yes").code == 0)
        #expect(try await run("run --all").code == 78, "a reset database is empty")
        #expect(try await run("dev-db stop").output == "the dev database is stopped\n")
        #expect(try await run("run --all").code == 69)
    }

    @Test func `a folder that is somebody else's is left alone`() async throws {
        let scratch = try ScratchFolder()
        _ = try scratch.write("mine", to: "precious")
        let environment = Self.environment(scratch).merging(["KNOT_DEV_DB": scratch.path]) { $1 }
        let outcome = try await DatabaseCommand.run("\"$KNOT\" dev-db start", on: "", environment: environment)
        #expect(outcome.code == 78, "\(outcome)")
        #expect(try scratch.names == ["precious"])
    }

    @Test func `a template that nobody filled in is refused with every blank`() async throws {
        let script = "\"$KNOT\" vault new --template | \"$KNOT\" vault new --file - --json"
        let outcome = try await DatabaseCommand.run(
            "set -o pipefail; \(script)",
            on: "postgresql://nobody@localhost:1/x"
        )
        #expect(outcome.code == 65)
        #expect(outcome.errors.contains("$.vault.partner_name: must not be blank"))
        #expect(outcome.errors.contains("$.vault.likes[4]: must not be blank"))
    }

    @Test func `nobody is asked where nobody sits`() async throws {
        let outcome = try await DatabaseCommand.run("\"$KNOT\" vault new", on: "")
        #expect(outcome.code == 64)
        #expect(outcome.errors.contains("there is nobody to ask"))
    }
}
