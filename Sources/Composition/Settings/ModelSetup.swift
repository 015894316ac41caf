import Arguments
import ChoiceService
package import Console
import Digest
import FileInput
package import Fixtures
import Glibc
import JSONDocument
import KnotDomain
package import Recommendation
package import TextEncoding
import Threads
import VectorSearch

/// Gets a command its embedder: the model that was named or set up, and what was embedded before.
package enum ModelSetup {
    /// The files of the cache folder.
    private enum CacheFile: String, CaseIterable {
        /// Embeddings of fixtures.
        case fixtures = "embeddings.knot"
        /// Embeddings of the words that are the same for every vault.
        case vocabulary = "vocabulary.knot"
        /// Embeddings of offers, whichever vault they were looked at for.
        case offers = "offers.knot"

        /// Ten thousand offers, whose places are read in three milliseconds.
        var limit: Int { self == .offers ? 16 << 20 : .max }
    }

    /// Which embeddings a file keeps besides those in memory.
    ///
    /// Embeddings of a person's hints belong in the database and nowhere else: `everything` is for judged fixtures only.
    package enum Keeping: Sendable {
        case nothing
        /// A dry run takes what is there and adds nothing.
        case offers(isDryRun: Bool)
        case everything
    }

    /// Nil where words only were asked for, or where there is no model and none was named.
    package static func embedder(
        _ shared: SharedOptions,
        _ context: CommandContext,
        keeping: Keeping = .nothing
    ) throws(CommandError) -> (any TextEmbedder)? {
        if shared.model == .remote {
            try context.files?.checkPlaces()
            return try RemoteModel.embedder(context)
        }
        guard let encoder = try encoder(shared, context) else { return nil }
        let file: EmbeddingCacheFile? =
            switch keeping {
            case .nothing: nil
            case .offers(let isDryRun): isDryRun ? readOnly(.offers, context) : cacheFile(.offers, context)
            case .everything: cacheFile(context)
            }
        let keepsAll = if case .everything = keeping { true } else { false }
        let cache = EmbeddingCache(limit: keepsAll ? 20_000 : EmbeddingCache.usualLimit, file: file)
        for note in cache.notes { context.note(note) }
        // The stages before the first text need one core; without a thread the model is taken up then.
        if case .offers = keeping { _ = OwnThread.start { encoder.prepare() } }
        return EncoderEmbedder(
            encoder,
            cache: cache,
            profile: profile(of: encoder, context.environment),
            filing: keepsAll ? .everything : .offers(and: VocabularyEmbedder.texts)
        )
    }

    /// The embedder for vaults of the database, of which no file keeps anything but the vocabulary and offers.
    package static func embedder(
        of encoder: Encoder,
        _ context: CommandContext,
        isDryRun: Bool = false
    ) -> VocabularyEmbedder {
        VocabularyEmbedder(
            encoder,
            file: isDryRun ? readOnly(.vocabulary, context) : cacheFile(.vocabulary, context),
            offers: isDryRun ? readOnly(.offers, context) : cacheFile(.offers, context),
            profile: profile(of: encoder, context.environment)
        )
    }

    /// An input that is missing is told before the model is looked for.
    package static func encoder(_ shared: SharedOptions, _ context: CommandContext) throws(CommandError) -> Encoder? {
        try context.files?.checkPlaces()
        let environment = context.environment
        let named: String?
        switch shared.model {
        case .none: return nil
        case .remote:
            throw CommandError(
                .configuration,
                "only choices for fixtures and calibrating take vectors from a service",
                at: "--model remote",
                todo: "leave it out: what is stored has vectors of a model on this machine"
            )
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
    package static func profile(of encoder: Encoder, _ environment: Environment) -> CosineProfile? {
        if encoder.isReference { return .reference }
        return cacheFolder(environment).flatMap { ModelRecordFiles(cache: $0).profile(of: encoder.model) }
    }

    /// The file of fixtures' embeddings, for one writer at a time; without one, everything is only embedded again.
    package static func cacheFile(_ context: CommandContext) -> EmbeddingCacheFile? { cacheFile(.fixtures, context) }

    private static func cacheFile(_ file: CacheFile, _ context: CommandContext) -> EmbeddingCacheFile? {
        guard let path = path(of: file, context.environment) else { return nil }
        do throws(CommandError) {
            try PrivateFolder.make(for: path)
        } catch {
            context.note("\(path): \(error.what); embeddings are kept for this run only")
            return nil
        }
        do throws(EmbeddingCacheError) {
            return try EmbeddingCacheFile(path: path, for: .appending, limit: file.limit)
        } catch {
            return reader(path, instead: error, context)
        }
    }

    /// The file as it is; nil where there is none.
    private static func readOnly(_ file: CacheFile, _ context: CommandContext) -> EmbeddingCacheFile? {
        guard let path = path(of: file, context.environment), FileStatus(path: path) != nil else { return nil }
        return reader(path, context)
    }

    /// Another command may be writing to the file: what it has can still be read.
    private static func reader(
        _ path: String,
        instead failure: EmbeddingCacheError? = nil,
        _ context: CommandContext
    ) -> EmbeddingCacheFile? {
        do throws(EmbeddingCacheError) {
            return try EmbeddingCacheFile(path: path, for: .reading)
        } catch {
            context.note("\((failure ?? error).description) Embeddings are kept for this run only.")
            return nil
        }
    }

    /// Where that file is; nil without a home.
    package static func cachePath(_ environment: Environment) -> String? { path(of: .fixtures, environment) }

    /// Where all files of embeddings are.
    package static func cachePaths(_ environment: Environment) -> [String] {
        CacheFile.allCases.compactMap { path(of: $0, environment) }
    }

    private static func path(of file: CacheFile, _ environment: Environment) -> String? {
        cacheFolder(environment).map { "\($0)/\(file.rawValue)" }
    }

    /// Whether there is such a folder to write in, or can be.
    package static func canWrite(_ folder: String) -> Bool {
        do throws(CommandError) {
            try PrivateFolder.make(for: folder + "/\(CacheFile.fixtures.rawValue)")
        } catch {
            return false
        }
        return unsafe access(folder, W_OK) == 0
    }

    package static func cacheFolder(_ environment: Environment) -> String? {
        if let folder = environment["KNOT_CACHE"], !folder.isEmpty { return folder }
        return UserFolder.cache.path(of: "knot-recommend", environment.all)
    }
}

/// Which vector kernels a run uses.
package enum KernelChoice: Sendable, Equatable {
    /// The fastest that this machine has.
    case auto
    case named(String)

    /// What may be chosen; a machine has some of them.
    package static let words = ["auto"] + Kernels.allNames

    package init?(_ word: String) {
        guard Self.words.contains(word) else { return nil }
        self = word == "auto" ? .auto : .named(word)
    }
}

/// Which embedding model a command uses.
package enum ModelChoice: Sendable, Equatable {
    /// The one that set-up puts in its place, where there is one.
    case automatic
    /// Words only.
    case none
    /// A service's, which is told the texts.
    case remote
    case directory(String)

    /// What may be typed in place of a folder.
    package static let words = ["none", "remote"]

    package init(_ text: String?) {
        switch text {
        case nil: self = .automatic
        case "none": self = .none
        case "remote": self = .remote
        case let path?: self = .directory(path)
        }
    }
}

/// Whose readings of the hints a run uses.
package enum ReadingsSource: Sendable, Equatable {
    /// Those beside the fixture where there are any, else the rules.
    case automatic
    case rules
    /// A file, or a folder that is searched by the fixture's name.
    case recorded(String)

    package init(_ text: String?) {
        self =
            switch text {
            case nil: .automatic
            case "rules": .rules
            case .some(let path): .recorded(path)
            }
    }
}

extension ReadingsSource {
    /// The same as the loader of fixtures names it.
    package var choice: ReadingsChoice {
        switch self {
        case .automatic: .beside
        case .rules: .rules
        case .recorded(let path): .path(path)
        }
    }
}

/// Keeps what was found out about models in the cache folder: a small file for each file of weights and one for each model
/// that was calibrated, and a few models' layers as this machine's kernels want them.
package struct ModelRecordFiles: ModelRecords {
    private let folder: String
    /// A file changed so short a while ago could change again without its times telling.
    private static let shortWhile = 2_000_000_000

    /// In the `models` of a cache folder.
    package init(cache: String) {
        folder = cache + "/models"
    }

    package func record(of stamp: FileStamp) -> ModelRecord? {
        guard let json = read(path(of: stamp)) else { return nil }
        return ModelRecord(json, of: stamp)
    }

    package func keep(_ record: ModelRecord) {
        guard Int(MachineClock().now().millisecondsSinceEpoch) * 1_000_000 - record.stamp.changed > Self.shortWhile
        else { return }
        write(JSONWriter.bytes(record.json, style: .pretty) + [0x0A], to: path(of: record.stamp))
    }

    /// One of four places, so that the files of models which nobody uses any more do not pile up.
    package func path(ofPacked identity: String) -> String {
        "\(folder)/layers-\((identity.utf8.first ?? 0) % 4).packed"
    }

    package func keep(packed bytes: [UInt8], of identity: String) { write(bytes, to: path(ofPacked: identity)) }

    /// What calibrating found out about a model's cosines.
    package func profile(of model: String) -> CosineProfile? {
        guard let json = read(path(of: model)), json["model"]?.string == model else { return nil }
        return json["profile"].flatMap { CosineProfile($0) }
    }

    /// Keeps it, and says where.
    package func keep(_ profile: CosineProfile, of model: String) throws(CommandError) -> String {
        let path = path(of: model)
        let json: JSONValue = ["model": .string(model), "profile": profile.json]
        try PrivateFolder.make(for: path)
        try AtomicFile.write(JSONWriter.bytes(json, style: .pretty) + [0x0A], to: path)
        return path
    }

    private func path(of model: String) -> String {
        "\(folder)/\(SHA256Digest(of: model).hex.prefix(24)).profile.json"
    }

    private func path(of stamp: FileStamp) -> String { "\(folder)/\(stamp.device)-\(stamp.inode).json" }

    private func read(_ path: String) -> JSONValue? {
        // Nothing is kept there that cannot be found out again: what cannot be read was never kept.
        guard FileStatus(path: path)?.kind == .regular else { return nil }
        do throws(CommandError) {
            return try InputFile.readJSON(path, broken: .badInput)
        } catch {
            return nil
        }
    }

    private func write(_ bytes: [UInt8], to path: String) {
        do throws(CommandError) {
            try PrivateFolder.make(for: path)
            try AtomicFile.write(bytes, to: path)
        } catch {
            // A cache that cannot be written to costs the next start a little time; it says so where embeddings are kept.
        }
    }
}

extension PrivateFolder {
    /// Makes this program's folder for a file.
    package static func make(for path: String) throws(CommandError) {
        try make(for: path, of: "knot-recommend")
    }
}
