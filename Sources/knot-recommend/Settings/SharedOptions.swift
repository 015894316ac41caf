import KnotDomain
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

/// How a pipeline is named: one that ships with the program, or a file.
enum PipelineReference: Sendable, Equatable, CustomStringConvertible {
    case shipped(String)
    case file(String)

    /// A slash or `.json` at the end makes it a file, as does `-` for standard input.
    init(_ text: String) {
        self = text.contains("/") || text.hasSuffix(".json") || text == "-" ? .file(text) : .shipped(text)
    }

    /// What a run uses when nobody says otherwise.
    static let standard = PipelineReference.shipped("choice-of-three")

    var isFile: Bool {
        if case .file = self { true } else { false }
    }

    var description: String {
        switch self {
        case .shipped(let name): name
        case .file(let path): path
        }
    }
}
