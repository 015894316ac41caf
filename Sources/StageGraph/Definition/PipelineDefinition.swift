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
    /// Where a patch takes a node out: what still names the node is a fault of the patch.
    var removedPlaces: [NodeID: SourcePlace] = [:]
    /// What was wrong when the files were read; a plan reports it together with its own findings.
    package internal(set) var readingProblems: [PipelineProblem] = []
    /// The files it was read from, for the lines of problems.
    var files: [DefinitionFile] = []
    /// The layers that it was merged from; nil for a definition that was read as a whole.
    var layers: DefinitionLayers?

    init(name: String, place: SourcePlace) {
        self.name = name
        self.place = place
    }

    /// What is wrong where `user` names a node that there is not; a misspelt name is held against all nodes but `other`.
    func problem(
        missing name: NodeID,
        at place: SourcePlace,
        user: String,
        besides other: NodeID? = nil
    ) -> PipelineProblem {
        if let removal = removedPlaces[name] {
            return PipelineProblem(removal, "takes out the node \"\(name)\", which \(user) names")
        }
        let known = nodes.map(\.id).filter { $0 != other }.map(\.text)
        return PipelineProblem(place, "there is no node \"\(name)\"" + NearestName.hint(for: name.text, among: known))
    }
}

/// One node as definitions write it, after all patches, before anything is checked against the catalogue.
package struct NodeDefinition: Sendable {
    /// The nodes one input is fed by.
    package struct Feed: Sendable, Equatable {
        package let port: String
        package let nodes: [NodeID]
        /// Written as a list, even of one.
        package let isList: Bool
    }

    /// One parameter a definition sets.
    package struct Assignment: Sendable, Equatable {
        package let name: String
        package let setting: ParameterValues.Setting
    }

    package let id: NodeID
    package var kind: String
    package var feeds: [Feed] = []
    package var assignments: [Assignment] = []
    package var policy: NodePolicy?
    package var minimum: [String: Int] = [:]
    package var substitute: NodeID?
    package var wait: Duration?
    package var life: Duration?
    package var retry: RetryPolicy?
    /// Where the node stands, and where a patch changed a field of it.
    var place: SourcePlace
    var changedPlaces: [String: SourcePlace] = [:]

    init(id: NodeID, kind: String, place: SourcePlace) {
        self.id = id
        self.kind = kind
        self.place = place
    }

    /// Where a field is written, such as `inputs.pool`; the node itself when nothing wrote it.
    func place(of field: String) -> SourcePlace {
        changedPlaces[field] ?? place
    }

    mutating func feed(_ port: String, from nodes: [NodeID], isList: Bool) {
        let feed = Feed(port: port, nodes: nodes, isList: isList)
        if let index = feeds.firstIndex(where: { $0.port == port }) {
            feeds[index] = feed
        } else {
            feeds.append(feed)
        }
    }

    mutating func assign(_ name: String, _ setting: ParameterValues.Setting) {
        let assignment = Assignment(name: name, setting: setting)
        if let index = assignments.firstIndex(where: { $0.name == name }) {
            assignments[index] = assignment
        } else {
            assignments.append(assignment)
        }
    }
}

/// What a node's failure means for the run.
package enum NodePolicy: String, CaseIterable, Sendable {
    /// The run fails with it.
    case required
    /// The run goes on, degraded.
    case optional
}

/// How often a node is tried again after a provider or platform failure.
package struct RetryPolicy: Sendable, Equatable {
    /// All calls together, the first one included.
    package let attempts: Int
    /// The longest pause before the second call; it doubles with each further one and a seeded part of it is waited.
    package let base: Duration

    /// The pause after a number of failed calls, drawn evenly from zero to the doubled base.
    func pause(after failures: Int, using generator: inout SeededGenerator) -> Duration {
        base * Double(1 << min(failures - 1, 20)) * generator.unit()
    }
}

/// Where in which file something is written.
package struct SourcePlace: Sendable, Hashable {
    package let file: String
    package let path: String

    package init(file: String, path: String = "$") {
        self.file = file
        self.path = path
    }

    /// A plain member of this place.
    func member(_ name: String) -> SourcePlace { SourcePlace(file: file, path: "\(path).\(name)") }
    func item(_ index: Int) -> SourcePlace { SourcePlace(file: file, path: "\(path)[\(index)]") }
}
