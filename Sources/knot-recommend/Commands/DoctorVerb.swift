import JSONDocument

/// `doctor`: what a run needs on this machine.
enum DoctorVerb {
    static func perform(_ arguments: TypedArguments, _ context: CommandContext) async throws(CommandError) -> ExitCode {
        let (configuration, settings) = configurationCheck(arguments, context)
        var checks = [configuration] + MachineChecks.all(context.environment)
        if let more = context.engine.doctor {
            checks += try await more(SharedOptions(arguments, settings ?? context.settings), context.under(settings))
        }
        let isBroken = checks.contains { $0.status == .failure }
        if context.isJSON {
            try context.print([
                "schema": "knot.doctor/1", "healthy": .bool(!isBroken), "checks": .array(checks.map(\.json)),
            ])
        } else {
            try context.print(checks.flatMap { lines($0, context.terminal) })
        }
        guard isBroken else { return .done }
        let broken = checks.filter { $0.status == .failure }.map(\.name)
        try context.complain(
            CommandError(
                .unavailable,
                "\(broken.count) of \(checks.count) checks failed",
                at: broken.joined(separator: ", "),
                todo: "do what each of them says"
            )
        )
        return .unavailable
    }

    /// A broken configuration is a finding here, and the other checks still run.
    private static func configurationCheck(
        _ arguments: TypedArguments,
        _ context: CommandContext
    ) -> (DoctorCheck, Settings?) {
        do throws(CommandError) {
            let file = try ConfigFile.load(context.environment)
            let settings = try Settings(arguments, environment: context.environment, file: file)
            return (DoctorCheck("configuration", .fine, file?.path ?? "no file, defaults and environment"), settings)
        } catch {
            let detail = ([error.what + " in " + error.place] + error.problems.map(\.line)).joined(separator: "; ")
            return (DoctorCheck("configuration", .failure, detail), nil)
        }
    }

    private static func lines(_ check: DoctorCheck, _ terminal: Terminal) -> [String] {
        let word = TextLayout.padded(check.status.rawValue, to: 5)
        let mark =
            switch check.status {
            case .fine: terminal.green(word)
            case .warning: terminal.yellow(word)
            case .failure: terminal.red(word)
            }
        let detail = TextLayout.wrapped(TerminalText.safe(check.detail), to: terminal.width - 21)
        return detail.enumerated().map { index, line in
            index == 0
                ? mark + TextLayout.padded(check.name, to: 15) + " " + line
                : String(repeating: " ", count: 21) + line
        }
    }
}
