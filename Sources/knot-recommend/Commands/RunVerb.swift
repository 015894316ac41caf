/// `run`: one vault, three choices; or every vault, one report.
enum RunVerb {
    static func perform(_ options: RunVerbOptions, _ context: CommandContext) async throws(CommandError) -> ExitCode {
        switch options.subject {
        case .everyVault: return try await ReportVerb.perform(context.engine.runAll, options, .run, context)
        case .fixture(let fixture): context.progress("choosing for \(fixture.path)")
        case .vault(let id, _): context.progress("choosing for vault \(id)")
        }
        guard let run = context.engine.run else { throw .notBuilt(.run) }
        let report = try await run(options, context)
        return try await ChoiceOutcome.finish(
            report,
            options.shared,
            files: .init(record: options.output.record, trace: options.output.trace),
            explains: options.output.wantsExplanation,
            context
        )
    }
}
