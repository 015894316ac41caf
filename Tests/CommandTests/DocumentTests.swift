import Arguments
import Composition
import Console
import Foundation
import JSONDocument
import TestSupport
import Testing

@testable import Verbs

@Suite(.onOwnThreads, .enabled(if: Repository.binary != nil, "the command is not built")) struct `What --json prints` {
    private static let fixture = "fixtures/vaults/dev-01.json"
    private static let plain = ["KNOT_MODEL": "none"]

    /// Every line or the whole is one object with a schema.
    private static func expectDocuments(
        _ text: String,
        _ words: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let documents: [JSONValue?] =
            if let whole = try? JSONParser.parse(text) {
                [whole]
            } else {
                text.split(separator: "\n").map { try? JSONParser.parse(String($0)) }
            }
        #expect(!documents.isEmpty, "\(words) prints nothing", sourceLocation: sourceLocation)
        for document in documents {
            let schema = document?["schema"]?.string ?? "(none)"
            #expect(
                schema.firstMatch(of: /^knot\.[a-z.-]+\/[0-9]+$/) != nil,
                "\(words): \(schema)",
                sourceLocation: sourceLocation
            )
        }
    }

    @Test func `is a document with a schema, whatever the verb and however it ends`() throws {
        var seen: Set<String> = []
        let calls =
            [
                "run --fixture \(Self.fixture)", "run --fixture \(Self.fixture) --explain --timings",
                "explain --fixture \(Self.fixture)",
                "explain --fixture \(Self.fixture) --candidate c01", "check classic", "check /nonexistent.json",
                "expand", "graph",
                "judge --fixtures /nonexistent", "evaluate \(Self.fixture)", "evaluate /nonexistent",
                "vault new --template",
                "vault new", "config", "doctor", "completions fish", "version", "--version", "help", "--help", "-h",
                "--help-all",
                "help --markdown", "help vault new", "vault new --help", "help vault no", "dev-db status", "dev-db url",
                "dev-db reset", "nonsense", "",
            ]
            + VerbName.allCases.flatMap {
                ["\($0.rawValue) --help", "\($0.rawValue) --help-all", $0.rawValue, "\($0.rawValue) --no"]
            }
        for words in calls where words != "judge" && words != "evaluate" {
            let outcome = try BuiltCommand.run(
                "cd '\(Repository.root.path)' && \"$KNOT\" \(words) --json </dev/null",
                environment: Self.plain.merging(["KNOT_DEV_DB": "/nonexistent/db"]) { $1 }
            )
            Self.expectDocuments(outcome.output, words)
            seen.insert(String(words.prefix { $0 != " " }))
        }
        #expect(seen.isSuperset(of: VerbName.allCases.map(\.rawValue).filter { !["judge", "evaluate"].contains($0) }))
    }

    @Test(.tags(.database), .needs(.eighteen)) func `is a document with a schema of every verb on a database`()
        async throws
    {
        try await withDatabase(.eighteen, .commandStocked) { database in
            let vault = "--vault \(DatabaseCommand.first)"
            let run = try await DatabaseCommand.json(
                "\"$KNOT\" run \(vault) --json",
                on: database.url,
                environment: Self.plain
            )
            let id = run["run_id"]?.string ?? ""
            for words in [
                "run --all", "refresh --run \(id) --reason too_cheap", "explain --run \(id)", "vault show \(vault)",
                "hint add \(vault) --text tea", "history \(vault)", "learn \(vault)", "learn --all", "embed --all",
                "import fixtures/vaults/dev-03.json", "import fixtures/vaults/dev-03.json /nonexistent",
                "export \(vault)",
                "export \(vault) --all", "migrate", "migrate --status", "migrate --dry-run",
                "forget \(vault) --dry-run",
                "forget \(vault) --yes", "doctor",
            ] {
                let outcome = try await DatabaseCommand.run(
                    "\"$KNOT\" \(words) --json",
                    on: database.url,
                    environment: Self.plain
                )
                Self.expectDocuments(outcome.output, words)
            }
        }
    }
}
