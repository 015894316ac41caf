/// What `evaluate` was asked to measure.
struct EvaluateVerbOptions: Sendable, Equatable {
    let shared: SharedOptions
    /// Fixtures, recordings and folders of them; at least one.
    let fixtures: [String]
    /// Where the judgments of recordings are looked for.
    let judgments: String
    /// Whether both were typed, which makes sense for recordings only.
    let namesFolderToo: Bool
    /// The pipeline to compare with, as it is: settings and experiment are the other one's.
    let against: PipelineReference?
    let readings: ReadingsSource
    /// Nil: beside the fixtures, else the embedded ones.
    let rates: String?
    let sweep: SweepRange?
    /// The path of the page to write.
    let report: String?
    let format: TableFormat
    /// What was typed, without where output goes and how it looks.
    let command: String

    init(_ arguments: TypedArguments, _ settings: Settings) throws(CommandError) {
        shared = SharedOptions(arguments, settings)
        judgments = arguments.text(.fixtures) ?? FixtureOptions.usualFolder
        fixtures = arguments.operands.isEmpty ? [judgments] : arguments.operands
        namesFolderToo = !arguments.operands.isEmpty && arguments.has(.fixtures)
        against = arguments.text(.against).map(PipelineReference.init)
        readings = ReadingsSource(settings.text(.readings))
        rates = settings.text(.rates)
        report = arguments.text(.report)
        format = try TableFormat(arguments)
        command = arguments.commandLine(leavingOut: [
            .report, .output, .json, .format, .quiet, .verbose, .color, .threads, .strict,
        ])
        guard let text = arguments.text(.sweep) else {
            sweep = nil
            return
        }
        guard let range = SweepRange(text) else {
            let steps = SweepRange.stepRange
            throw .usage(
                .evaluate,
                "--sweep cannot be understood",
                todo: "write node.parameter=a..b or node.parameter=a..b:steps with a below b and "
                    + "\(steps.lowerBound) to \(steps.upperBound) steps, such as combine.hints=0..1:11"
            )
        }
        sweep = range
    }
}
