import JSONDocument
import KnotDomain
import VaultStore

/// The result that a run's row holds, read only where it is that run's and of that row's vault.
struct StoredResult: Sendable {
    let run: PostgresUUID
    let vault: VaultID
    let document: JSONValue

    /// Throws an error of that row where the text is no result, or one of another run or vault.
    init(_ text: String, run: PostgresUUID, vault: PostgresUUID) throws(CommandError) {
        self.run = run
        self.vault = VaultID(vault.description)
        do throws(JSONSyntaxError) {
            document = try JSONParser.parse(Array(text.utf8))
        } catch {
            throw Self.unreadable(run, [CommandProblem(path: "$", error.message)])
        }
        let reader = JSONReader(document)
        reader.expectSchema("knot.choice/1")
        Self.expect(run, at: "run_id", reader)
        Self.expect(vault, at: "vault_id", reader)
        if let outcome = reader.required("outcome")?.string(), !["complete", "degraded", "short"].contains(outcome) {
            reader.note("\"\(outcome.prefix(60))\" is no outcome of a set", at: "outcome")
        }
        for choice in reader.required("choices")?.items() ?? [] {
            _ = choice.required("position")?.int(in: 1...3)
            _ = choice.required("candidate_id")?.string()
            _ = choice.required("title")?.string()
        }
        if !reader.problems.list.isEmpty { throw unreadable(reader.problems.list) }
    }

    /// What is to be said where a part of it is not what it has to be.
    func unreadable(_ problems: [JSONProblem]) -> CommandError {
        Self.unreadable(run, problems.map { CommandProblem(path: $0.path, $0.message) })
    }

    private static func expect(_ id: PostgresUUID, at name: String, _ reader: JSONReader) {
        guard let text = reader.required(name)?.string() else { return }
        if PostgresUUID(text) != id { reader.note("\"\(text.prefix(60))\" is not the row's own", at: name) }
    }

    private static func unreadable(_ run: PostgresUUID, _ problems: [CommandProblem]) -> CommandError {
        CommandError(
            .badInput,
            "the stored result of this run cannot be read",
            at: "run \(run)",
            todo: "restore or delete its row of recommendation_runs",
            problems: problems
        )
    }
}
