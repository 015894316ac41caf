import JSONDocument

extension NotebookEntry {
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
