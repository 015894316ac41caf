import Arguments
import Composition
import Console
import JSONDocument
import KnotDomain
import PipelineInput
import PostgresClient
import StageGraph
import VaultStore
import Verbs

extension Verb {
    static let completions = Verb(
        name: .completions,
        summary: "Print a script that completes commands in bash, zsh or fish",
        uses: [
            VerbUse("bash|zsh|fish [options]", without: [.pipeline]),
            VerbUse("--offer vaults|parameters [options]", by: .offer),
        ],
        operand: Operand(kind: .choice(["bash", "zsh", "fish"]), name: "SHELL", isRepeatable: false),
        description: """
            Completes verbs, options, files, vault IDs and names for `--set`. `make install` installs the scripts for \
            all three shells.
            """,
        examples: ["source <(knot-recommend completions bash) # this session only"],
        texts: [.pipeline: "Pipeline for `--offer parameters`"],
        readsSettings: false,
        perform: CompletionsVerb.perform
    )
}

/// `completions`: a script for a shell.
enum CompletionsVerb {
    static func perform(_ arguments: TypedArguments, _ context: CommandContext) async throws(CommandError) -> ExitCode {
        if let offer = arguments.text(.offer).flatMap(CompletionOffer.init) {
            let words = try await offers(offer, SharedOptions(arguments, context.settings), context)
            let json: JSONValue = [
                "schema": "knot.offers/1", "of": .string(offer.rawValue), "offers": JSONValue(words),
            ]
            return try TextReport(json: json, lines: words).finish(context)
        }
        guard let shell = arguments.operands.first.flatMap(Shell.init) else {
            throw .usage(
                .completions,
                "there is no shell to complete for",
                todo: "name one of \(Shell.allCases.map(\.rawValue).joined(separator: ", "))"
            )
        }
        let script = shell.completionScript(context.table)
        if context.isJSON {
            try context.print([
                "schema": "knot.completions/1", "shell": .string(shell.rawValue),
                "script": .string(script.joined(separator: "\n") + "\n"),
            ])
        } else {
            try context.print(script)
        }
        return .done
    }

    /// What only the program knows.
    private static func offers(
        _ offer: CompletionOffer,
        _ shared: SharedOptions,
        _ context: CommandContext
    ) async throws(CommandError) -> [String] {
        switch offer {
        case .parameters:
            return try context.pipelines.plan(shared.pipeline, shared).nodes.flatMap { node in
                node.declarations.map { "\(node.id).\($0.name)=" }
            }
        case .vaults:
            let pool = try await CommandDatabase(context).open()
            return try await reporting {
                try await PostgresVaultSource(pool).vaultIDs(after: nil, limit: 500).map(\.text)
            }
        }
    }
}
