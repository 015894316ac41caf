import Digest
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

/// Why a recording cannot be used.
package struct CassetteError: Error, Sendable, Equatable, CustomStringConvertible {
    package enum Code: String, Sendable {
        /// The end of the file is missing.
        case torn
        /// The bytes are not those that were written.
        case corrupt
        /// It is no recording, or one of another version.
        case foreign
    }

    package let code: Code
    /// Counted from 1.
    package let line: Int
    package let message: String

    package var description: String { "line \(line): \(message)" }
}

extension Cassette {
    private static let schema = "knot.cassette/1"

    /// One line for the header, one for each effect, and one with the digest of all before it.
    package func ndjson() -> [UInt8] {
        var output: [UInt8] = []
        let header: JSONValue = [
            "schema": .string(Self.schema), "private": true, "seed": .string(String(seed)), "request": request,
            "plan": plan,
        ]
        Self.append(header, to: &output)
        for effect in effects { Self.append(effect.json, to: &output) }
        let digest = SHA256Digest(of: output).hex
        Self.append(["effects": .integer(effects.count), "sha256": .string(digest)], to: &output)
        return output
    }

    /// Reads what `ndjson` wrote; a file that was cut short or changed is refused with the line that shows it.
    package init(ndjson bytes: [UInt8]) throws(CassetteError) {
        let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
        guard let first = lines.first, !first.isEmpty else {
            throw CassetteError(code: .foreign, line: 1, message: "the file is empty")
        }
        let header = try Self.parse(first, line: 1, isLast: lines.count == 1)
        guard header["schema"] == .string(Self.schema) else {
            throw CassetteError(code: .foreign, line: 1, message: "this is no recording of schema \(Self.schema)")
        }
        guard lines.count >= 3, lines.last?.isEmpty == true else {
            throw CassetteError(
                code: .torn,
                line: lines.count,
                message: "the recording ends before its last line: it was cut short"
            )
        }
        let footerPlace = lines.count - 1
        let footer = try Self.parse(lines[footerPlace - 1], line: footerPlace, isLast: true)
        guard let digest = footer["sha256"]?.string, let count = footer["effects"]?.int else {
            throw CassetteError(
                code: .torn,
                line: footerPlace,
                message: "the line with the digest is missing: the recording was cut short"
            )
        }
        guard SHA256Digest(of: Array(bytes[..<lines[footerPlace - 1].startIndex])).hex == digest else {
            throw CassetteError(
                code: .corrupt,
                line: footerPlace,
                message: "the digest does not fit: the recording was changed"
            )
        }
        var effects: [RecordedEffect] = []
        for place in 1..<(footerPlace - 1) {
            let value = try Self.parse(lines[place], line: place + 1, isLast: false)
            guard let effect = RecordedEffect(json: value) else {
                throw CassetteError(code: .corrupt, line: place + 1, message: "this line is no effect")
            }
            effects.append(effect)
        }
        guard effects.count == count, let seed = header["seed"]?.string.flatMap({ UInt64($0) }) else {
            throw CassetteError(code: .corrupt, line: 1, message: "seed or number of effects does not fit")
        }
        self.init(plan: header["plan"] ?? .null, request: header["request"] ?? .null, seed: seed, effects: effects)
    }

    private static func append(_ value: JSONValue, to output: inout [UInt8]) {
        output.append(contentsOf: JSONWriter.bytes(value, style: .compact))
        output.append(0x0A)
    }

    private static func parse(
        _ line: ArraySlice<UInt8>,
        line number: Int,
        isLast: Bool
    ) throws(CassetteError) -> JSONValue {
        do throws(JSONSyntaxError) {
            return try JSONParser.parse(Array(line))
        } catch {
            throw CassetteError(
                code: isLast ? .torn : .corrupt,
                line: number,
                message: "column \(error.column): \(error.message)"
            )
        }
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
            members.append(
                .init(
                    name: "failure",
                    value: [
                        "class": .string(failure.failureClass.rawValue), "code": .string(failure.code),
                        "detail": .string(failure.detail),
                    ]
                )
            )
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
            answer = .failure(StageFailure(failureClass, code: code, detail))
        } else {
            return nil
        }
        self.init(kind: EffectKind(kind), node: NodeID(node), key: key, answer: answer)
    }
}
