import KnotDomain
import StageGraph
import Synchronization
import TextEncoding
import TextReading
import VectorSearch

/// The texts whose vectors a run needs, and the order in which they decide most.
struct MeaningQuestion: Sendable {
    /// The offers with the texts that they are compared by.
    let items: [(item: ItemID, text: String)]
    /// Each offer's text that has words, once.
    let texts: [String]
    /// Phrases to look for and to rule out, each once.
    let phrases: [String]
    /// The phrases and then the prototypes.
    let columns: [String]
    private let order: @Sendable () -> [Int]

    /// `order` gives the places of the offers, those that decide most first.
    init(_ offers: [Offer], _ phrases: [String], _ prototypes: Prototypes, order: @escaping @Sendable () -> [Int]) {
        items = offers.map { (item: $0.itemID, text: MeaningText.kept(of: $0.candidate)) }
        texts = Self.distinct(items.map(\.text))
        self.phrases = Self.distinct(phrases)
        columns = Self.distinct(self.phrases + prototypes.texts.map(MeaningText.of(phrase:)))
        self.order = order
    }

    /// Each text that has words once, in the order of their first places.
    private static func distinct(_ texts: [String]) -> [String] {
        var seen: Set<String> = []
        return texts.filter { !$0.isEmpty && seen.insert($0).inserted }
    }

    /// The vectors of some of the offers' texts, with those of all columns beside the first of them.
    func vectors(
        of offers: Range<Int>,
        by embedder: any TextEmbedder,
        until end: Duration,
        in context: StageContext
    ) async throws(StageFailure) -> (vectors: [String: Embedding], isWhole: Bool) {
        let asked = offers.lowerBound == 0 ? Self.distinct(texts[offers] + columns) : Array(texts[offers])
        // The limit lies inside the effect, so that running out of it is recorded like any other answer.
        let found = try await context.effects.perform(
            .embedding,
            key: EmbedderCall.key(of: asked, model: embedder.model),
            codec: .embeddings
        ) { () async throws(StageFailure) in
            let ready = embedder.ready(asked)
            if !ready.contains(nil) { return ready }
            let left = context.timeLeft - end
            guard left > .zero else { throw .embedderIsSlow }
            let made = MadeVectors(Dictionary(zip(asked, ready)) { first, _ in first }.compactMapValues(\.self))
            let calls = calls(for: asked.filter { made[$0] == nil }, bytes: embedder.bytesOfCall)
            let ofOffers = Set(asked.prefix(offers.count))
            let ended = await context.deadlines.run(within: left) { await made.make(calls, ofOffers, by: embedder) }
            // What was made in time counts; what fails otherwise may be wrong altogether.
            if case .failure(let failure) = ended.flatMap(\.self), !failure.isDeadline || made.isEmpty { throw failure }
            return asked.map { made[$0] }
        }
        let vectors = Dictionary(zip(asked, found)) { first, _ in first }.compactMapValues(\.self)
        return (vectors, vectors.count == asked.count)
    }

    /// Texts in calls of an embedder's size, what decides most first: phrases, then offers, then prototypes.
    private func calls(for missing: [String], bytes: Int?) -> [[String]] {
        guard let bytes else { return [missing] }
        let wanted = Set(missing)
        var calls: [[String]] = []
        var room = 0
        for text in Self.distinct(phrases + order().map { items[$0].text } + columns) where wanted.contains(text) {
            if room <= 0 { calls.append([]) }
            room = (room <= 0 ? bytes : room) - text.utf8.count
            calls[calls.count - 1].append(text)
        }
        return calls
    }
}

/// The vectors that there are so far.
private final class MadeVectors: Sendable {
    private let vectors: Mutex<[String: Embedding]>

    init(_ ready: [String: Embedding]) { vectors = Mutex(ready) }

    var isEmpty: Bool { vectors.withLock(\.isEmpty) }
    subscript(text: String) -> Embedding? { vectors.withLock { $0[text] } }

    /// Asks for one call's vectors after another, until the time is over; texts of offers come first in each.
    func make(
        _ calls: [[String]],
        _ ofOffers: Set<String>,
        by embedder: any TextEmbedder
    ) async -> Result<Void, StageFailure> {
        for call in calls where !Task.isCancelled {
            let offers = call.filter(ofOffers.contains)
            let texts = offers + call.filter { !ofOffers.contains($0) }
            do throws(StageFailure) {
                let found = try await embedder.embeddings(of: texts, offers: offers.count)
                if let failure = StageFailure(of: embedder.model, giving: found, for: texts) {
                    return .failure(failure)
                }
                vectors.withLock { $0.merge(zip(texts, found)) { known, _ in known } }
            } catch {
                return .failure(error)
            }
        }
        return .success(())
    }
}

extension StageFailure {
    /// An embedder's time is over.
    static let embedderIsSlow = StageFailure(.platform, code: deadline, "the embedder's time is over")

    /// Nil for one vector of the model for each text.
    fileprivate init?(of model: String, giving found: [Embedding], for texts: [String]) {
        if found.count != texts.count {
            let what = "\(model) gave \(found.count) vectors for \(texts.count) texts"
            self.init(.provider, code: "embedding_count", what)
        } else if let stranger = found.first(where: { $0.model != model }) {
            let what = "\(model) gave a vector of \(stranger.model), and vectors of two models are never compared"
            self.init(.provider, code: "mixed_models", what)
        } else {
            return nil
        }
    }
}
