import Synchronization

/// Where one call of one node writes; read once, at the call's end, and deaf from then on.
package final class NodeNotebook: Sendable {
    /// What a call left behind.
    package struct Pages: Sendable {
        package var entries: [NotebookEntry] = []
        package var reasons: [RunReason] = []

        package init() {}
    }

    private struct State {
        var pages = Pages()
        var isClosed = false
    }

    private let state = Mutex(State())

    package init() {}

    func note(_ reason: RunReason) {
        state.withLock { state in
            // A stage may meet the same trouble for every item; the reader needs to hear of it once.
            if !state.isClosed, !state.pages.reasons.contains(reason) { state.pages.reasons.append(reason) }
        }
    }

    func trace(_ event: TraceEvent) {
        append([.stage(event)])
    }

    func account(_ events: [ItemEvent]) {
        append(events.map(NotebookEntry.item))
    }

    /// Ends the writing and hands over what was written; what a call given up writes later is lost on purpose.
    package func close() -> Pages {
        state.withLock { state in
            state.isClosed = true
            return state.pages
        }
    }

    private func append(_ entries: [NotebookEntry]) {
        state.withLock { state in
            if !state.isClosed { state.pages.entries.append(contentsOf: entries) }
        }
    }
}
