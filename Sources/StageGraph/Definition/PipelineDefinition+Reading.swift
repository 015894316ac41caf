import JSONDocument

extension PipelineDefinition {
    /// Reads a file that extends no other.
    init(_ reader: JSONReader, in file: String) {
        reader.expectOnly(["$schema", "schema", "name", "summary", "deadline", "result", "nodes"])
        self.init(name: reader.required("name")?.title() ?? "", place: SourcePlace(file: file))
        summary = reader.optional("summary")?.prose()
        applyHead(reader, in: file)
        if reader.value["deadline"] == nil { reader.note("is missing", at: "deadline") }
        if reader.value["result"] == nil {
            reader.note("is missing: the id of the node whose output is the result", at: "result")
        }
        for item in reader.required("nodes")?.items() ?? [] {
            if let node = NodeDefinition(item, in: file, layer: .file) { nodes.append(node) }
        }
    }

    /// Applies a patch: the head's fields, changed or removed nodes, and added ones.
    mutating func apply(
        patch reader: JSONReader,
        in file: String,
        layer: ParameterLayer,
        alsoAllowing others: [String] = []
    ) {
        guard reader.value.object != nil else {
            reader.note("expected an object, found \(reader.value.kindName)")
            return
        }
        reader.expectOnly(["deadline", "result", "nodes", "add"] + others)
        applyHead(reader, in: file)
        if let changed = reader.optional("nodes") {
            if changed.value.object == nil {
                changed.note("expected an object of node ids, found \(changed.value.kindName)")
            }
            for name in changed.value.object?.names ?? [] { applyChange(of: name, changed, in: file, layer: layer) }
        }
        for item in reader.optional("add")?.items() ?? [] { applyAddition(item, in: file, layer: layer) }
    }

    private mutating func applyHead(_ reader: JSONReader, in file: String) {
        if let value = reader.optional("deadline") {
            deadline = value.duration()
            deadlinePlace = SourcePlace(file: file, path: value.path)
        }
        if let value = reader.optional("result") {
            result = value.string().map { NodeID($0) }
            resultPlace = SourcePlace(file: file, path: value.path)
        }
    }

    private mutating func applyChange(of name: String, _ reader: JSONReader, in file: String, layer: ParameterLayer) {
        guard let index = nodes.firstIndex(where: { $0.id.text == name }) else {
            reader.note(
                "there is no node \"\(name)\" to patch" + NearestName.hint(for: name, among: nodes.map(\.id.text)),
                at: name
            )
            return
        }
        guard let change = reader.optional(name) else {
            let removed = nodes.remove(at: index)
            removedPlaces[removed.id] = SourcePlace(file: file, path: reader.path).member(name)
            return
        }
        guard change.value.object != nil else {
            change.note("expected an object or null, found \(change.value.kindName)")
            return
        }
        change.expectOnly(NodeDefinition.members.filter { $0 != "id" })
        nodes[index].apply(change, in: file, layer: layer)
    }

    private mutating func applyAddition(_ reader: JSONReader, in file: String, layer: ParameterLayer) {
        guard let node = NodeDefinition(reader, in: file, layer: layer, alsoAllowing: ["after"]) else { return }
        guard let after = reader.optional("after") else {
            nodes.append(node)
            return
        }
        guard let name = after.string() else { return }
        guard let index = nodes.firstIndex(where: { $0.id.text == name }) else {
            after.note("there is no node \"\(name)\"" + NearestName.hint(for: name, among: nodes.map(\.id.text)))
            return
        }
        nodes.insert(node, at: index + 1)
    }
}
