import Glibc
import Recommendation
import TextEncoding

/// Gets a command its embedder: the model that was named or set up, and what was embedded before.
enum EmbedderDesk {
    /// The file of embeddings of fixtures, in the cache folder.
    private static let fileName = "embeddings.knot"

    /// Nil where words only were asked for, or where there is no model and none was named.
    ///
    /// What is embedded is kept in memory; `keepsFile` keeps it in a file too, which is for fixtures only: embeddings of
    /// a person's hints belong in the database and nowhere else.
    static func embedder(
        _ shared: SharedOptions,
        _ context: CommandContext,
        keepsFile: Bool = false
    ) throws(CommandError) -> (any TextEmbedder)? {
        guard let encoder = try encoder(shared, context) else { return nil }
        let file = keepsFile ? cacheFile(context) : nil
        let cache = EmbeddingCache(limit: keepsFile ? 20_000 : EmbeddingCache.usualLimit, file: file)
        for note in cache.notes { context.note(note) }
        return EncoderEmbedder(encoder, cache: cache, profile: profile(of: encoder, context.environment))
    }

    /// An input that is missing is told before the model is looked for.
    static func encoder(_ shared: SharedOptions, _ context: CommandContext) throws(CommandError) -> Encoder? {
        try context.files?.checkInputs()
        let environment = context.environment
        let named: String?
        switch shared.model {
        case .none: return nil
        case .automatic: named = nil
        case .directory(let path): named = path
        }
        do throws(EncoderError) {
            let directory = try ModelSearch(environment: environment.all).directory(named: named)
            return try Encoder(
                directory: directory,
                threads: shared.threads ?? MachineCores.count,
                records: cacheFolder(environment).map { ModelRecordFiles(cache: $0) }
            )
        } catch {
            if error.code == .noModel, named == nil { return nil }
            throw CommandError(error)
        }
    }

    /// What calibrating found out about an encoder's model; the reference needs none of its own.
    static func profile(of encoder: Encoder, _ environment: Environment) -> CosineProfile? {
        if encoder.isReference { return .reference }
        return cacheFolder(environment).flatMap { ModelRecordFiles(cache: $0).profile(of: encoder.model) }
    }

    /// The file of embeddings, for one writer at a time; without one, everything is only embedded again.
    static func cacheFile(_ context: CommandContext) -> EmbeddingCacheFile? {
        guard let path = cachePath(context.environment) else { return nil }
        do throws(CommandError) {
            try PrivateFolder.make(for: path)
        } catch {
            context.note("\(path): \(error.what); embeddings are kept for this run only")
            return nil
        }
        do throws(EmbeddingCacheError) {
            return try EmbeddingCacheFile(path: path, for: .appending)
        } catch {
            return reader(path, instead: error, context)
        }
    }

    /// Another command may be writing to the file: what it has can still be read.
    private static func reader(
        _ path: String,
        instead failure: EmbeddingCacheError,
        _ context: CommandContext
    ) -> EmbeddingCacheFile? {
        do throws(EmbeddingCacheError) {
            return try EmbeddingCacheFile(path: path, for: .reading)
        } catch {
            context.note("\(failure.description) Embeddings are kept for this run only.")
            return nil
        }
    }

    /// Where that file is; nil without a home.
    static func cachePath(_ environment: Environment) -> String? {
        cacheFolder(environment).map { "\($0)/\(fileName)" }
    }

    /// Whether there is such a folder to write in, or can be.
    static func canWrite(_ folder: String) -> Bool {
        do throws(CommandError) {
            try PrivateFolder.make(for: folder + "/\(fileName)")
        } catch {
            return false
        }
        return unsafe access(folder, W_OK) == 0
    }

    static func cacheFolder(_ environment: Environment) -> String? {
        if let folder = environment["KNOT_CACHE"], !folder.isEmpty { return folder }
        if let folder = environment["XDG_CACHE_HOME"], folder.hasPrefix("/") { return folder + "/knot-recommend" }
        if let home = environment["HOME"], home.hasPrefix("/") { return home + "/.cache/knot-recommend" }
        return nil
    }
}
