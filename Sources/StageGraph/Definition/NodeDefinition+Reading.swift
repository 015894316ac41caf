import JSONDocument

extension NodeDefinition {
    static let members = [
        "id", "kind", "inputs", "parameters", "policy", "minimum", "substitute", "wait", "life", "retry",
    ]

    /// Reads a whole node; nil when it has no usable id or kind.
    init?(_ reader: JSONReader, in file: String, layer: ParameterLayer, alsoAllowing others: [String] = []) {
        reader.expectOnly(Self.members + others)
        let id = reader.required("id").flatMap { Self.nodeID($0) }
        let kind = reader.required("kind")?.string()
        guard let id, let kind else { return nil }
        self.init(id: id, kind: kind, place: SourcePlace(file: file, path: reader.path))
        apply(reader, in: file, layer: layer)
    }

    /// Takes over what a node or a patch of a node writes; null takes a field away.
    mutating func apply(_ reader: JSONReader, in file: String, layer: ParameterLayer) {
        if let kind = reader.optional("kind")?.string() {
            self.kind = kind
            mark("kind", reader, in: file)
        }
        if let inputs = reader.optional("inputs") { applyInputs(inputs, in: file) }
        if let parameters = reader.optional("parameters") { applyParameters(parameters, in: file, layer: layer) }
        take("policy", reader, in: file) { node, value in node.policy = value?.choice(NodePolicy.self) }
        take("substitute", reader, in: file) { node, value in node.substitute = value.flatMap { Self.nodeID($0) } }
        take("wait", reader, in: file) { node, value in node.wait = value.flatMap { $0.duration() } }
        take("life", reader, in: file) { node, value in node.life = value.flatMap { $0.duration() } }
        take("retry", reader, in: file) { node, value in node.retry = value.flatMap { RetryPolicy($0) } }
        take("minimum", reader, in: file) { node, value in node.minimum = value.map { Self.minimum($0) } ?? [:] }
    }

    private mutating func take(
        _ name: String,
        _ reader: JSONReader,
        in file: String,
        _ store: (inout NodeDefinition, JSONReader?) -> Void
    ) {
        guard reader.value[name] != nil else { return }
        store(&self, reader.optional(name))
        mark(name, reader, in: file)
    }

    private mutating func mark(_ name: String, _ reader: JSONReader, in file: String, as field: String? = nil) {
        changedPlaces[field ?? name] = SourcePlace(file: file, path: reader.pathOf(name))
    }

    private mutating func applyInputs(_ reader: JSONReader, in file: String) {
        guard let object = reader.value.object else {
            reader.note("expected an object of inputs, found \(reader.value.kindName)")
            return
        }
        for port in object.names {
            mark(port, reader, in: file, as: "inputs.\(port)")
            guard let value = reader.optional(port) else {
                feeds.removeAll { $0.port == port }
                continue
            }
            if value.value.array != nil {
                feed(port, from: value.items().compactMap { Self.nodeID($0) }, isList: true)
            } else if let id = Self.nodeID(value) {
                feed(port, from: [id], isList: false)
            }
        }
    }

    private mutating func applyParameters(_ reader: JSONReader, in file: String, layer: ParameterLayer) {
        guard let object = reader.value.object else {
            reader.note("expected an object of parameters, found \(reader.value.kindName)")
            return
        }
        for name in object.names {
            mark(name, reader, in: file, as: "parameters.\(name)")
            guard let value = reader.optional(name) else {
                assignments.removeAll { $0.name == name }
                continue
            }
            var why: String?
            var plain = value.value
            if plain.object != nil {
                value.expectOnly(["value", "why"])
                why = value.optional("why")?.prose()
                guard let inner = value.required("value") else { continue }
                plain = inner.value
            }
            assign(name, ParameterValues.Setting(value: plain, layer: layer, origin: file, why: why))
        }
    }

    private static func nodeID(_ reader: JSONReader) -> NodeID? {
        guard let text = reader.string() else { return nil }
        let isPlain = text.utf8.allSatisfy { byte in
            (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || byte == 0x5F || byte == 0x2D
        }
        guard isPlain, !text.isEmpty, text.utf8.count <= 64 else {
            reader.note("\"\(text.prefix(60))\" is no node id: 1 to 64 of a-z, 0-9, - and _")
            return nil
        }
        return NodeID(text)
    }

    private static func minimum(_ reader: JSONReader) -> [String: Int] {
        var minimum: [String: Int] = [:]
        for port in reader.value.object?.names ?? [] {
            minimum[port] = reader.optional(port)?.int(in: 0...1_000)
        }
        if reader.value.object == nil {
            reader.note("expected an object of inputs and numbers, found \(reader.value.kindName)")
        }
        return minimum
    }
}

extension RetryPolicy {
    fileprivate init?(_ reader: JSONReader) {
        reader.expectOnly(["attempts", "base"])
        let attempts = reader.required("attempts")?.int(in: 1...10)
        let base = reader.optional("base").map { $0.duration() } ?? .milliseconds(50)
        guard let attempts, let base else { return nil }
        self.init(attempts: attempts, base: base)
    }
}

extension JSONReader {
    /// This value as a name that can stand on one line of anything and be stored anywhere.
    func title() -> String? {
        guard let text = string() else { return nil }
        let isPlain = !text.unicodeScalars.contains { $0.properties.generalCategory == .control }
        guard isPlain, !text.isEmpty, text.utf8.count <= 200 else {
            note("expected a name of 1 to 200 bytes without control characters")
            return nil
        }
        return text
    }

    /// This value as text that can be stored: a database takes no NUL.
    func prose() -> String? {
        guard let text = string() else { return nil }
        guard !text.utf8.contains(0) else {
            note("expected a text without NUL")
            return nil
        }
        return text
    }

    /// This value as a duration, or nil with a problem noted.
    func duration() -> Duration? {
        guard let text = value.string, let duration = DurationText.parse(text) else {
            note(DurationText.expectation)
            return nil
        }
        return duration
    }

    /// The path a member of this value has or would have.
    func pathOf(_ name: String) -> String {
        JSONReader(.object(JSONObject([.init(name: name, value: true)])), path: path).optional(name)?.path ?? path
    }
}
