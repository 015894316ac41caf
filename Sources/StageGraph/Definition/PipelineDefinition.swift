/// A whole pipeline as files or a builder write it, after all patches.
package struct PipelineDefinition: Sendable {
    package static let schema = "knot.pipeline/1"

    package var name: String
    package var summary: String?
    package var deadline: Duration?
    package var result: NodeID?
    package var nodes: [NodeDefinition] = []
    /// Where the pipeline itself is written.
    var place: SourcePlace
    var resultPlace: SourcePlace?
    var deadlinePlace: SourcePlace?
    /// What was wrong when the files were read; a plan reports it together with its own findings.
    package internal(set) var readingProblems: [PipelineProblem] = []

    init(name: String, place: SourcePlace) {
        self.name = name
        self.place = place
    }

    package subscript(id: NodeID) -> NodeDefinition? {
        nodes.first { $0.id == id }
    }
}
