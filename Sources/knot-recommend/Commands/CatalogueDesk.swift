import Recommendation
import TextEncoding
import VaultStore
import VectorSearch

/// Gets a command the file of candidates that `--catalogue` names, with vectors as far as there are any.
///
/// Its items are nobody's hints: their vectors are kept in the file of embeddings in the cache folder.
enum CatalogueDesk {
    /// So many vectors are made on the way to a run; where more are missing, `embed` makes them.
    static let mostOnTheWay = 1_000
    private static let batch = 128

    /// What became of a file's items.
    struct Embedded: Sendable {
        let file: CatalogueFile
        /// How many items had no vector when it was opened.
        let missing: Int
        let made: Int

        var left: Int { missing - made }
    }

    static func file(_ path: String) throws(CommandError) -> CatalogueFile {
        do throws(CatalogueFileError) {
            return try CatalogueFile(path: path)
        } catch {
            throw CommandError(error)
        }
    }

    /// The file with the vectors that its items have; those that are missing are made where they are at most so many.
    static func embed(
        _ file: CatalogueFile,
        at path: String,
        _ encoder: Encoder,
        atMost most: Int,
        _ context: CommandContext
    ) throws(CommandError) -> Embedded {
        let texts = file.texts
        let cache = EmbeddingCache(limit: 2 * texts.count + 2, file: EmbedderDesk.cacheFile(context))
        for note in cache.notes { context.note(note) }
        var vectors = texts.map { text in
            text.isEmpty ? nil : cache.embedding(for: EmbeddingKey(model: encoder.model, text: text))
        }
        let places = texts.indices.filter { vectors[$0] == nil && !texts[$0].isEmpty }
        var made = 0
        if places.count <= most {
            let embedder = CachedEncoder(model: encoder.model, cache: cache) { (texts: [String]) throws(EncoderError) in
                try encoder.encode(texts)
            }
            for start in stride(from: 0, to: places.count, by: batch) {
                let page = places[start..<min(places.count, start + batch)]
                do throws(EncoderError) {
                    for (place, vector) in zip(page, try embedder.embeddings(of: page.map { texts[$0] })) {
                        vectors[place] = vector
                    }
                } catch {
                    throw CommandError(error)
                }
                made += page.count
                context.progress("\(made) of \(places.count) items of the catalogue embedded")
            }
        }
        do throws(CatalogueFileError) {
            let whole = try file.with(vectors, model: encoder.model, name: path)
            return Embedded(file: whole, missing: places.count, made: made)
        } catch {
            throw CommandError(error)
        }
    }
}
