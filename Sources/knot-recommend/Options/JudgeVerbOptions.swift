/// What `judge` was asked to measure: every pipeline with every kind of readings.
struct JudgeVerbOptions: Sendable, Equatable {
    let shared: SharedOptions
    /// The folder of judged vaults.
    let fixtures: String
    /// At least one.
    let pipelines: [PipelineReference]
    /// At least one.
    let readings: [ReadingsSource]
    /// Nil: beside the fixtures, else the embedded ones.
    let rates: String?
    let format: TableFormat

    init(_ arguments: TypedArguments, _ settings: Settings) throws(CommandError) {
        format = try TableFormat(arguments)
        shared = SharedOptions(arguments, settings)
        fixtures = arguments.text(.fixtures) ?? FixtureOptions.usualFolder
        let pipelines = arguments.all(.pipeline).map(PipelineReference.init)
        self.pipelines = pipelines.isEmpty ? [shared.pipeline] : pipelines
        let readings = arguments.all(.readings).map { ReadingsSource($0) }
        self.readings = readings.isEmpty ? [ReadingsSource(settings.text(.readings))] : readings
        rates = settings.text(.rates)
    }
}
