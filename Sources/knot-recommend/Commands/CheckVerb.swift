import JSONDocument

/// `check`: every problem of pipeline files.
enum CheckVerb {
    static func perform(
        _ options: PipelineVerbOptions,
        _ context: CommandContext
    ) async throws(CommandError) -> ExitCode {
        guard let check = context.engine.check else { throw .notBuilt(.check) }
        let reports = try await check(options, context)
        let problems = reports.flatMap(\.problems)
        guard problems.isEmpty else {
            let names = reports.filter { !$0.problems.isEmpty }.map(\.name).joined(separator: ", ")
            throw CommandError(
                .configuration,
                "\(problems.count) problem\(problems.count == 1 ? "" : "s") in the pipeline",
                at: names,
                todo: "repair the file",
                problems: problems
            )
        }
        if context.isJSON {
            try context.print(["schema": "knot.check/1", "pipelines": .array(reports.map(\.json))])
        } else {
            try context.print(reports.flatMap(lines))
        }
        return .done
    }

    private static func lines(_ report: PipelineReport) -> [String] {
        let hash = report.hash.map { " (\($0.prefix(12)))" } ?? ""
        let head = "\(TerminalText.safe(report.name, limit: 200)): fine\(hash)"
        return [head] + report.warnings.map { "  warning: " + TerminalText.safe($0.line, limit: 400) }
    }
}
