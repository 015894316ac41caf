package import JSONDocument

extension PipelineDefinition {
    /// The merged file: reading it gives the same plan without any other file.
    package func expanded() -> JSONValue {
        var members: [JSONObject.Member] = [
            .init(name: "schema", value: .string(Self.schema)), .init(name: "name", value: .string(name)),
        ]
        if let summary { members.append(.init(name: "summary", value: .string(summary))) }
        if let deadline { members.append(.init(name: "deadline", value: .string(DurationText.text(deadline)))) }
        if let result { members.append(.init(name: "result", value: .string(result.text))) }
        members.append(.init(name: "nodes", value: .array(nodes.map(\.json))))
        return .object(JSONObject(members))
    }

    /// Reads a merged definition from a value, such as the one in a recording.
    package init(json value: JSONValue, file: String) throws(PipelineError) {
        let reader = JSONReader(value)
        if reader.required("schema")?.string() != Self.schema {
            reader.note("expected \"\(Self.schema)\"", at: "schema")
        }
        self.init(reader, in: file)
        guard reader.problems.list.isEmpty else {
            throw PipelineError(reader.problems.list.map { PipelineProblem($0, in: file) })
        }
    }
}

extension NodeDefinition {
    var json: JSONValue {
        var members: [JSONObject.Member] = [
            .init(name: "id", value: .string(id.text)), .init(name: "kind", value: .string(kind)),
        ]
        func add(_ name: String, _ value: JSONValue?) {
            if let value { members.append(.init(name: name, value: value)) }
        }
        add("inputs", feeds.isEmpty ? nil : Self.object(feeds.map { ($0.port, $0.json) }))
        add("parameters", assignments.isEmpty ? nil : Self.object(assignments.map { ($0.name, $0.json) }))
        add("policy", policy.map { .string($0.rawValue) })
        let minima = minimum.sorted { $0.key < $1.key }
        add("minimum", minima.isEmpty ? nil : Self.object(minima.map { ($0.key, .integer($0.value)) }))
        add("substitute", substitute.map { .string($0.text) })
        add("wait", wait.map { .string(DurationText.text($0)) })
        add("life", life.map { .string(DurationText.text($0)) })
        add("retry", retry.map { ["attempts": .integer($0.attempts), "base": .string(DurationText.text($0.base))] })
        return .object(JSONObject(members))
    }

    static func object(_ members: [(String, JSONValue)]) -> JSONValue {
        .object(JSONObject(members.map { JSONObject.Member(name: $0.0, value: $0.1) }))
    }
}

extension NodeDefinition.Feed {
    fileprivate var json: JSONValue {
        if !isList, let only = nodes.first { return .string(only.text) }
        return JSONValue(nodes.map(\.text))
    }
}

extension NodeDefinition.Assignment {
    fileprivate var json: JSONValue {
        guard let why = setting.why else { return setting.value }
        return ["value": setting.value, "why": .string(why)]
    }
}

/// Durations as definitions write them: `250ms`, `2s`, `1m`, `1.5s`.
package enum DurationText {
    private static let units: [(suffix: String, milliseconds: Double)] = [("ms", 1), ("s", 1_000), ("m", 60_000)]

    /// What a reader is told when a text is no duration.
    package static let expectation = "expected a positive duration such as \"250ms\", \"2s\" or \"1m\""

    /// Nil for anything that is not a positive number followed by a unit, or longer than a day.
    package static func parse(_ text: String) -> Duration? {
        for (suffix, milliseconds) in units where text.hasSuffix(suffix) {
            let digits = text.dropLast(suffix.count)
            guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == 0x2E }), let number = Double(digits)
            else { continue }
            let total = (number * milliseconds * 1_000).rounded()
            return total > 0 && total <= 86_400_000_000 ? .microseconds(Int64(total)) : nil
        }
        return nil
    }

    /// The shortest text that gives the same duration, in whole units where possible.
    package static func text(_ duration: Duration) -> String {
        let microseconds = duration.components.seconds * 1_000_000 + duration.components.attoseconds / 1_000_000_000_000
        if microseconds % 60_000_000 == 0 { return "\(microseconds / 60_000_000)m" }
        if microseconds % 1_000_000 == 0 { return "\(microseconds / 1_000_000)s" }
        if microseconds % 1_000 == 0 { return "\(microseconds / 1_000)ms" }
        return "\(Double(microseconds) / 1_000)ms"
    }
}
