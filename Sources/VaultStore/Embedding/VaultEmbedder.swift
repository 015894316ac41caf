package import Catalogue
package import KnotDomain
package import PostgresClient
package import Recommendation
package import StageGraph
import Synchronization
package import TextEncoding
import TextReading
import Threads
package import VectorSearch

/// A run's embedder that knows what the database has of the vault's hints, of their phrases and of catalogues' items, and
/// keeps what it had to make for hints and phrases.
///
/// Vectors of another model count as missing: they are made anew and never compared.
package final class VaultEmbedder: TextEmbedder, VectorMemory {
    private let base: any TextEmbedder
    private let hints: [Hint]
    private let known: [String: Embedding]
    private let phrases: [TextDigest: Embedding]
    private let expected = Mutex<Set<String>>([])
    private let catalogues: [IndexedCatalogue]
    private let made = Mutex<[String: Embedding]>([:])
    private let turn = AsyncGate()
    /// By the text that stages compare a hint by: the hints without a stored vector.
    private let unstored: [String: [String]]

    package var model: String { base.model }
    package var profile: CosineProfile? { base.profile }

    /// The stored embeddings of whatever models; the vault's own part of the catalogue, and catalogues that lie in memory.
    package init(
        _ base: any TextEmbedder,
        hints: [Hint],
        stored: [HintID: Embedding],
        phrases: [TextDigest: Embedding] = [:],
        catalogue: VaultCatalogue? = nil,
        catalogues: [IndexedCatalogue] = []
    ) {
        self.base = base
        self.hints = hints
        self.phrases = phrases
        self.catalogues = catalogues.filter { $0.vectorCount > 0 }
        var known = (catalogue?.vectors ?? [:]).filter { $0.value.model == base.model }
        var unstored: [String: [String]] = [:]
        for hint in hints {
            if let embedding = stored[hint.id], embedding.model == base.model {
                known[hint.text] = embedding
            } else {
                unstored[MeaningText.of(phrase: hint.text), default: []].append(hint.text)
            }
        }
        self.known = known
        self.unstored = unstored
    }

    package func embeddings(of texts: [String]) async throws(StageFailure) -> [Embedding] {
        try await embeddings(of: texts, offers: 0)
    }

    package func embeddings(of texts: [String], offers: Int) async throws(StageFailure) -> [Embedding] {
        // Several sources ask for the same phrases at once, and each text is to be made once.
        await turn.enter()
        defer { turn.leave() }
        var found = try stored(texts)
        let missing = wanted(texts, besides: found)
        if !missing.isEmpty {
            // What is missing stands in the order of the texts, so that offers come first.
            let offers = Set(texts.prefix(offers))
            let vectors = try await base.embeddings(of: missing, offers: missing.prefix(while: offers.contains).count)
            guard vectors.count == missing.count else {
                throw StageFailure(.provider, code: "embedding_count", "the embedder gave \(vectors.count) vectors")
            }
            made.withLock { made in
                for (text, vector) in zip(missing, vectors) { made[text] = vector }
            }
            for (text, vector) in zip(missing, vectors) { found[text] = vector }
        }
        return texts.compactMap { found[$0] }
    }

    package var bytesOfCall: Int? { base.bytesOfCall }

    /// A hint without a stored vector is asked for with its text.
    package func ready(_ texts: [String]) -> [Embedding?] {
        var found: [String: Embedding] = [:]
        do throws(StageFailure) {
            found = try stored(texts)
        } catch {
            // A catalogue that cannot be read says so when it is asked.
            return texts.map { _ in nil }
        }
        let others = texts.filter { found[$0] == nil && unstored[$0] == nil }
        for (text, vector) in zip(others, base.ready(others)) { found[text] = vector }
        made.withLock { made in
            for text in others { made[text] = found[text] ?? made[text] }
        }
        return texts.map { unstored[$0] == nil ? found[$0] : nil }
    }

    /// The vectors there are of texts.
    private func stored(_ texts: [String]) throws(StageFailure) -> [String: Embedding] {
        var found: [String: Embedding] = [:]
        found.reserveCapacity(texts.count)
        let made = made.withLock { $0 }
        for text in texts where found[text] == nil {
            if let embedding = known[text] ?? made[text] {
                found[text] = embedding
            } else if !(phrases.isEmpty && catalogues.isEmpty) {
                let digest = TextDigest(of: text)
                found[text] = phrases[digest]
                if found[text] == nil { found[text] = try inCatalogues(digest) }
            }
        }
        return found
    }

    private func inCatalogues(_ digest: TextDigest) throws(StageFailure) -> Embedding? {
        do throws(VectorSearchError) {
            for catalogue in catalogues {
                if let embedding = try catalogue.embedding(of: digest), embedding.model == model { return embedding }
            }
            return nil
        } catch {
            throw StageFailure(.provider, code: "catalogue_vectors", "the catalogue cannot be read: \(error)")
        }
    }

    /// Texts that have no vector yet, each once; with what stages compare a hint by, the hint's own text, which is stored.
    private func wanted(_ texts: [String], besides found: [String: Embedding]) -> [String] {
        var seen: Set<String> = []
        var missing = texts.filter { found[$0] == nil && seen.insert($0).inserted }
        guard !unstored.isEmpty else { return missing }
        let made = made.withLock { $0 }
        for text in texts {
            for hint in unstored[text] ?? [] where made[hint] == nil && seen.insert(hint).inserted {
                missing.append(hint)
            }
        }
        return missing
    }

    /// Takes up the vectors of items that a search of the database found, so that nobody makes them again.
    func remember(_ items: FoundItems) {
        remember(zip(items.candidates, items.vectors).map { CatalogueItem($0, vector: $1) })
    }

    /// Takes up the vectors of items that a search of a catalogue on the disk found.
    package func remember(_ items: [CatalogueItem]) {
        let found = items.compactMap { item in
            item.vector.flatMap { $0.model == model ? (MeaningText.kept(of: item.candidate), $0) : nil }
        }
        made.withLock { made in
            for (text, vector) in found where made[text] == nil { made[text] = vector }
        }
    }

    /// The same of one item.
    func remember(_ candidate: Candidate, _ vector: Embedding) {
        let text = MeaningText.of(candidate)
        made.withLock { made in if made[text] == nil { made[text] = vector } }
    }

    package func expect(again texts: [String]) { expected.withLock { $0.formUnion(texts) } }

    /// What stores the vectors that had to be made for a vault's phrases.
    package func statements(forPhrasesOf vault: VaultID) -> [SQLQuery] {
        let made = made.withLock { $0 }
        let expected = expected.withLock { $0 }
        let common = base as? any CommonVectors
        let fresh = expected.subtracting(hints.map(\.text)).compactMap { text in
            made[text].flatMap { common?.hasForAll(text) == true ? nil : (text, $0) }
        }
        let used = phrases.isEmpty ? [] : expected.filter { phrases[TextDigest(of: $0)] != nil }
        return PhraseEmbeddings.storing(fresh, of: vault, beside: phrases.count, used: Array(used), hints: hints)
    }

    /// What stores those that had to be made for hints, in the order of the hints' ids.
    package var statements: [SQLQuery] {
        let known = fresh.compactMap { item in
            PostgresUUID(item.hint.id.text).map { (hint: PendingHint(id: $0, stored: item.hint.text), item.embedding) }
        }
        return known.sorted { $0.hint.id < $1.hint.id }.map { HintEmbeddingStore.update($0.hint, $0.1) }
    }

    /// What was made for hints in this run, to be stored with them.
    package var fresh: [(hint: Hint, embedding: Embedding)] {
        let made = made.withLock { $0 }
        return hints.compactMap { hint in made[hint.text].map { (hint, $0) } }
    }
}

/// An embedder that keeps vectors of some texts for all vaults, so that none has to keep them itself.
package protocol CommonVectors: Sendable {
    func hasForAll(_ text: String) -> Bool
}
