package import JSONDocument
import Synchronization

/// Where one call of one node writes; read once, at the call's end, and deaf from then on.
package final class NodeLog: Sendable {
    /// What a call left behind.
    package struct Contents: Sendable {
        package var entries: [NodeLogEntry] = []
        package var reasons: [RunReason] = []

        package init() {}
    }

    private struct State {
        var logged = Contents()
        var isClosed = false
    }

    private let state = Mutex(State())

    package init() {}

    func note(_ reason: RunReason) {
        state.withLock { state in
            // A stage may meet the same trouble for every item; the reader needs to hear of it once.
            if !state.isClosed, !state.logged.reasons.contains(reason) { state.logged.reasons.append(reason) }
        }
    }

    func trace(_ event: TraceEvent) {
        append([.stage(event)])
    }

    func account(_ events: [ItemEvent]) {
        append(events.map(NodeLogEntry.item))
    }

    /// Ends the writing and hands over what was written; what a call given up writes later is lost on purpose.
    package func close() -> Contents {
        state.withLock { state in
            state.isClosed = true
            return state.logged
        }
    }

    private func append(_ entries: [NodeLogEntry]) {
        state.withLock { state in
            if !state.isClosed { state.logged.entries.append(contentsOf: entries) }
        }
    }
}

/// One line of a node's log.
package enum NodeLogEntry: Sendable {
    case item(ItemEvent)
    case stage(TraceEvent)
}

/// What happened to items at one node, written by the runner's accounting and by nobody else.
package enum ItemEvent: Sendable {
    /// These came in from outside, each for the first time at this node.
    case retrieved([ItemID])
    /// A second item with an id that had already come; the first one stays.
    case duplicated(ItemID)
    case merged(Merge)
    case cut(Removal)
    case dropped(Removal)
    case flagged(ItemID, [String])
    /// One scorer's whole column; expanded item by item only when somebody reads it.
    case scored(ScoreColumn)
    /// A value or total that was not finite.
    case nonFinite(ItemID)
    case totalled([Totalled])
    case selected(ItemID, position: Int)
    case reserved(ItemID, position: Int)
    case notSelected(ItemID)
    case relaxed(Relaxation)
    case chosen(ItemID, position: Int, verdict: String, refilledFrom: Int?)
    case lost(Removal)
    case unused(ItemID)

    /// One item's place in a ranking with the sum that put it there.
    package struct Totalled: Sendable {
        package let item: ItemID
        package let total: Total
    }
}

/// Something a stage itself wants to leave in the trace.
package struct TraceEvent: Sendable, Equatable {
    package let name: String
    package let item: ItemID?
    /// An object; never with hint texts.
    package let fields: JSONValue

    package init(_ name: String, item: ItemID? = nil, _ fields: JSONValue = [:]) {
        self.name = name
        self.item = item
        self.fields = fields
    }
}
