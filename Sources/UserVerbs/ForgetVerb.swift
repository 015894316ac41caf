import Arguments
import ChoiceService
import Composition
import Console
import Delivery
import JSONDocument
import PostgresClient
import VaultStore
import Verbs

extension Verb {
    static let forget = Verb(
        name: .forget,
        summary: "Delete a vault and everything about it",
        uses: ["--vault ID [--dry-run] [--yes] [options]"],
        description: """
            Deletes the vault with its notes, readings, embeddings, sets and caches. Also deletes its recordings, \
            traces and reports on this machine, and messages waiting in KNOT_OUTBOX. At a terminal, lists everything \
            and asks first. The user's account isn't deleted; it belongs to the app.
            """,
        examples: [
            "knot-recommend forget --vault $VAULT --dry-run",
            "knot-recommend forget --vault $VAULT",
        ],
        flags: [.vault, .dryRun, .yes, .allowWeakTLS],
        texts: [
            .vault: "Vault to delete",
            .dryRun: "List what would be deleted",
        ],
        exitCodes: keeping,
        perform: ForgetVerb.perform
    )
}

/// What lets a vault go, or lists what would.
protocol VaultForgetting {
    func forget(isDryRun: Bool) async throws(CommandError) -> TextReport
}

/// `forget`: says what will go, asks, and lets it go.
enum ForgetVerb {
    static func perform(
        _ arguments: TypedArguments,
        _ context: CommandContext
    ) async throws(CommandError) -> ExitCode {
        let options = try StoredVaultOptions(arguments, context.settings)
        let forgetting = StoredVaultForgetting(options: options, context: context)
        return try await perform(options, context, forgetting, DeletionQuestion())
    }

    static func perform(
        _ options: StoredVaultOptions,
        _ context: CommandContext,
        _ vault: some VaultForgetting,
        _ question: DeletionQuestion
    ) async throws(CommandError) -> ExitCode {
        if !options.isDryRun, !options.isConfirmed {
            let name = options.vault?.description ?? ""
            try question.require(
                .forget,
                "vault \(name) would be deleted with everything about it",
                todo: "; --dry-run lists what would go"
            )
            let trial = try await vault.forget(isDryRun: true)
            try question.ask(trial.lines, "Delete all of it, for good?", context)
        }
        return try await vault.forget(isDryRun: options.isDryRun).finish(context)
    }
}

/// The vault with all that hangs on it, and the files about it that this program wrote.
///
/// Where it was stopped in between, the next call goes on: rows first, then files, which stay listed until they are gone.
struct StoredVaultForgetting: VaultForgetting {
    let options: StoredVaultOptions
    let context: CommandContext

    func forget(isDryRun: Bool) async throws(CommandError) -> TextReport {
        let (call, vault) = try await options.open(context)
        var forgotten: ForgottenVault?
        let written = WrittenFiles(context.environment)
        let outbox = DeliveryWays.waiting { context.environment[$0] }
        // An outbox that cannot be searched is told of while the vault is still there.
        let waiting = try notices { () throws(WaitingNotices.Fault) in try outbox?.files(about: vault.description) }
        FailPoint.reach("forget_begun")
        do throws(VaultStoreError) {
            forgotten = try await VaultForgetter(call.pool).forget(
                vault,
                dryRun: isDryRun,
                until: call.deadline
            )
        } catch {
            guard error.code == .notThere, try written.knows(vault.description) || !waiting.isEmpty else {
                throw CommandError(error, input: "vault \(vault)")
            }
        }
        FailPoint.reach("forget_deleted")
        var files = try await written.forget(vault.description, isDryRun: isDryRun)
        files.removed +=
            isDryRun
            ? waiting : try notices { () throws(WaitingNotices.Fault) in try outbox?.remove(about: vault.description) }
        let verb = isDryRun ? "would remove" : "removed"
        var lines = [
            forgotten == nil
                ? "vault \(vault) was gone; \(verb) what was left of it" : "\(verb) vault \(vault) and with it"
        ]
        let removals = forgotten?.removals ?? []
        lines += removals.map { "  \($0.count) of \($0.table)" }
        func named(_ paths: [String]) -> [String] { paths.map { TerminalText.safe($0, limit: 1_000) } }
        lines += named(files.removed).map { "  the file \($0)" }
        lines += named(files.left).map { "left alone, for it is about something else now: \($0)" }
        lines += named(files.awaited).map { "still being written by another process, so forget it again: \($0)" }
        if files.removed.isEmpty { lines.append("no recording, trace or waiting notice of it is here") }
        return TextReport(
            json: [
                "schema": "knot.forgotten/1", "vault_id": .string(vault.description),
                "user_id": JSONValue(forgotten?.user.description), "dry_run": .bool(isDryRun),
                "rows": .object(JSONObject(removals.map { .init(name: $0.table, value: .integer($0.count)) })),
                "files": JSONValue(files.removed), "left": JSONValue(files.left), "awaited": JSONValue(files.awaited),
            ],
            lines: lines,
            exitCode: files.awaited.isEmpty ? .done : .tryAgain
        )
    }
}

extension StoredVaultForgetting {
    private func notices(_ body: () throws(WaitingNotices.Fault) -> [String]?) throws(CommandError) -> [String] {
        do throws(WaitingNotices.Fault) {
            return try body() ?? []
        } catch {
            let what = "the outbox \(error.words)"
            throw CommandError(.inputOutput, what, at: error.folder, todo: "mend that and run forget again")
        }
    }
}
