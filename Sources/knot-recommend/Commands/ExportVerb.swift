import Arguments
import Composition
import Console
import JSONDocument
import PostgresClient
import VaultStore

extension VerbName {
    static let export = VerbName("export")
}

extension Verb {
    static let export = Verb(
        name: .export,
        summary: "prints a vault as a fixture, or everything of its person",
        synopsis: "--vault ID [--all]",
        description: """
            Prints JSON: the vault as an imported file had it, or with --all everything the database holds of the \
            person, table by table.
            """,
        examples: [
            Example(
                purpose: "a copy of a vault",
                command: "knot-recommend export --vault 9f8c6a52-2f0e-4a3c-9d3f-1c5b7e0a4d21 > vault.json"
            ),
            Example(
                purpose: "a person asks for their data",
                command: "knot-recommend export --vault 9f8c6a52-2f0e-4a3c-9d3f-1c5b7e0a4d21 --all"
            ),
        ],
        flags: [
            .vault, .asUser, .all, .allowWeakTLS,
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
