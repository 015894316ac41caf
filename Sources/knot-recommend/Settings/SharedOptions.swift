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
