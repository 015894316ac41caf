import KnotDomain
package import StageGraph
package import TextEncoding
import VectorSearch

/// Asks the embedder, once for the whole run, where offers, phrases and prototypes lie in meaning.
///
/// Everything that later stages compare by meaning is in the one call, so that it is one effect of a recording.
package struct RelateMeaning: TransformStage {
    package static let kind = "relate.meaning"
    package static let role = StageRole.relater
    package static let summary = "Asks the embedder, once, how near offers, phrases and prototypes are in meaning."
    static let pool = InputPort<Pool<Offer>>("pool")
    static let digest = InputPort<HintDigest>("hints")
    static let brief = InputPort<Brief>("brief")
    package static let inputs = [pool.declaration, digest.declaration, brief.declaration]

    static let patience = Parameter<Double>(
        "patience_s",
        default: 6,
        in: 0.01...60,
        "Seconds the call of the embedder may take before words must do."
    )
    package static let parameters = [patience.declaration]

    private let patience: Duration
    private let ports: StagePorts
    private let prototypes: Prototypes

    package init(
        _ parameters: ParameterValues,
        ports: StagePorts,
        prototypes: Prototypes = .shared
    ) {
        patience = .milliseconds(Int64(parameters[Self.patience] * 1_000))
        self.ports = ports
        self.prototypes = prototypes
    }

    package func run(_ inputs: StageInputs, in context: StageContext) async throws(StageFailure) -> PoolMeaning {
        let offers = try inputs.value(Self.pool).items
        let digest = try inputs.value(Self.digest)
        let vault = try inputs.value(Self.brief).vault
        guard let embedder = ports.embedder else {
            context.note("no_embedder", "there is no embedder; candidates were compared by words alone", degrades: true)
            return .unknown
        }
        let free = (vault.likes + vault.dislikes).filter { $0.known == nil }.map(\.name)
        let phrases = digest.serves.map(\.text) + digest.avoids.map(\.text) + free
        let columns = Self.distinct((phrases + prototypes.texts).map(MeaningText.of(phrase:)))
        let texts = offers.map { MeaningText.of($0.candidate) }
        do throws(StageFailure) {
            return try await meaning(of: offers, texts, columns, by: embedder, in: context)
        } catch {
            // Words carry the run on; only what says nothing of the embedder ends it.
            guard error.failureClass == .provider || error.failureClass == .platform else { throw error }
            context.note(
                "embedder_failed",
                "the embedder failed (\(error.code)); candidates were compared by words alone",
                degrades: true
            )
            return .unknown
        }
    }

    /// Each text that has words once, in the order of their first places.
    private static func distinct(_ texts: [String]) -> [String] {
        var seen: Set<String> = []
        return texts.filter { !$0.isEmpty && seen.insert($0).inserted }
    }

    private func meaning(
        of offers: [Offer],
        _ texts: [String],
        _ columns: [String],
        by embedder: any TextEmbedder,
        in context: StageContext
    ) async throws(StageFailure) -> PoolMeaning {
        let rows = Self.distinct(texts)
        guard !rows.isEmpty else { return .unknown }
        let vectors = try await embed(Self.distinct(rows + columns), with: embedder, in: context)
        let left = rows.compactMap { vectors[$0] }
        let cosines: SimilarityTable
        do {
            cosines = try ports.similarity.similarities(of: left, to: columns.compactMap { vectors[$0] })
        } catch {
            throw StageFailure(.provider, code: "mixed_models", error.description)
        }
        let places = Dictionary(rows.enumerated().map { ($1, $0) }) { first, _ in first }
        return PoolMeaning(
            zip(offers, texts).compactMap { offer, text in places[text].map { (item: offer.itemID, row: $0) } },
            vectors: left,
            columns: Dictionary(columns.enumerated().map { ($1, $0) }) { first, _ in first },
            cosines: cosines
        )
    }

    private func embed(
        _ texts: [String],
        with embedder: any TextEmbedder,
        in context: StageContext
    ) async throws(StageFailure) -> [String: Embedding] {
        let patience = patience
        let deadlines = context.deadlines
        // The limit lies inside the effect, so that running out of it is recorded like any other answer.
        let found = try await context.effects.perform(
            .embedding,
            key: EmbeddingKey.of(texts, model: embedder.model),
            codec: .embeddings
        ) { () async throws(StageFailure) in
            try await deadlines.run(within: patience) {
                do throws(StageFailure) {
                    return Result<[Embedding], StageFailure>.success(try await embedder.embeddings(of: texts))
                } catch {
                    return Result<[Embedding], StageFailure>.failure(error)
                }
            }.flatMap { $0 }.get()
        }
        guard found.count == texts.count else {
            throw StageFailure(
                .provider,
                code: "embedding_count",
                "\(embedder.model) gave \(found.count) vectors for \(texts.count) texts"
            )
        }
        guard let stranger = found.first(where: { $0.model != embedder.model }) else {
            return Dictionary(zip(texts, found)) { first, _ in first }
        }
        throw StageFailure(
            .provider,
            code: "mixed_models",
            "\(embedder.model) gave a vector of \(stranger.model), and vectors of two models are never compared"
        )
    }
}
