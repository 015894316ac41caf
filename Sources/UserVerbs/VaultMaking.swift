import ChoiceService
import Composition
import Console
import JSONDocument
import KnotDomain
import PostgresClient
import VaultForm
import VaultStore
import Verbs

/// `vault new`: stores a vault that a person wrote down or was asked for.
enum VaultMaking {
    static func report(
        _ document: JSONValue,
        from source: String,
        _ options: VaultVerbOptions,
        _ context: CommandContext
    ) async throws(CommandError) -> TextReport {
        _ = try CommandDatabase.identity(options.asUser)
        let new = try read(document, from: source, options)
        if document["vault"]?.object != nil, document["candidates"]?.array?.isEmpty == false {
            context.note("the file's candidates are not taken by vault new; import brings them as well")
        }
        let budget = TimeBudget(options.shared.deadline)
        let pool = try await CommandDatabase(context, budget).open(asUser: options.asUser)
        let created = try await reporting(about: source) {
            try await VaultEditor(pool).create(
                new,
                replaces: options.replaces,
                until: budget.until(.seconds(30))
            )
        }
        let id = created.id
        return TextReport(
            json: [
                "schema": "knot.new-vault/1", "vault_id": .string(id.description),
                "user_id": .string(new.vault.userID.text), "added": .bool(created.isNew),
                "hints": .integer(created.isNew ? new.vault.hints.count : 0),
            ],
            lines: [
                "vault \(id)" + (created.isNew ? "" : " is there already; nothing was changed"),
                "add what you notice: knot-recommend hint add --vault \(id)",
                "and choose from a file of candidates: knot-recommend run --vault \(id) --catalogue FILE",
            ]
        )
    }

    /// Checked before the database is opened: what is wrong with the file needs no server to say so.
    private static func read(
        _ document: JSONValue,
        from source: String,
        _ options: VaultVerbOptions
    ) throws(CommandError) -> NewVault {
        let strange = VaultChecks.problems(in: document)
        do throws(VaultStoreError) {
            let new = try NewVault(reading: document, user: options.asUser.map { UserID($0) })
            if strange.isEmpty { return new }
            throw Self.invalid(strange)
        } catch {
            // A name that is no name at all is told once.
            let other = error.problems.filter { problem in !strange.contains { $0.path == problem.path } }
            guard error.code == .invalid, !other.isEmpty else { throw CommandError(error, input: source) }
            throw CommandError(strange.isEmpty ? error : Self.invalid(strange + other), input: source)
        }
    }

    private static func invalid(_ problems: [JSONProblem]) -> VaultStoreError {
        let count = "\(problems.count) problem\(problems.count == 1 ? "" : "s")"
        return VaultStoreError(.invalid, "the vault has \(count)", problems: problems)
    }
}
