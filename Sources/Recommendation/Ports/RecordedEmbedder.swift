import JSONDocument
package import StageGraph
import Synchronization
package import TextEncoding
package import VectorSearch

/// The embedder of a replay: it has the vectors that were recorded, and makes none.
///
/// A recording knows each call by a digest of its texts, which are private. Once the recorded plan has asked its
/// questions again, every vector is known by its text, and another plan may ask for them in any company.
package final class RecordedEmbedder: TextEmbedder {
    package let model: String
    package let profile: CosineProfile?
    private let calls: [[UInt8]: [Embedding]]
    private let known = Mutex<[String: Embedding]>([:])

    package init(model: String, profile: CosineProfile? = .reference, _ effects: [RecordedEffect]) {
        self.model = model
        self.profile = profile
        var calls: [[UInt8]: [Embedding]] = [:]
        for effect in effects where effect.kind == .embedding {
            guard case .value(let value) = effect.answer else { continue }
            calls[Self.name(effect.key)] = EffectCodec<[Embedding]>.embeddings.decode(value)
        }
        self.calls = calls
    }

    /// False where no call of the recording was answered.
    package var hasVectors: Bool { !calls.isEmpty }

    package func embeddings(of texts: [String]) async throws(StageFailure) -> [Embedding] {
        if let vectors = calls[Self.name(EmbeddingKey.of(texts, model: model))], vectors.count == texts.count {
            known.withLock { known in
                for (text, vector) in zip(texts, vectors) { known[text] = vector }
            }
            return vectors
        }
        let found = known.withLock { known in texts.map { known[$0] } }
        let vectors = found.compactMap(\.self)
        guard vectors.count == texts.count else {
            let missing = texts.count - vectors.count
            throw StageFailure(
                .provider,
                code: StageFailure.notRecorded,
                "the recording has no vector for \(missing) of \(texts.count) texts"
            )
        }
        return vectors
    }

    private static func name(_ key: JSONValue) -> [UInt8] { JSONWriter.bytes(key, style: .canonical) }
}
