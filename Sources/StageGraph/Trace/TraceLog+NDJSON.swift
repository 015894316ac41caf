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
            node.declarations.compactMap { declaration in
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

extension NodeLogEntry {
    /// The trace lines of one entry: batches and columns become one line for each item.
    func lines(_ redaction: TraceRedaction) -> [(event: String, members: [(String, JSONValue)])] {
        switch self {
        case .stage(let event):
            return [
                (
                    "stage",
                    [("name", .string(event.name)), ("item", JSONValue(event.item?.text)), ("fields", event.fields)]
                )
            ]
        case .item(let event): return event.lines(redaction)
        }
    }
}

extension ItemEvent {
    fileprivate typealias Line = (event: String, members: [(String, JSONValue)])

    fileprivate func lines(_ redaction: TraceRedaction) -> [Line] {
        switch self {
        case .retrieved(let items): items.map { ("retrieved", [Self.item($0)]) }
        case .scored(let column): Self.lines(of: column, redaction)
        case .totalled(let totals): totals.map { Self.line($0, redaction) }
        default: [line(redaction)]
        }
    }

    /// The one line of every event that is about a single thing.
    private func line(_ redaction: TraceRedaction) -> Line {
        switch self {
        case .duplicated(let item): ("duplicate_id", [Self.item(item)])
        case .merged(let merge):
            (
                "merged",
                [Self.item(merge.absorbed), ("into", .string(merge.survivor.text)), ("why", .string(merge.why))]
            )
        case .cut(let removal): Self.line("cut", removal, redaction)
        case .dropped(let removal): Self.line("dropped", removal, redaction)
        case .lost(let removal): Self.line("lost", removal, redaction)
        case .flagged(let item, let flags): ("flagged", [Self.item(item), ("flags", JSONValue(flags))])
        case .nonFinite(let item): ("non_finite", [Self.item(item)])
        case .selected(let item, let position): ("selected", [Self.item(item), ("position", .integer(position + 1))])
        case .reserved(let item, let position): ("reserved", [Self.item(item), ("position", .integer(position + 1))])
        case .notSelected(let item): ("not_selected", [Self.item(item)])
        case .relaxed(let relaxation):
            ("relaxed", [("rule", .string(relaxation.rule)), ("detail", .string(relaxation.detail))])
        case .chosen(let item, let position, let verdict, let refilledFrom):
            (
                refilledFrom == nil ? "chosen" : "refilled",
                [
                    Self.item(item), ("position", .integer(position + 1)), ("verdict", .string(verdict)),
                    ("from_reserve", JSONValue(refilledFrom.map { $0 + 1 })),
                ]
            )
        case .unused(let item): ("unused", [Self.item(item)])
        case .retrieved, .scored, .totalled: ("", [])
        }
    }

    private static func item(_ item: ItemID) -> (String, JSONValue) { ("item", .string(item.text)) }

    private static func line(_ event: String, _ removal: Removal, _ redaction: TraceRedaction) -> Line {
        let evidence = redaction.evidence(of: removal)
        return (event, [item(removal.item), ("reason", .string(removal.reason)), ("evidence", .string(evidence))])
    }

    private static func lines(of column: ScoreColumn, _ redaction: TraceRedaction) -> [Line] {
        column.contributions.sorted { $0.key < $1.key }.map { id, contribution in
            ("scored", [item(id), ("value", .number(contribution.value)), evidence(contribution.evidence, redaction)])
        }
    }

    private static func line(_ totalled: Totalled, _ redaction: TraceRedaction) -> Line {
        let parts = totalled.total.parts.map { ($0.name, JSONValue.number($0.value)) }
        return (
            "totalled",
            [
                item(totalled.item), ("score", .number(totalled.total.score)), ("parts", NodeDefinition.object(parts)),
                evidence(totalled.total.evidence, redaction),
            ]
        )
    }

    private static func evidence(_ evidence: [Evidence], _ redaction: TraceRedaction) -> (String, JSONValue) {
        (
            "evidence",
            .array(
                evidence.map {
                    ["kind": .string($0.kind), "ref": .string(redaction.ref(of: $0)), "weight": .number($0.weight)]
                }
            )
        )
    }
}
