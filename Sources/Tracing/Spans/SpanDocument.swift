import JSONDocument

/// Spans as OTLP/JSON, an `ExportTraceServiceRequest`: ids in hexadecimal, moments as texts of nanoseconds, enumerations as
/// numbers.
package struct SpanDocument: Sendable {
    /// Of which program they are.
    package struct Resource: Sendable {
        package var service: String
        package var version: String
        /// Of this process alone.
        package var instance: String
        /// What else an operator says of it.
        package var further: [SpanAttribute] = []

        package init(service: String, version: String, instance: String) {
            self.service = service
            self.version = version
            self.instance = instance
        }
    }

    private let head: JSONValue
    private let scope: JSONValue

    package init(_ resource: Resource) {
        let own: [SpanAttribute] = [
            .text("service.name", resource.service), .text("service.version", resource.version),
            .text("service.instance.id", resource.instance), .text("telemetry.sdk.name", "knot-recommend"),
            .text("telemetry.sdk.language", "swift"), .text("telemetry.sdk.version", resource.version),
        ]
        let named = Set(own.map(\.name))
        let all = own + resource.further.filter { !named.contains($0.name) }
        head = ["attributes": .array(all.map(Self.json))]
        scope = ["name": "knot-recommend", "version": .string(resource.version)]
    }

    /// One line without a line break in it.
    package func bytes(_ spans: [Span]) -> [UInt8] {
        JSONWriter.bytes(
            [
                "resourceSpans": [
                    ["resource": head, "scopeSpans": [["scope": scope, "spans": .array(spans.map(Self.json))]]]
                ]
            ]
        )
    }

    private static func json(_ span: Span) -> JSONValue {
        var members = JSONObject()
        members["traceId"] = .string(span.place.trace.description)
        members["spanId"] = .string(span.place.span.description)
        if let parent = span.parent { members["parentSpanId"] = .string(parent.description) }
        members["name"] = .string(span.name)
        members["kind"] = .integer(span.kind.rawValue)
        members["startTimeUnixNano"] = .string(String(span.start.nanoseconds))
        members["endTimeUnixNano"] = .string(String(span.end.nanoseconds))
        members["attributes"] = .array(span.attributes.map(json))
        if !span.links.isEmpty {
            members["links"] = .array(
                span.links.map {
                    ["traceId": .string($0.trace.description), "spanId": .string($0.span.description)]
                }
            )
        }
        switch span.status {
        case .unset: members["status"] = [:]
        case .ok: members["status"] = ["code": 1]
        case .error(let code): members["status"] = ["code": 2, "message": .string(code)]
        }
        return .object(members)
    }

    private static func json(_ attribute: SpanAttribute) -> JSONValue {
        let value: JSONValue =
            switch attribute.value {
            case .text(let text): ["stringValue": .string(text)]
            // 64 bits do not fit into every reader's numbers.
            case .count(let count): ["intValue": .string(String(count))]
            case .number(let number): ["doubleValue": .number(number)]
            case .flag(let flag): ["boolValue": .bool(flag)]
            }
        return ["key": .string(attribute.name), "value": value]
    }
}
