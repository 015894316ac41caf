/// What a run writes and prints besides its result.
struct OutputOptions: Sendable, Equatable {
    /// The path of the recording to write.
    let record: String?
    /// The path of the trace to write.
    let trace: String?
    let isDryRun: Bool
    let wantsExplanation: Bool
    let wantsTimings: Bool

    init(_ arguments: TypedArguments) {
        record = arguments.text(.record)
        trace = arguments.text(.trace)
        isDryRun = arguments.has(.dryRun)
        wantsExplanation = arguments.has(.explain)
        wantsTimings = arguments.has(.timings)
    }
}
