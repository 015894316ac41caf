import JSONDocument
import StageGraph

extension PipelineDesk {
    /// The plan a recording was made with, an experiment and settings laid over it.
    func plan(
        recorded definition: JSONValue,
        in file: String,
        experiment: String?,
        settings: [CommandLineSetting]
    ) throws(CommandError) -> Plan {
        let layers = try experiment.map { path throws(CommandError) in [try Self.layer(path)] } ?? []
        do throws(PipelineError) {
            let loader = PipelineLoader(source: RecordedPlan(bytes: JSONWriter.bytes(definition)))
            return try plan(try loader.load(file, experiments: layers, settings: settings))
        } catch {
            throw Self.failure(error, in: .file(file))
        }
    }
}
