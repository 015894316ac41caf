import Arguments
import Composition
import Console
import Evaluation
import Fixtures
import JSONDocument
import PipelineInput
import Recommendation
import StageGraph
import Verbs

extension Verb {
    static let impact = Verb(
        name: .impact,
        summary: "Show which recorded sets a pipeline change alters, and why",
        uses: ["FILE|DIR ... --changed NAME|FILE [options]", "FILE|DIR ... --set NODE.PARAMETER=VALUE [options]"],
        operand: Operand(kind: .path(orWords: []), name: "FILE|DIR", isRepeatable: true),
        description: """
            Runs each recording (in a folder, each `*.cassette`) with both pipelines. Shows the share of changed sets \
            by occasion, and why each card left or came. The change is `--changed`, `--experiment` or `--set`, alone \
            or together. No service is asked; an answer that wasn't recorded counts as `not_recorded`.
            """,
        examples: [
            "knot-recommend impact recordings --set combine.hints=0.7",
            "knot-recommend impact recordings --changed new.json --format markdown",
        ],
        flags: [.base, .changed, .format, .output],
        texts: [
            .format: "Output format: `text`, or `markdown` for a review comment",
            .deadline: "Time limit for each run, such as `500ms` or `2s`",
            .strict: "Exit with 10 if any set changed",
            .verbose: "Print each changed set in detail",
        ],
        exitCodes: [.degradedUnderStrict, .badInput, .notFound, .configuration, .internalFault, .tryAgain],
        perform: ImpactVerb.perform
    )
}

/// `impact`: recorded runs under two pipelines.
enum ImpactVerb {
    static func perform(
        _ arguments: TypedArguments,
        _ context: CommandContext
    ) async throws(CommandError) -> ExitCode {
        let options = try ImpactVerbOptions(arguments, context.settings)
        let paths = try recordings(options.recordings)
        let engine = Engine(threads: options.shared.threads ?? MachineCores.count)
        var changes: [SetChange] = []
        for path in paths {
            context.progress("running \(path) twice, \(changes.count) of \(paths.count) are done")
            let recording = try ReplayRuns.recording(path)
            let base = try base(of: recording, in: path, options, context)
            let changed = try changed(of: recording, in: path, options, context)
            let before = await run(recording, base, options, engine)
            let after = await run(recording, changed, options, engine)
            changes.append(SetChange(of: path, from: before, to: after, lookedAt: recording.lookedAt))
        }
        let report = ImpactReport(base: options.baseLabel, changed: options.changedLabel, changes: changes)
        let text = ImpactText(report)
        let hasChanged = report.count(.changed) + report.count(.failed) > 0
        return try TextReport(
            json: report.json,
            lines: options.isMarkdown ? text.markdown : text.lines(isVerbose: options.shared.isVerbose),
            exitCode: options.shared.isStrict && hasChanged ? .degradedUnderStrict : .done
        ).finish(context)
    }

    private static func run(
        _ recording: RecordedRun,
        _ plan: Plan,
        _ options: ImpactVerbOptions,
        _ engine: Engine
    ) async -> EngineRun {
        let seed = options.seed ?? recording.cassette.seed
        let world = await recording.world(for: plan, seed: seed, engine)
        return await engine.report(
            plan,
            ports: world.ports,
            options: world.options(seed: seed, deadline: options.shared.deadline)
        )
    }

    private static func base(
        of recording: RecordedRun,
        in path: String,
        _ options: ImpactVerbOptions,
        _ context: CommandContext
    ) throws(CommandError) -> Plan {
        guard let base = options.base else {
            return try context.pipelines.plan(
                recorded: recording.cassette.plan,
                in: path,
                experiment: nil,
                settings: []
            )
        }
        return try context.pipelines.plan(base, experiment: nil, settings: [])
    }

    private static func changed(
        of recording: RecordedRun,
        in path: String,
        _ options: ImpactVerbOptions,
        _ context: CommandContext
    ) throws(CommandError) -> Plan {
        let (experiment, settings) = (options.experiment, options.shared.parameters)
        guard let changed = options.changed ?? options.base else {
            return try context.pipelines.plan(
                recorded: recording.cassette.plan,
                in: path,
                experiment: experiment,
                settings: settings
            )
        }
        return try context.pipelines.plan(changed, experiment: experiment, settings: settings)
    }

    /// Every file that is named, and every recording of a folder that is, each once.
    private static func recordings(_ named: [String]) throws(CommandError) -> [String] {
        var paths: [String] = []
        for path in named {
            guard FileStatus(path: path)?.kind == .folder else {
                paths.append(path)
                continue
            }
            paths += try reporting { try FixtureLoader.recordings(in: path) }
        }
        var known: Set<FileIdentity> = []
        // What is not there says so when it is read.
        paths = paths.filter { path in FileIdentity(path).map { known.insert($0).inserted } ?? true }
        guard paths.isEmpty else { return paths }
        throw CommandError(
            .notFound,
            "there is no recording in it",
            at: named.joined(separator: ", "),
            todo: "record runs with run --record NAME.cassette"
        )
    }
}

/// What `impact` was asked to compare.
struct ImpactVerbOptions: Sendable, Equatable {
    let shared: SharedOptions
    /// Recordings and folders of them; at least one.
    let recordings: [String]
    /// Nil: each recording's own.
    let base: PipelineReference?
    /// Nil: the base.
    let changed: PipelineReference?
    /// The path of a patch that was typed.
    let experiment: String?
    /// A seed that was typed; nil: the recorded one.
    let seed: UInt64?
    let isMarkdown: Bool

    init(_ arguments: TypedArguments, _ settings: Settings) throws(CommandError) {
        shared = SharedOptions(arguments, settings)
        recordings = arguments.operands
        base = arguments.text(.base).map(PipelineReference.init)
        changed = arguments.text(.changed).map(PipelineReference.init)
        experiment = arguments.text(.experiment)
        seed = arguments.text(.seed).flatMap(UInt64.init)
        isMarkdown = arguments.text(.format) == "markdown"
        guard !recordings.isEmpty else {
            throw .usage(.impact, "there is no recording to run", todo: "name files or folders of them")
        }
        guard changed != nil || experiment != nil || !shared.parameters.isEmpty else {
            throw .usage(
                .impact,
                "nothing is changed",
                todo: "name a pipeline with --changed, or change the base with --set or --experiment"
            )
        }
        guard !isMarkdown || !arguments.has(.json) else {
            throw .usage(.impact, "--json and --format markdown exclude one another", todo: "give one of them")
        }
    }

    var baseLabel: String { base.map(\.description) ?? "as recorded" }

    var changedLabel: String {
        let own = changed.map(\.description) ?? baseLabel
        let settings = shared.parameters.map { setting in
            "\(setting.node).\(setting.parameter)=\(JSONWriter.text(setting.value))"
        }
        let changes = (experiment.map { ["the experiment \($0)"] } ?? []) + settings
        return changes.isEmpty ? own : "\(own) with \(changes.joined(separator: ", "))"
    }
}
