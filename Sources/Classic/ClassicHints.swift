package import KnotDomain
package import Recommendation
package import StageGraph
import VectorSearch

/// The original's retrieval: the ten hints nearest to one glued query, or the newest ten without embeddings.
package struct ClassicHints: TransformStage {
    package static let kind = "classic.hints"
    package static let role = StageRole.retriever
    package static let summary = "Takes the ten hints nearest to one query, or the newest ten without vectors."
    static let brief = InputPort<Brief>("brief")
    package static let inputs = [brief.declaration]

    static let count = Parameter<Int>("count", default: 10, in: 1...100, "Hints to take.")
    static let threshold = Parameter<Double>("threshold", default: 0, in: -1...1, "Least cosine of a hint.")
    package static let parameters = [count.declaration, threshold.declaration]

    private let parameters: ParameterValues
    private let ports: StagePorts

    package init(_ parameters: ParameterValues, ports: StagePorts) {
        self.parameters = parameters
        self.ports = ports
    }

    package func run(_ inputs: StageInputs, in context: StageContext) async throws(StageFailure) -> [Hint] {
        let brief = try inputs.value(Self.brief)
        let newest = brief.vault.hints.sorted { ($0.createdAt, $1.id) > ($1.createdAt, $0.id) }
        guard let embedder = ports.embedder, !newest.isEmpty else {
            context.note("no_embedder", "there is no embedder; the newest hints were taken", degrades: true)
            return Array(newest.prefix(parameters[Self.count]))
        }
        let texts = [query(for: brief)] + newest.map(\.text)
        let vectors: [Embedding]
        do throws(StageFailure) {
            vectors = try await context.effects.perform(
                .embedding,
                key: EmbedderCall.key(of: texts, model: embedder.model),
                codec: .embeddings
            ) { () async throws(StageFailure) in try await embedder.embeddings(of: texts) }.compactMap(\.self)
        } catch {
            // The original has no fallback for a search that fails; a recording without vectors is a world without them.
            guard error.code == StageFailure.notRecorded else { throw error }
            context.note(
                "embedder_failed",
                "the embedder failed (\(error.code)); the newest hints were taken",
                degrades: true
            )
            return Array(newest.prefix(parameters[Self.count]))
        }
        guard vectors.count == texts.count else {
            throw StageFailure(.provider, code: "embedding_count", "the embedder gave \(vectors.count) vectors")
        }
        let table: SimilarityTable
        do {
            table = try KernelSimilarity().similarities(of: [vectors[0]], to: Array(vectors.dropFirst()))
        } catch {
            throw StageFailure(.data, code: "mixed_models", error.description)
        }
        let ranked = newest.indices.filter { Double(table[0, $0]) >= parameters[Self.threshold] }
            .sorted { (table[0, $0], $1) > (table[0, $1], $0) }
        return ranked.prefix(parameters[Self.count]).map { newest[$0] }
    }

    private func query(for brief: Brief) -> String {
        let milestone = brief.milestone.map { "\($0.name) \($0.kind.rawValue) gift ideas" } ?? ""
        let occasion =
            switch brief.tier {
            case .justBecause: "casual surprise date or small gift"
            case .minorOccasion: "thoughtful gift or fun outing"
            case .majorMilestone: "special memorable gift or experience"
            }
        return ([milestone, occasion] + brief.vault.likes.prefix(3).map(\.name)).filter { !$0.isEmpty }.joined(
            separator: " "
        )
    }
}
