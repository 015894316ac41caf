/// `replay`: the stages again on a recorded world.
enum ReplayVerb {
    static func perform(_ options: ReplayVerbOptions, _ context: CommandContext) async throws(CommandError) -> ExitCode
    {
        guard let replay = context.engine.replay else { throw .notBuilt(.replay) }
        context.progress("replaying \(options.cassette)")
        let report = try await replay(options, context)
        return try await ChoiceOutcome.finish(
            report,
            options.shared,
            files: .init(trace: options.trace),
            explains: false,
            context
        )
    }
}

/// What `replay` was asked to do.
struct ReplayVerbOptions: Sendable, Equatable {
    let shared: SharedOptions
    /// The path of the recording.
    let cassette: String
    /// Only what was typed counts: a pipeline from the environment must not change what a recording replays to.
    let pipeline: PipelineReference?
    /// The path of a patch that was typed.
    let experiment: String?
    /// A seed that was typed; nil: the recorded one.
    let seed: UInt64?
    /// The path of the trace to write.
    let trace: String?
    /// Whether the trace holds the vault's own texts too.
    let wantsTraceTexts: Bool
    let wantsTimings: Bool

    init(_ arguments: TypedArguments, _ settings: Settings) throws(CommandError) {
        let named = arguments.all(.cassette) + arguments.operands
        guard let path = named.first else {
            throw .usage(.replay, "there is no recording to replay", todo: "name the file: knot-recommend replay FILE")
        }
        guard named.count == 1 else { throw .usage(.replay, "two recordings are named", todo: "give one") }
        shared = SharedOptions(arguments, settings)
        cassette = path
        pipeline = arguments.text(.pipeline).map(PipelineReference.init)
        experiment = arguments.text(.experiment)
        seed = arguments.text(.seed).flatMap(UInt64.init)
        trace = arguments.text(.trace)
        wantsTraceTexts = try OutputOptions.wantsTraceTexts(arguments, .replay)
        wantsTimings = arguments.has(.timings)
    }
}
