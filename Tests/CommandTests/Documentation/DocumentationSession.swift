import Foundation
import TestSupport

/// The examples of one page, typed one after another into one shell, in a folder that holds nothing but the fixtures and pipelines.
struct DocumentationSession {
    /// How one step ended.
    struct Outcome {
        let code: Int
        let output: String
    }

    private static let mark = "-- end of step"

    /// Each step's outcome, in the order of the steps.
    static func outcomes(of steps: [DocumentationPage.Step]) async throws -> [Outcome] {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "page-\(UUID().uuidString.prefix(8))"
        )
        // A database server runs as a user of its own, who has to enter.
        let access: [FileAttributeKey: Any] = [.posixPermissions: 0o755]
        for part in ["work", "bin"] {
            try FileManager.default.createDirectory(
                at: folder.appendingPathComponent(part),
                withIntermediateDirectories: true,
                attributes: access
            )
        }
        defer { try? FileManager.default.removeItem(at: folder) }
        for name in ["fixtures", "pipelines"] { try link(name, in: folder) }
        if let binary = Repository.binary {
            try FileManager.default.createSymbolicLink(
                at: folder.appendingPathComponent("bin/knot-recommend"),
                withDestinationURL: binary
            )
        }
        let script = (["cd '\(folder.path)/work'"] + steps.map(line) + ["knot-recommend dev-db stop >/dev/null 2>&1"])
            .joined(separator: "\n")
        let printed = try await run(script, in: folder).output
        let parts = printed.split(separator: "\n\(mark) ", omittingEmptySubsequences: false)
        var output = parts.first.map(String.init) ?? ""
        return parts.dropFirst().map { part in
            let lines = part.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
            defer { output = lines.count > 1 ? String(lines[1]) : "" }
            return Outcome(code: Int(lines[0]) ?? -1, output: output.trimmingCharacters(in: .newlines))
        }
    }

    private static func link(_ name: String, in folder: URL) throws {
        try FileManager.default.createSymbolicLink(
            at: folder.appendingPathComponent("work/\(name)"),
            withDestinationURL: Repository.root.appendingPathComponent(name)
        )
    }

    private static func line(_ step: DocumentationPage.Step) -> String {
        let body: String =
            switch step {
            case .commands(let lines):
                // The build has run already, and packages are set-up's.
                (["failed=0; trap 'failed=$?' ERR"] + lines.filter { !isOfTheBuild($0) } + [
                    "trap - ERR; (exit $failed)"
                ])
                .joined(separator: "\n")
            case .transcript(let command, _): command
            case .json(let text, let name?): "cat >\(name) <<'END_OF_FILE'\n\(text)\nEND_OF_FILE"
            case .json, .swift: "true"
            }
        return "{ \(body)\n} </dev/null 2>&1; printf '\\n%s %d\\n' '\(mark)' $?"
    }

    private static func isOfTheBuild(_ line: String) -> Bool {
        ["make", "git", "sudo"].contains { line == $0 || line.hasPrefix("\($0) ") }
    }

    /// Runs with the model that set-up gets, as a newcomer has it, and with no settings of anyone.
    private static func run(_ script: String, in folder: URL) async throws -> BuiltCommand.Outcome {
        var environment = [
            "PATH": "\(folder.path)/bin:/usr/bin:/bin", "KNOT_DEV_DB": "\(folder.path)/db", "KNOT_MODEL": "",
            "XDG_CONFIG_HOME": "\(folder.path)/config", "XDG_STATE_HOME": "\(folder.path)/state",
        ]
        for name in ["HOME", "KNOT_CACHE", "XDG_CACHE_HOME"] {
            environment[name] = ProcessInfo.processInfo.environment[name]
        }
        return try await DatabaseCommand.run(script, on: "", environment: environment)
    }
}
