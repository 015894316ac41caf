import Catalogue
import FoundationEssentials
package import TextEncoding
import VectorSearch

/// Gives the texts of the sets to an encoder, a few hundred at a time, and keeps what it makes in a file.
package struct EncodedSets: Sendable {
    /// After each batch: how many texts of how many.
    package typealias Progress = @Sendable (Int, Int) -> Void

    private static let batch = 256
    private let model: String
    private let precision: String
    private let cache: EmbeddingCache
    private let queries: CachedEncoder<EncoderError>
    private let passages: CachedEncoder<EncoderError>

    /// Loads the model with a precision ("f32" or "int8").
    package init(model: String?, precision: String, threads: Int, cache: EmbeddingCache) throws(RetrievalError) {
        guard let kind = EncoderPrecision(rawValue: precision) else {
            throw RetrievalError("there is no precision \(precision)")
        }
        let encoder: Encoder
        do throws(EncoderError) {
            encoder = try Encoder(
                directory: ModelSearch(environment: ProcessInfo.processInfo.environment).directory(named: model),
                threads: threads,
                precision: kind
            )
        } catch {
            throw RetrievalError("\(error)")
        }
        self.model = encoder.model
        self.precision = precision
        self.cache = cache
        func cached(_ role: TextRole) -> CachedEncoder<EncoderError> {
            let variant = encoder.settings.prefixes[role].isEmpty ? "" : role.rawValue
            return CachedEncoder(model: encoder.model, variant: variant, cache: cache) { texts throws(EncoderError) in
                try encoder.encode(texts, as: role)
            }
        }
        queries = cached(.query)
        passages = cached(.passage)
    }

    /// The model's name with all that tells its vectors from others.
    package var name: String { model }

    /// Adds the encoder's vectors to a run, and what a catalogue on the disk finds with them, made in `folder`.
    package func encode(
        _ set: RetrievalSet,
        into run: inout RetrievalRun,
        folder: String? = nil,
        progress: Progress = { _, _ in }
    ) throws(RetrievalError) {
        let (asked, held): ([Embedding], [Embedding])
        do throws(EncoderError) {
            asked = try Self.encode(set.topics.map(\.query), with: queries, progress: progress)
            held = try Self.encode(set.documents.map(\.text), with: passages, progress: progress)
        } catch {
            throw RetrievalError("\(error)")
        }
        do throws(VectorSearchError) {
            try run.add(precision: precision, queries: asked, documents: held)
        } catch {
            throw RetrievalError("\(error)")
        }
        guard let folder else { return }
        do throws(CatalogueError) {
            try run.search(precision: precision, queries: asked, documents: held, in: folder)
        } catch {
            throw RetrievalError("\(error)")
        }
    }

    private static func encode(
        _ texts: [String],
        with encoder: CachedEncoder<EncoderError>,
        progress: Progress
    ) throws(EncoderError) -> [Embedding] {
        var embeddings: [Embedding] = []
        embeddings.reserveCapacity(texts.count)
        for start in stride(from: 0, to: texts.count, by: batch) {
            embeddings += try encoder.embeddings(of: Array(texts[start..<min(texts.count, start + batch)]))
            progress(embeddings.count, texts.count)
        }
        return embeddings
    }
}
