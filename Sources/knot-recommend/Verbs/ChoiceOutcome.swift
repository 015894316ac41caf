import JSONDocument

/// Prints what a run came to and maps its outcome to an exit code; `run`, `refresh` and `replay` end the same way.
enum ChoiceOutcome {
    /// The files a run was asked to leave behind.
    struct Files: Sendable {
        var record: String?
        var trace: String?
    }

    static func finish(
        _ report: ChoiceReport,
        _ shared: SharedOptions,
        files: Files,
        explains: Bool,
        _ context: CommandContext
    ) throws(CommandError) -> ExitCode {
        let code = try exitCode(of: report.result, isStrict: shared.isStrict)
        // Files first: a closed pipe must not keep a recording from being kept.
        if report.isOfTheDatabase, let vault = report.result["vault_id"]?.string {
            let paths = [report.record.flatMap { _ in files.record }, report.trace.flatMap { _ in files.trace }]
            for path in paths.compactMap(\.self) { try WrittenFiles(context.environment).note(path, vault: vault) }
        }
        if let path = files.record, let bytes = report.record { try AtomicFile.write(bytes, to: path) }
        if let path = files.trace, let bytes = report.trace { try AtomicFile.write(bytes, to: path) }
        for note in report.notes { context.note(note) }
        if context.isJSON {
            try context.print(explains ? explained(report) : report.result)
        } else {
            let view = CardView(terminal: context.terminal, isVerbose: shared.isVerbose)
            let explanation = explains && !report.explanation.isEmpty ? [""] + report.explanation : []
            try context.print(view.lines(report.result) + explanation)
        }
        return code
    }

    private static func explained(_ report: ChoiceReport) -> JSONValue {
        guard var object = report.result.object, let explanation = report.explanationJSON else { return report.result }
        object["explanation"] = explanation
        return .object(object)
    }

    /// Short is 11, degraded is 10 where that was asked for; an outcome nobody knows is a fault of ours.
    static func exitCode(of result: JSONValue, isStrict: Bool) throws(CommandError) -> ExitCode {
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
