package import Arguments
package import Console
package import KnotDomain
import LiveProviders
package import PipelineInput
package import Recommendation
import Shipped
package import StageGraph

/// What the flags of every verb mean.
package struct SharedOptions: Sendable, Equatable {
    package let pipeline: PipelineReference
    /// The path of a patch.
    package let experiment: String?
    /// In the order typed: later ones win.
    package let parameters: [CommandLineSetting]
    package let seed: UInt64
    /// Nil: one per core.
    package let threads: Int?
    /// Nil: the pipeline's own.
    package let deadline: Duration?
    package let kernels: KernelChoice
    package let model: ModelChoice
    package let isStrict: Bool
    package let isQuiet: Bool
    package let isVerbose: Bool
    package let isJSON: Bool
    package let colour: ColourChoice

    /// Values have the right kind already: the parser and the layers see to it.
    package init(_ arguments: TypedArguments, _ settings: Settings) {
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
package struct FixtureOptions: Sendable, Equatable {
    /// Where `judge` and `evaluate` look when nobody says.
    package static let usualFolder = "fixtures/vaults"

    package let path: String
    package let readings: ReadingsSource
    /// Nil: beside the fixture, else the embedded ones.
    package let rates: String?
    /// Nil: the fixture's own moment, else now.
    package let asOf: Instant?
    /// Whether not even a cache may be written.
    package let isDryRun: Bool

    package init(path: String, _ arguments: TypedArguments, _ settings: Settings) {
        self.path = path
        isDryRun = arguments.has(.dryRun)
        readings = ReadingsSource(settings.text(.readings))
        rates = settings.text(.rates)
        asOf = arguments.text(.asOf).flatMap { Instant(iso8601: $0) }
    }
}

/// How vaults in the database are read, and what is laid beside them.
package struct VaultOptions: Sendable, Equatable {
    package let readings: ReadingsSource
    /// Nil: those that came with the vault, else the embedded ones.
    package let rates: String?
    /// Nil: the moment that came with the vault, else now.
    package let asOf: Instant?
    /// A file of candidates besides those in the database.
    package let catalogue: String?
    /// Nil: as the role that connects.
    package let asUser: String?
    /// How many vaults are under way at once; nil: what suits the threads.
    package let concurrency: Int?
    /// Whether not even a cache may be written.
    package let isDryRun: Bool

    package init(_ arguments: TypedArguments, _ settings: Settings) {
        readings = ReadingsSource(settings.text(.readings))
        rates = settings.text(.rates)
        asOf = arguments.text(.asOf).flatMap { Instant(iso8601: $0) }
        catalogue = settings.text(.catalogue)
        asUser = arguments.text(.asUser)
        concurrency = settings.text(.concurrency).flatMap { Int($0) }
        isDryRun = arguments.has(.dryRun)
    }
}

extension Pipelines {
    /// Those of this program.
    package static let shipped = Pipelines(
        shipped: ShippedPipelines(),
        catalog: StageCatalog.knot(with: LiveServices.capabilities)
    )

    /// The plan of a pipeline with the shared options laid over it; problems end the command with 78, an unread file as any other does.
    package func plan(_ pipeline: PipelineReference, _ options: SharedOptions) throws(CommandError) -> Plan {
        try plan(pipeline, experiment: options.experiment, settings: options.parameters)
    }

    /// Looks at a pipeline and reports what is wrong or odd; only a file that cannot be read is thrown.
    package func report(_ pipeline: PipelineReference, _ options: SharedOptions) throws(CommandError) -> PipelineReport
    {
        try report(pipeline, experiment: options.experiment, settings: options.parameters)
    }
}

extension TypedArguments {
    /// What a set is for, where the person says so.
    package func occasion() throws(CommandError) -> OccasionChoice? {
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
package struct OutputOptions: Sendable, Equatable {
    /// The path of the recording to write.
    package let record: String?
    /// The path of the trace to write.
    package let trace: String?
    /// Whether the trace holds the vault's own texts too.
    package let wantsTraceTexts: Bool
    package let isDryRun: Bool
    package let wantsExplanation: Bool
    package let wantsTimings: Bool

    package init(_ arguments: TypedArguments, _ verb: VerbName) throws(CommandError) {
        record = arguments.text(.record)
        trace = arguments.text(.trace)
        wantsTraceTexts = try Self.wantsTraceTexts(arguments, verb)
        isDryRun = arguments.has(.dryRun)
        wantsExplanation = arguments.has(.explain)
        wantsTimings = arguments.has(.timings)
    }

    /// Texts of a trace that nobody asked for are a slip.
    package static func wantsTraceTexts(_ arguments: TypedArguments, _ verb: VerbName) throws(CommandError) -> Bool {
        guard arguments.has(.traceTexts) else { return false }
        guard arguments.has(.trace) else {
            throw .usage(verb, "--trace-texts says what a trace holds, and there is none", todo: "add --trace FILE")
        }
        return true
    }
}
