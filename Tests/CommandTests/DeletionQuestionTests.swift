import Arguments
import Composition
import Console
import JSONDocument
import TestSupport
import Testing

@testable import UserVerbs
@testable import Verbs
@testable import knot_recommend

@Suite(.onOwnThreads) struct `What deletes for good` {
    private static let vault = "9f8c6a52-2f0e-4a3c-9d3f-1c5b7e0a4d21"

    private struct Outcome {
        let code: ExitCode
        /// For each time that forgetting was asked for, whether it was for trial only.
        let trials: [Bool]
        let errors: String
    }

    /// A vault that notes what was asked of it.
    private final class NotedVault: VaultForgetting, @unchecked Sendable {
        // One test's task writes it, one call after another.
        var trials: [Bool] = []

        func forget(isDryRun: Bool) async throws(CommandError) -> TextReport {
            trials.append(isDryRun)
            return TextReport(json: .null, lines: ["would remove 3 of hints"])
        }
    }

    private func forget(_ words: [String] = [], _ confirmation: DeletionQuestion) async throws -> Outcome {
        let vault = NotedVault()
        let arguments = try #require(try ArgumentParser.parse(["forget", "--vault", Self.vault] + words, .knot))
        let settings = try Settings(arguments, environment: Environment([:]), file: nil, .knot)
        let errors = MemorySink()
        let context = CommandContext(
            environment: Environment([:]),
            settings: settings,
            terminal: .plain,
            output: MemorySink(),
            diagnostics: errors,
            pipelines: .shipped,
            table: .knot,
            isJSON: false,
            isQuiet: false
        )
        let code: ExitCode
        do throws(CommandError) {
            code = try await ForgetVerb.perform(StoredVaultOptions(arguments, settings), context, vault, confirmation)
        } catch {
            code = error.code
        }
        return Outcome(code: code, trials: vault.trials, errors: errors.text)
    }

    @Test func `needs --yes where nobody can be asked, and looks at nothing without it`() async throws {
        let outcome = try await forget([], DeletionQuestion(canAsk: false) { nil })
        #expect(outcome.code == .usage && outcome.trials.isEmpty)
        #expect(try await forget(["--yes"], DeletionQuestion(canAsk: false) { nil }).trials == [false])
        #expect(try await forget(["--dry-run"], DeletionQuestion(canAsk: false) { nil }).trials == [true])
    }

    @Test func `says what will go before it asks`() async throws {
        let outcome = try await forget([], DeletionQuestion(canAsk: true) { "yes" })
        #expect(outcome.code == .done && outcome.trials == [true, false])
        #expect(outcome.errors == "would remove 3 of hints\nDelete all of it, for good? Type yes: ")
    }

    @Test(arguments: ["no", "", "yess", "\u{1B}[A", nil]) func `leaves all as it is without a yes`(
        answer: String?
    ) async throws {
        let outcome = try await forget([], DeletionQuestion(canAsk: true) { answer })
        #expect(outcome.code == .notPermitted && outcome.trials == [true])
    }

    @Test func `is refused by the built command where nobody sits`() throws {
        for words in ["forget --vault \(Self.vault)", "dev-db reset"] {
            let outcome = try BuiltCommand.run("KNOT_DEV_DB=/nonexistent/db \"$KNOT\" \(words)")
            #expect(outcome.code == 64, "\(outcome)")
            #expect(outcome.errors.contains("--yes") && outcome.errors.contains("would be deleted"))
        }
    }
}
