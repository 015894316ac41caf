import Arguments
import Composition
import Console
import JSONDocument
import PostgresClient
import VaultStore
import Verbs

extension Verb {
    static let export = Verb(
        name: .export,
        summary: "Print a vault as a fixture, or everything stored about its user",
        uses: ["--vault ID [--all] [options]"],
        description: "The output is always JSON. Without `--all`, `import` can read it again.",
        examples: [
            "knot-recommend export --vault $VAULT > vault.json",
            "knot-recommend export --vault $VAULT --all # a user asks for their data",
        ],
        flags: [.vault, .asUser, .all, .allowWeakTLS],
        texts: [
            .vault: "Vault to print",
            .all: "Print everything about the vault's user, by table",
        ],
        exitCodes: keeping,
        perform: ExportVerb.perform
    )
}

/// `export`: the vault as a fixture, or everything of its person; JSON in any case, since it is made to be read in again.
enum ExportVerb {
    static func perform(
        _ arguments: TypedArguments,
        _ context: CommandContext
    ) async throws(CommandError) -> ExitCode {
        let options = try StoredVaultOptions(arguments, context.settings)
        let (call, vault) = try await options.open(context)
        let exporter = VaultExporter(call.pool)
        let document = try await call.asked {
            if options.isAll { return try await exporter.everything(vault, until: call.deadline) }
            return try await exporter.fixture(vault, until: call.deadline)
        }
        try context.print(document)
        return .done
    }
}
