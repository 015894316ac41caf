import Composition
import Console
import PipelineInput
import StageGraph

/// Two stages and one shipped pipeline of them: enough to see how the command handles pipelines.
enum TinyPipeline {
    struct ReadNumber: TransformStage {
        static let kind = "read.number"
        static let role = StageRole.reader
        static let summary = "Reads a number."
        static let number = Parameter("number", default: 1, in: 0...10, "The number.")
        static let parameters = [number.declaration]

        func run(_ inputs: StageInputs, in context: StageContext) async throws(StageFailure) -> Int { 1 }
    }

    struct PresentNumber: TransformStage {
        static let kind = "present.number"
        static let role = StageRole.presenter
        static let summary = "Presents a number."
        static let number = InputPort<Int>("number")
        static let inputs = [number.declaration]

        func run(_ inputs: StageInputs, in context: StageContext) async throws(StageFailure) -> Int {
            try inputs.value(Self.number)
        }
    }

    struct Shipped: DefinitionSource {
        func definition(
            _ reference: String,
            extendedBy file: String?
        ) throws(DefinitionSourceError) -> DefinitionFile {
            guard reference == "tiny" else {
                throw DefinitionSourceError(.unknownName, "there is no pipeline named \(reference)")
            }
            return DefinitionFile(name: reference, bytes: Array(TinyPipeline.text.utf8))
        }
    }

    static let text = """
        { "schema": "knot.pipeline/1", "name": "tiny", "deadline": "1s", "result": "show", "nodes": [
            { "id": "one", "kind": "read.number" },
            { "id": "show", "kind": "present.number", "inputs": { "number": "one" } } ] }
        """

    static func pipelines() -> Pipelines {
        var catalog = StageCatalog<Void>()
        catalog.add(ReadNumber.self) { _, _ in ReadNumber() }
        catalog.add(PresentNumber.self) { _, _ in PresentNumber() }
        return Pipelines(shipped: Shipped(), catalog: catalog)
    }
}
