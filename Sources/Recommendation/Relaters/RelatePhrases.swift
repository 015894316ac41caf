import KnotDomain
package import StageGraph
import TextEncoding
import VectorSearch

/// Works out how near every phrase is to every candidate: by words always, by meaning too where there is an embedder.
package struct RelatePhrases: TransformStage {
    package static let kind = "relate.phrases"
    package static let role = StageRole.relater
    package static let summary = "Works out how near every phrase is to every candidate, by words and by meaning."
    static let pool = InputPort<Pool<Offer>>("pool")
    static let digest = InputPort<HintDigest>("hints")
    package static let inputs = [pool.declaration, digest.declaration]

    static let cosineFloor = Parameter<Double>(
        "cosine_floor",
        default: 0.25,
        in: 0...1,
        "Cosine at which two texts have nothing in common."
    )
    static let cosineCeiling = Parameter<Double>(
        "cosine_ceiling",
        default: 0.75,
        in: 0...1,
        "Cosine at which a text is the very thing a phrase asks for."
    )
    static let patience = Parameter<Double>(
        "patience_s",
        default: 3,
        in: 0.01...60,
        "Seconds one call of the embedder may take before words must do."
    )
    package static let parameters = [cosineFloor.declaration, cosineCeiling.declaration, patience.declaration]

    private let parameters: ParameterValues
    private let ports: StagePorts

    package init(_ parameters: ParameterValues, ports: StagePorts) throws(ParameterError) {
        guard parameters[Self.cosineFloor] < parameters[Self.cosineCeiling] else {
            throw ParameterError(parameter: "cosine_floor", message: "must be below cosine_ceiling")
        }
        self.parameters = parameters
        self.ports = ports
    }

    package func run(_ inputs: StageInputs, in context: StageContext) async throws(StageFailure) -> Relatedness {
        let offers = try inputs.value(Self.pool).items
        let digest = try inputs.value(Self.digest)
        let index = LexicalIndex(offers)
        var serves = index.coverage(of: digest.serves.map(\.stems))
        var avoids = AvoidMatcher(index).table(for: digest.avoids.map(\.text))
        var usesVectors = false
        if let embedder = ports.embedder {
            do throws(StageFailure) {
                (serves, avoids) = try await raised(serves, avoids, of: offers, digest, by: embedder, in: context)
                usesVectors = true
            } catch {
                // Words carry the run on; only what says nothing of the embedder ends it.
                guard error.failureClass == .provider || error.failureClass == .platform else { throw error }
                context.note(
                    "embedder_failed",
                    "the embedder failed (\(error.code)); candidates were compared by words alone",
                    degrades: true
                )
            }
        } else {
            context.note("no_embedder", "there is no embedder; candidates were compared by words alone", degrades: true)
        }
        let items = offers.map(\.itemID)
        return Relatedness(
            serves: PhraseTable(phrases: digest.serves, items: items, values: serves),
            avoids: PhraseTable(phrases: digest.avoids, items: items, values: avoids),
            usesVectors: usesVectors
        )
    }

    /// Both tables, lifted by what texts and phrases mean.
    private func raised(
        _ serves: [Double],
        _ avoids: [Double],
        of offers: [Offer],
        _ digest: HintDigest,
        by embedder: any TextEmbedder,
        in context: StageContext
    ) async throws(StageFailure) -> ([Double], [Double]) {
        var (serves, avoids) = (serves, avoids)
        let texts = offers.map { OfferText.forEmbedding($0.candidate) }
        let columns = try await embed(texts, with: embedder, in: context)
        let serving = try await embed(digest.serves.map(\.text), with: embedder, in: context)
        let avoiding = try await embed(digest.avoids.map(\.text), with: embedder, in: context)
        try raise(&serves, rows: columns, columns: serving)
        try raise(&avoids, rows: columns, columns: avoiding)
        return (serves, avoids)
    }

    private func embed(
        _ texts: [String],
        with embedder: any TextEmbedder,
        in context: StageContext
    ) async throws(StageFailure) -> [Embedding] {
        guard !texts.isEmpty else { return [] }
        let patience = Duration.milliseconds(Int64(parameters[Self.patience] * 1_000))
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
        return found
    }

    /// Lets meaning lift what words missed; it never lowers what words found.
    private func raise(
        _ values: inout [Double],
        rows: [Embedding],
        columns: [Embedding]
    ) throws(StageFailure) {
        let table: SimilarityTable
        do {
            table = try ports.similarity.similarities(of: rows, to: columns)
        } catch {
            throw StageFailure(.provider, code: "mixed_models", error.description)
        }
        let floor = parameters[Self.cosineFloor]
        let width = parameters[Self.cosineCeiling] - floor
        for place in values.indices {
            values[place] = max(values[place], min(1, max(0, (Double(table.values[place]) - floor) / width)))
        }
    }
}
