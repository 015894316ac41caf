import Arguments
import Composition
import Console
import JSONDocument
import PipelineInput
import Verbs

extension Verb {
    static let doctor = Verb(
        name: .doctor,
        summary: "Check that this machine is ready for runs and workers",
        description: """
            Checks configuration, time zones, memory, disks, pipeline, model, cache, rates, catalogue, readings, \
            kernels, services, delivery and database. Each finding says what to do. Exits with 69 if a check fails; \
            warnings aren't failures.
            """,
        examples: [
            "knot-recommend doctor",
            "knot-recommend doctor --json # for monitoring",
        ],
        flags: [.allowWeakTLS],
        texts: [.deadline: "Time limit for the database, such as `500ms` or `2s`"],
        exitCodes: [.unavailable],
        perform: DoctorVerb.perform
    )
}

/// `doctor`: what runs and workers need on this machine.
enum DoctorVerb {
    static func perform(_ arguments: TypedArguments, _ context: CommandContext) async throws(CommandError) -> ExitCode {
        let (configuration, settings) = configurationCheck(arguments, context)
        var checks = [configuration] + MachineChecks.all(context.environment)
        let (options, inner) = (SharedOptions(arguments, settings ?? context.settings), context.under(settings))
        checks += EngineChecks.all(options, inner) + (await OperationChecks.all(options, inner))
        checks += await DatabaseChecks.all(inner)
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
            let file = try ConfigFile.load(context.environment, context.table)
            let settings = try Settings(arguments, environment: context.environment, file: file, context.table)
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

extension Pipelines {
    /// Whether a pipeline makes a plan, as a finding of `doctor`; without options nothing is laid over it.
    func check(_ pipeline: PipelineReference, _ options: SharedOptions?) -> DoctorCheck {
        let name = "pipeline"
        do throws(CommandError) {
            let report = try report(pipeline, experiment: options?.experiment, settings: options?.parameters ?? [])
            if let first = report.problems.first {
                let more = report.problems.count > 1 ? " (and \(report.problems.count - 1) more: see check)" : ""
                return DoctorCheck(name, .failure, "\(pipeline): \(first.line)\(more)")
            }
            if let first = report.warnings.first { return DoctorCheck(name, .warning, "\(pipeline): \(first.line)") }
            return DoctorCheck(name, .fine, "\(pipeline) (\(report.hash?.prefix(12) ?? ""))")
        } catch {
            return DoctorCheck(name, .failure, "\(pipeline): \(error.what), \(error.place)")
        }
    }
}
