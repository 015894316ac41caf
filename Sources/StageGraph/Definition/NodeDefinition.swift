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
