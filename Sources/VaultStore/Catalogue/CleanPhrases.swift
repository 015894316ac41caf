import Synchronization

/// The phrases of the last few wishes, cleaned, since each provider of a run is asked for the same ones.
final class CleanPhrases: Sendable {
    private struct State {
        var entries: [(given: [String], clean: [String])] = []
        /// Which entry makes room next.
        var oldest = 0
    }

    private let mostEntries = 8
    private let state = Mutex(State())

    func phrases(_ given: [String]) -> [String] {
        // Compared by their bytes, since texts that are equal may still be read differently.
        let known = state.withLock { state in
            state.entries.first { entry in entry.given.elementsEqual(given) { $0.utf8.elementsEqual($1.utf8) } }
        }
        if let known { return known.clean }
        let clean = CatalogueWish.clean(given)
        state.withLock { state in
            if state.entries.count < mostEntries {
                state.entries.append((given, clean))
            } else {
                state.entries[state.oldest] = (given, clean)
                state.oldest = (state.oldest + 1) % mostEntries
            }
        }
        return clean
    }
}
