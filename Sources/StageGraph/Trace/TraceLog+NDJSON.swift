import JSONDocument

extension TraceLog {
    /// One JSON object a line, in the plan's declared order; without measured times, equal runs have equal bytes.
    ///
    /// The redaction decides which texts of the evidence are written.
    package func ndjson(measured: Bool = true, redaction: TraceRedaction = .none) -> [UInt8] {
        var output: [UInt8] = []
        func write(_ event: String, _ members: [(String, JSONValue)]) {
            let line = NodeDefinition.object([("event", .string(event))] + members)
            output.append(contentsOf: JSONWriter.bytes(line, style: .compact))
            output.append(0x0A)
        }
        write("run_start", start)
        for section in sections {
            let node: (String, JSONValue) = ("node", .string(section.report.node.text))
            write("node_start", [node] + section.head(measured: measured))
            for (place, setback) in section.setbacks.enumerated() {
                write("retried", [node, ("attempt", .integer(place + 1)), ("failure", setback.json)])
            }
            for entry in section.entries {
                for line in entry.lines(redaction) { write(line.event, [node] + line.members) }
            }
            write("node_end", [node] + section.tail(measured: measured))
        }
        for reason in reasons { write("reason", reason.members) }
        write("run_end", end(measured: measured))
        return output
    }

    private var start: [(String, JSONValue)] {
        let parameters = plan.nodes.flatMap { node in
            node.stage.parameters.compactMap { declaration in
                node.parameters.settings[declaration.name].map { setting in
                    NodeDefinition.object([
                        ("node", .string(node.id.text)), ("name", .string(declaration.name)), ("value", setting.value),
                        ("layer", .string(setting.layer.rawValue)), ("origin", JSONValue(setting.origin)),
                    ])
                }
            }
        }
        return [
            ("plan", ["name": .string(plan.name), "hash": .string(plan.identity)]),
            // As text: a JSON number cannot hold every 64-bit seed.
            ("seed", .string(String(seed))), ("subject", .string(subject)), ("parameters", .array(parameters)),
        ]
    }

    private func end(measured: Bool) -> [(String, JSONValue)] {
        [
            ("outcome", .string(failure == nil ? "succeeded" : "failed")), ("failure", failure?.json ?? .null),
        ] + (measured ? [("ms", elapsed.milliseconds)] : [])
    }
}

extension TraceLog.Section {
    fileprivate func head(measured: Bool) -> [(String, JSONValue)] {
        [("kind", .string(report.kind)), ("role", .string(report.role.rawValue))]
            + (measured ? [("at_ms", report.started?.milliseconds ?? .null)] : [])
    }

    fileprivate func tail(measured: Bool) -> [(String, JSONValue)] {
        let plain: [(String, JSONValue)] = [
            ("state", .string(report.state.rawValue)), ("attempts", .integer(report.attempts)),
            ("in", JSONValue(report.incoming)), ("out", JSONValue(report.outgoing)),
            ("failure", report.failure?.json ?? .null),
        ]
        guard measured else { return plain }
        let took = report.started.flatMap { started in report.ended.map { ($0 - started).milliseconds } }
        return plain + [("ms", took ?? .null), ("late", .bool(report.arrivedLate))]
    }
}

extension StageFailure {
    /// The failure as it is written in traces and errors.
    var json: JSONValue {
        ["class": .string(failureClass.rawValue), "code": .string(code), "detail": .string(detail)]
    }
}

extension RunReason {
    fileprivate var members: [(String, JSONValue)] {
        [
            ("code", .string(code)), ("node", JSONValue(node?.text)), ("detail", .string(detail)),
            ("degrades", .bool(degrades)),
        ]
    }
}

extension Duration {
    /// Milliseconds to the microsecond.
    fileprivate var milliseconds: JSONValue {
        let microseconds = components.seconds * 1_000_000 + components.attoseconds / 1_000_000_000_000
        return .number(Double(microseconds) / 1_000)
    }
}
