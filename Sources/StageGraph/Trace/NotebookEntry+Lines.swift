import JSONDocument

extension NotebookEntry {
    /// The trace lines of one entry: batches and columns become one line for each item.
    var lines: [(event: String, members: [(String, JSONValue)])] {
        switch self {
        case .stage(let event):
            return [
                (
                    "stage",
                    [("name", .string(event.name)), ("item", JSONValue(event.item?.text)), ("fields", event.fields)]
                )
            ]
        case .item(let event): return event.lines
        }
    }
}

extension ItemEvent {
    fileprivate typealias Line = (event: String, members: [(String, JSONValue)])

    fileprivate var lines: [Line] {
        switch self {
        case .retrieved(let items): items.map { ("retrieved", [Self.item($0)]) }
        case .scored(let column): Self.lines(of: column)
        case .totalled(let totals): totals.map(Self.line)
        default: [line]
        }
    }

    /// The one line of every event that is about a single thing.
    private var line: Line {
        switch self {
        case .duplicated(let item): ("duplicate_id", [Self.item(item)])
        case .merged(let merge):
            (
                "merged",
                [Self.item(merge.absorbed), ("into", .string(merge.survivor.text)), ("why", .string(merge.why))]
            )
        case .cut(let removal): Self.line("cut", removal)
        case .dropped(let removal): Self.line("dropped", removal)
        case .lost(let removal): Self.line("lost", removal)
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

    private static func line(_ event: String, _ removal: Removal) -> Line {
        (event, [item(removal.item), ("reason", .string(removal.reason)), ("evidence", .string(removal.evidence))])
    }

    private static func lines(of column: ScoreColumn) -> [Line] {
        column.contributions.sorted { $0.key < $1.key }.map { id, contribution in
            ("scored", [item(id), ("value", .number(contribution.value)), evidence(contribution.evidence)])
        }
    }

    private static func line(_ totalled: Totalled) -> Line {
        let parts = totalled.total.parts.map { ($0.name, JSONValue.number($0.value)) }
        return (
            "totalled",
            [
                item(totalled.item), ("score", .number(totalled.total.score)), ("parts", NodeDefinition.object(parts)),
                evidence(totalled.total.evidence),
            ]
        )
    }

    private static func evidence(_ evidence: [Evidence]) -> (String, JSONValue) {
        (
            "evidence",
            .array(evidence.map { ["kind": .string($0.kind), "ref": .string($0.ref), "weight": .number($0.weight)] })
        )
    }
}
