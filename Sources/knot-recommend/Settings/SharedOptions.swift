import Arguments
import Console
import KnotDomain
import PipelineInput
import Recommendation
import StageGraph

/// What the flags of every verb mean.
struct SharedOptions: Sendable, Equatable {
    let pipeline: PipelineReference
    /// The path of a patch.
    let experiment: String?
    /// In the order typed: later ones win.
    let parameters: [CommandLineSetting]
    let seed: UInt64
    /// Nil: one per core.
    let threads: Int?
    /// Nil: the pipeline's own.
    let deadline: Duration?
    let kernels: KernelChoice
    let model: ModelChoice
    let isStrict: Bool
    let isQuiet: Bool
    let isVerbose: Bool
    let isJSON: Bool
    let colour: ColourChoice

    /// Values have the right kind already: the parser and the layers see to it.
    init(_ arguments: TypedArguments, _ settings: Settings) {
        pipeline = settings.text(.pipeline).map(PipelineReference.init) ?? .standard
        experiment = settings.text(.experiment)
        parameters = arguments.all(.set).compactMap(CommandLineSetting.init)
        seed = settings.text(.seed).flatMap(UInt64.init) ?? 0
        threads = settings.text(.threads).flatMap { Int($0) }
        deadline = settings.text(.deadline).flatMap(DurationText.parse)
        kernels = settings.text(.kernels).flatMap(KernelChoice.init) ?? .auto
        model = ModelChoice(settings.text(.model))
        isStrict = settings.isOn(.strict)
        isQuiet = settings.isOn(.quiet)
        isVerbose = settings.isOn(.verbose)
        isJSON = arguments.has(.json)
        colour = settings.text(.color).flatMap(ColourChoice.init) ?? .auto
    }
}

/// A fixture and what is laid beside it.
struct FixtureOptions: Sendable, Equatable {
    /// Where `judge` and `evaluate` look when nobody says.
    static let usualFolder = "fixtures/vaults"

    let path: String
    let readings: ReadingsSource
    /// Nil: beside the fixture, else the embedded ones.
    let rates: String?
    /// Nil: the fixture's own moment, else now.
    let asOf: Instant?

    init(path: String, _ arguments: TypedArguments, _ settings: Settings) {
        self.path = path
        readings = ReadingsSource(settings.text(.readings))
        rates = settings.text(.rates)
        asOf = arguments.text(.asOf).flatMap { Instant(iso8601: $0) }
    }
}

/// How vaults in the database are read, and what is laid beside them.
struct VaultOptions: Sendable, Equatable {
    let readings: ReadingsSource
    /// Nil: those that came with the vault, else the embedded ones.
    let rates: String?
    /// Nil: the moment that came with the vault, else now.
    let asOf: Instant?
    /// A file of candidates besides those in the database.
    let catalogue: String?
    /// Nil: as the role that connects.
    let asUser: String?
    /// How many vaults are under way at once; nil: what suits the threads.
    let concurrency: Int?

    init(_ arguments: TypedArguments, _ settings: Settings) {
        readings = ReadingsSource(settings.text(.readings))
        rates = settings.text(.rates)
        asOf = arguments.text(.asOf).flatMap { Instant(iso8601: $0) }
        catalogue = settings.text(.catalogue)
        asUser = arguments.text(.asUser)
        concurrency = settings.text(.concurrency).flatMap { Int($0) }
    }
}

extension Pipelines {
    /// Those of this program.
    static let shipped = Pipelines(
        shipped: ShippedPipelines(),
        catalog: StageCatalog.knot(with: LiveProviders.all.flatMap(\.capabilities))
    )

    /// The plan of a pipeline with the shared options laid over it; problems end the command with 78, an unread file as any other does.
    func plan(_ pipeline: PipelineReference, _ options: SharedOptions) throws(CommandError) -> Plan {
        try plan(pipeline, experiment: options.experiment, settings: options.parameters)
    }

    /// Looks at a pipeline and reports what is wrong or odd; only a file that cannot be read is thrown.
    func report(_ pipeline: PipelineReference, _ options: SharedOptions) throws(CommandError) -> PipelineReport {
        try report(pipeline, experiment: options.experiment, settings: options.parameters)
    }
}

extension TypedArguments {
    /// What a set is for, where the person says so.
    func occasion() throws(CommandError) -> OccasionChoice? {
        switch (text(.milestone), text(.occasion)) {
        case (.some, .some):
            throw .usage(verb, "--milestone and --occasion exclude one another", todo: "give one of them")
        case (let id?, nil): .milestone(MilestoneID(id))
        case (nil, let tier?): OccasionTier(rawValue: tier).map(OccasionChoice.tier)
        case (nil, nil): nil
        }
    }
}

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
