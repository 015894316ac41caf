/// What happened in a run, joined in the plan's declared order whatever order it happened in.
package struct TraceLog: Sendable {
    /// One node's part.
    package struct Section: Sendable {
        package let report: NodeReport
        /// Failures that were followed by another call.
        package let setbacks: [StageFailure]
        package let entries: [NodeLogEntry]
    }

    package let plan: Plan
    package let seed: UInt64
    package let subject: String
    package let sections: [Section]
    package let reasons: [RunReason]
    package let failure: StageFailure?
    package let elapsed: Duration
}

extension NodeLogEntry {
    /// True when the entry says something of this item.
    package func concerns(_ item: ItemID) -> Bool {
        switch self {
        case .stage(let event): event.item == item
        case .item(let event): event.concerns(item)
        }
    }
}

extension ItemEvent {
    /// True when the event says something of this item.
    package func concerns(_ item: ItemID) -> Bool {
        switch self {
        case .retrieved(let items): items.contains(item)
        case .merged(let merge): merge.absorbed == item || merge.survivor == item
        case .cut(let removal), .dropped(let removal), .lost(let removal): removal.item == item
        case .scored(let column): column[item] != nil
        case .totalled(let totals): totals.contains { $0.item == item }
        case .duplicated(let other), .flagged(let other, _), .nonFinite(let other), .selected(let other, _),
            .reserved(let other, _), .notSelected(let other), .chosen(let other, _, _, _), .unused(let other):
            other == item
        case .relaxed: false
        }
    }
}

/// Which texts of the evidence stay out of a trace: the graph knows nothing of what is private, its user does.
package struct TraceRedaction: Sendable {
    /// Stands where a text was left out.
    package static let hidden = "hidden"

    private let isPrivateEvidence: @Sendable (Evidence) -> Bool
    private let isPrivateRemoval: @Sendable (Removal) -> Bool

    package init(evidence: @escaping @Sendable (Evidence) -> Bool, removal: @escaping @Sendable (Removal) -> Bool) {
        isPrivateEvidence = evidence
        isPrivateRemoval = removal
    }

    /// Everything is written.
    package static let none = TraceRedaction(evidence: { _ in false }, removal: { _ in false })

    func ref(of evidence: Evidence) -> String { isPrivateEvidence(evidence) ? Self.hidden : evidence.ref }

    func evidence(of removal: Removal) -> String { isPrivateRemoval(removal) ? Self.hidden : removal.evidence }
}
