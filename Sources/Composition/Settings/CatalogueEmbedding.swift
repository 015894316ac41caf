package import Catalogue
package import Console
package import JSONDocument
import KnotDomain
import Recommendation
package import TextEncoding
import VaultStore
import VectorSearch

/// Gets a command the file of candidates that `--catalogue` names, with vectors as far as there are any.
///
/// Its items are nobody's hints: their vectors are kept in the file of embeddings in the cache folder.
package enum CatalogueEmbedding {
    /// So many vectors are made on the way to a run; where more are missing, `embed` makes them.
    package static let mostOnTheWay = 1_000
    private static let batch = 128

    /// What became of a file's items.
    package struct Embedded: Sendable {
        package let file: CatalogueFile
        /// How many items had no vector when it was opened.
        package let missing: Int
        package let made: Int

        package var left: Int { missing - made }
    }

    package static func file(_ path: String) throws(CommandError) -> CatalogueFile {
        try reporting { try CatalogueFile(path: path) }
    }

    /// Whether vectors that are made are for later too, or for a run that goes on without keeping them.
    package enum Purpose: Sendable {
        case keeping
        /// So many are made on the way at most.
        case running(atMost: Int)

        fileprivate var most: Int {
            switch self {
            case .keeping: .max
            case .running(let most): most
            }
        }
    }

    /// The file with the vectors that its items have; those that are missing are made.
    package static func embed(
        _ file: CatalogueFile,
        at path: String,
        _ encoder: Encoder,
        for purpose: Purpose,
        _ context: CommandContext
    ) throws(CommandError) -> Embedded {
        let texts = file.texts
        let kept = ModelSetup.cacheFile(context)
        let cache = EmbeddingCache(limit: 2 * texts.count + 2, file: kept)
        let known = cache.notes
        for note in known { context.note(note) }
        var vectors = texts.map { text in
            text.isEmpty ? nil : cache.embedding(for: EmbeddingKey(model: encoder.model, text: text))
        }
        let places = texts.indices.filter { vectors[$0] == nil && !texts[$0].isEmpty }
        var made = 0
        if case .keeping = purpose, !places.isEmpty, kept?.access != .appending { throw cannotKeep(kept, context) }
        if places.count <= purpose.most {
            let embedder = CachedEncoder(model: encoder.model, cache: cache) { (texts: [String]) throws(EncoderError) in
                try encoder.encode(texts)
            }
            for start in stride(from: 0, to: places.count, by: batch) {
                let page = places[start..<min(places.count, start + batch)]
                let encoded = try reporting { try embedder.embeddings(of: page.map { texts[$0] }) }
                for (place, vector) in zip(page, encoded) { vectors[place] = vector }
                if case .keeping = purpose, cache.notes.count > known.count {
                    let todo = "make room and go on: the \(made) that were kept are not made again"
                    throw CommandError(.inputOutput, cache.notes[known.count], at: path, todo: todo)
                }
                made += page.count
                context.progress("\(made) of \(places.count) items of the catalogue embedded")
            }
        }
        let whole = try reporting { try file.with(vectors, model: encoder.model, name: path) }
        return Embedded(file: whole, missing: places.count, made: made)
    }

    /// Without a folder nothing can be kept; where a file can only be read, somebody else may be adding to it.
    private static func cannotKeep(_ file: EmbeddingCacheFile?, _ context: CommandContext) -> CommandError {
        let place = ModelSetup.cachePath(context.environment) ?? "KNOT_CACHE"
        guard file == nil else {
            let todo = "try again when no other command adds to it, and see that it can be written to"
            return CommandError(.tryAgain, "the vectors cannot be added to what is kept", at: place, todo: todo)
        }
        let todo = "set KNOT_CACHE to a folder that can be written to"
        return CommandError(.configuration, "there is no file to keep the vectors in", at: place, todo: todo)
    }

    /// Gives the offers of a folder the vectors that they lack, some at a time: stopped at any moment, it goes on there.
    package static func embed(
        folder: String,
        _ encoder: Encoder,
        _ context: CommandContext
    ) throws(CommandError) -> EmbeddedPart {
        let snapshot = try reporting { try CatalogueSnapshot(folder: folder) }
        if let model = snapshot.model, model != encoder.model {
            throw CommandError(
                .badInput,
                "its vectors are of \(model), and those of \(encoder.model) cannot stand beside them",
                at: folder,
                todo: "build it again: knot-recommend catalogue build FILE --catalogue \(folder)"
            )
        }
        let places = snapshot.placesWithoutVector()
        var (stored, done, wordless) = (0, 0, 0)
        for start in stride(from: 0, to: places.count, by: folderBatch) {
            let page = places[start..<min(places.count, start + folderBatch)]
            let offers = try reporting { try page.compactMap { try snapshot.candidate(at: $0) } }
            let named = offers.map { (offer: $0, text: CatalogueItem($0).text) }.filter { !$0.text.isEmpty }
            wordless += page.count - named.count
            let vectors = try reporting { try encoder.encode(named.map(\.text)) }
            stored += try reporting {
                try CatalogueWriter.keep(zip(named.map(\.offer), vectors), in: folder, threads: MachineCores.count)
            }
            done += page.count
            context.progress("\(done) of \(places.count) offers embedded")
        }
        return EmbeddedPart(
            name: "folder",
            things: "offers of \(folder)",
            pending: places.count - wordless,
            stored: stored,
            left: places.count - wordless - stored
        )
    }

    /// So many vectors are made before they are kept.
    private static let folderBatch = 4_096
}

/// What `embed` did with one kind of texts.
package struct EmbeddedPart: Sendable {
    package let name: String
    package let things: String
    /// How many had no vector at the start.
    package let pending: Int
    package let stored: Int
    /// Those that changed meanwhile.
    package let left: Int
    /// Those with nothing to embed.
    package let wordless: Int

    package init(name: String, things: String, pending: Int, stored: Int, left: Int = 0, wordless: Int = 0) {
        self.name = name
        self.things = things
        self.pending = pending
        self.stored = stored
        self.left = left
        self.wordless = wordless
    }

    package var json: JSONValue {
        [
            "pending": .integer(pending), "embedded": .integer(stored), "left": .integer(left),
            "without_words": .integer(wordless),
        ]
    }

    package func line(_ model: String) -> String {
        let later = left == 0 ? "" : ", \(left) left for the next time"
        let never = wordless == 0 ? "" : ", \(wordless) \(wordless == 1 ? "has" : "have") nothing to embed"
        return "\(stored) of \(max(pending, stored + left + wordless)) \(things) embedded with \(model)\(later)\(never)"
    }
}
