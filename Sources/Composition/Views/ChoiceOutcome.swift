import ChoiceService
import ChoiceText
package import Console
package import JSONDocument
import KnotDomain
import Recommendation
import StageGraph

/// Prints what a run came to and maps its outcome to an exit code; `run`, `refresh` and `replay` end the same way.
package enum ChoiceOutcome {
    /// A file that could not be written, `unkept` before and others here, is complained of when the result is printed.
    package static func finish(
        _ report: ChoiceReport,
        _ shared: SharedOptions,
        _ output: OutputOptions,
        _ context: CommandContext,
        unkept: CommandError? = nil
    ) async throws(CommandError) -> ExitCode {
        let code = try exitCode(of: report.result, isStrict: shared.isStrict)
        var unkept = unkept
        // Files first: a closed pipe must not keep a recording from being kept.
        do throws(CommandError) {
            try await write(report, output, context)
        } catch {
            // The calls are made and the set is stored: it must not be lost with the file.
            guard error.code == .inputOutput else { throw error }
            unkept = unkept ?? error
        }
        for note in report.notes { context.note(note) }
        for (path, bytes) in [(output.record, report.record), (output.trace, report.trace)] where bytes == nil {
            if let path { context.note("nothing was run, so that \(path) was not written") }
        }
        if context.isJSON {
            try context.print(output.wantsExplanation ? explained(report) : report.result)
        } else {
            let view = CardView(terminal: context.terminal, isVerbose: shared.isVerbose)
            let explanation = output.wantsExplanation && !report.explanation.isEmpty ? [""] + report.explanation : []
            try context.print(view.lines(ShownSet(report.result)) + explanation)
        }
        guard let unkept else { return code }
        try context.complain(unkept)
        return unkept.code
    }

    /// Writes the files, and takes them back where their vault was forgotten meanwhile.
    private static func write(
        _ report: ChoiceReport,
        _ output: OutputOptions,
        _ context: CommandContext
    ) async throws(CommandError) {
        let asked = [(output.record, report.record), (output.trace, report.trace)]
        let all = asked.compactMap { path, bytes in path.flatMap { path in bytes.map { (path, $0) } } }
        guard !all.isEmpty else { return }
        let vault = report.vaults == nil ? nil : report.result["vault_id"]?.string
        let written = WrittenFiles(context.environment)
        if let vault { for (path, _) in all { try written.note(path, vault: vault) } }
        FailPoint.reach("record_noted")
        for (path, bytes) in all { try AtomicFile.write(bytes, to: path) }
        FailPoint.reach("record_written")
        guard let vault, let vaults = report.vaults, await !vaults.isThere(VaultID(vault)) else { return }
        for (path, _) in all { try written.take(back: path, vault: vault) }
        throw CommandError(
            .notFound,
            "the vault was forgotten meanwhile, and what was written of it is removed",
            at: "vault \(vault)",
            todo: "nothing is left to do"
        )
    }

    private static func explained(_ report: ChoiceReport) -> JSONValue {
        guard var object = report.result.object, let explanation = report.explanationJSON else { return report.result }
        object["explanation"] = explanation
        return .object(object)
    }

    /// Short is 11, degraded is 10 where that was asked for; an outcome nobody knows is a fault of ours.
    package static func exitCode(of result: JSONValue, isStrict: Bool) throws(CommandError) -> ExitCode {
        switch result["outcome"]?.string {
        case "complete": return .done
        case "degraded": return isStrict ? .degradedUnderStrict : .done
        case "short": return .short
        case let other:
            throw CommandError(
                .internalFault,
                "the run ended with an unknown outcome \(other ?? "(none)")",
                at: "the result",
                todo: "report it with the command line"
            )
        }
    }
}
