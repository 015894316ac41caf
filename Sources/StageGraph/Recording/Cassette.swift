package import JSONDocument

/// A recorded run: the plan, the request and every effect, enough to run it again without an outside.
package struct Cassette: Sendable, Equatable {
    /// The merged pipeline definition the run was made with.
    package let plan: JSONValue
    package let request: JSONValue
    package let seed: UInt64
    package let effects: [RecordedEffect]

    package init(plan: JSONValue, request: JSONValue, seed: UInt64, effects: [RecordedEffect]) {
        self.plan = plan
        self.request = request
        self.seed = seed
        self.effects = effects
    }
}

extension Cassette {
    private static let kind = SealedLines.Kind(
        schema: "knot.cassette/1",
        entries: "effects",
        file: "recording",
        entry: "effect"
    )

    /// A line for the header and one for each effect, sealed.
    package func ndjson() -> [UInt8] {
        let header: JSONValue = [
            "private": true, "seed": .string(String(seed)), "request": request, "plan": plan,
        ]
        return SealedLines(header, effects.map(\.json)).bytes(Self.kind)
    }

    /// Reads what `ndjson` wrote.
    package init(ndjson bytes: [UInt8]) throws(SealedLinesError) {
        let lines = try SealedLines(bytes, Self.kind)
        guard let seed = lines.header["seed"]?.string.flatMap({ UInt64($0) }) else {
            throw SealedLinesError(.corrupt, line: 1, "there is no seed in it")
        }
        self.init(
            plan: lines.header["plan"] ?? .null,
            request: lines.header["request"] ?? .null,
            seed: seed,
            effects: try lines.read(Self.kind, RecordedEffect.init(json:))
        )
    }
}

extension RecordedEffect {
    fileprivate var json: JSONValue {
        var members: [JSONObject.Member] = [
            .init(name: "kind", value: .string(kind.text)), .init(name: "node", value: .string(node.text)),
            .init(name: "key", value: key),
        ]
        switch answer {
        case .value(let value): members.append(.init(name: "value", value: value))
        case .failure(let failure):
            var words: [JSONObject.Member] = [
                .init(name: "class", value: .string(failure.failureClass.rawValue)),
                .init(name: "code", value: .string(failure.code)),
                .init(name: "detail", value: .string(failure.detail)),
            ]
            if failure.isSettled { words.append(.init(name: "settled", value: true)) }
            if failure.isLasting { words.append(.init(name: "lasting", value: true)) }
            members.append(.init(name: "failure", value: .object(JSONObject(words))))
        }
        return .object(JSONObject(members))
    }

    fileprivate init?(json: JSONValue) {
        guard let kind = json["kind"]?.string, let node = json["node"]?.string, let key = json["key"] else {
            return nil
        }
        let answer: Answer
        if let value = json["value"] {
            answer = .value(value)
        } else if let failure = json["failure"], let code = failure["code"]?.string,
            let detail = failure["detail"]?.string,
            let failureClass = failure["class"]?.string.flatMap(FailureClass.init(rawValue:))
        {
            answer = .failure(
                StageFailure(
                    failureClass,
                    code: code,
                    detail,
                    isSettled: failure["settled"] == true,
                    isLasting: failure["lasting"] == true
                )
            )
        } else {
            return nil
        }
        self.init(kind: EffectKind(kind), node: NodeID(node), key: key, answer: answer)
    }
}
