import Synchronization

/// What phrases find on a shelf by their words alone, kept since many people like the same things.
///
/// It holds so much and then begins anew; nothing but time depends on what it holds.
final class PhraseMemory: Sendable {
    private struct Entry {
        let phrase: String
        let hits: [CatalogueShelf.Hit]
    }

    private struct State {
        var entries: [String: Entry] = [:]
        /// The phrases and all their hits.
        var size = 0
    }

    private let mostHits = 1 << 16
    private let longestPhrase = 256
    private let state = Mutex(State())

    /// The hits of a phrase, made where they are not known.
    func hits(for phrase: String, make: () -> [CatalogueShelf.Hit]) -> [CatalogueShelf.Hit] {
        // Texts that differ in their bytes may be equal, and still be read differently.
        if let known = state.withLock({ $0.entries[phrase] }), known.phrase.utf8.elementsEqual(phrase.utf8) {
            return known.hits
        }
        let hits = make()
        guard phrase.utf8.count <= longestPhrase, hits.count < mostHits else { return hits }
        state.withLock { state in
            if state.size + hits.count >= mostHits { state = State() }
            state.size += 1 + hits.count - (state.entries[phrase].map { 1 + $0.hits.count } ?? 0)
            state.entries[phrase] = Entry(phrase: phrase, hits: hits)
        }
        return hits
    }
}
