import Composition
import Foundation
import JSONDocument
import TestSupport

/// The built command on a test's database, away from the threads that other tests need.
enum DatabaseCommand {
    /// The judged vaults that tests import.
    static let first = "9aab66c8-6461-4523-93b3-2600f073736b"

    /// What says yes beforehand where `forget` asks.
    static let yes = "$(\"$KNOT\" forget --help | grep -q -- --yes && echo --yes)"

    /// What has the command look for its model, as it does where nothing else is said.
    static let withModel = ["KNOT_MODEL": ""]

    /// `$KNOT` in the script is the command, by words only unless told otherwise; it runs at the root of the repository.
    static func run(
        _ script: String,
        on url: String,
        environment: [String: String] = [:]
    ) async throws -> BuiltCommand.Outcome {
        let url = try await Pooler.diverted(url)
        let usual = ["DATABASE_URL": url, "KNOT_DEV_DB": "/nonexistent/dev-db", "KNOT_MODEL": "none"]
        let variables = usual.merging(environment) { $1 }
        return try await withCheckedThrowingContinuation { continuation in
            // Resumed once, by the thread.
            Thread.detachNewThread {
                let command = "cd '\(Repository.root.path)' && \(script)"
                continuation.resume(with: Result { try BuiltCommand.run(command, environment: variables) })
            }
        }
    }

    /// The same, its output read as one JSON value.
    static func json(
        _ script: String,
        on url: String,
        environment: [String: String] = [:]
    ) async throws -> JSONValue {
        try JSONParser.parse(Array(try await run(script, on: url, environment: environment).output.utf8))
    }
}
