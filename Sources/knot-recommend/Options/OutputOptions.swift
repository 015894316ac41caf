/// What a run writes and prints besides its result.
struct OutputOptions: Sendable, Equatable {
    /// The path of the recording to write.
    let record: String?
    /// The path of the trace to write.
    let trace: String?
    /// Whether the trace holds the vault's own texts too.
    let wantsTraceTexts: Bool
    let isDryRun: Bool
    let wantsExplanation: Bool
    let wantsTimings: Bool

    init(_ arguments: TypedArguments, _ verb: VerbName) throws(CommandError) {
        record = arguments.text(.record)
        trace = arguments.text(.trace)
        wantsTraceTexts = try Self.wantsTraceTexts(arguments, verb)
        isDryRun = arguments.has(.dryRun)
        wantsExplanation = arguments.has(.explain)
        wantsTimings = arguments.has(.timings)
    }

    /// Texts of a trace that nobody asked for are a slip.
    static func wantsTraceTexts(_ arguments: TypedArguments, _ verb: VerbName) throws(CommandError) -> Bool {
        guard arguments.has(.traceTexts) else { return false }
        guard arguments.has(.trace) else {
            throw .usage(verb, "--trace-texts says what a trace holds, and there is none", todo: "add --trace FILE")
        }
        return true
    }
}
