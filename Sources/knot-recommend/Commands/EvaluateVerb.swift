import JSONDocument

/// `evaluate`: what the judges say of a pipeline, alone or against another.
enum EvaluateVerb {
    static func perform(
        _ options: EvaluateVerbOptions,
        _ context: CommandContext
    ) async throws(CommandError) -> ExitCode {
        guard let evaluate = context.engine.evaluate else { throw .notBuilt(.evaluate) }
        context.progress("reading \(options.fixtures.joined(separator: ", "))")
        let report = try await evaluate(options, context)
        // The page first: a closed pipe must not keep it from being written.
        if let path = options.report, let page = report.page {
            try AtomicFile.write(Array(page.utf8), to: path)
        }
        if let csv = report.csv {
            ProgressLine.shared.erase()
            try context.output.write(csv)
        } else if context.isJSON {
            ProgressLine.shared.erase()
            let lines = report.rows.map { JSONWriter.text($0) + "\n" }
            try context.output.write(lines.joined())
        } else {
            try context.print(report.lines)
        }
        return report.keepsGates || !options.shared.isStrict ? .done : .degradedUnderStrict
    }
}
