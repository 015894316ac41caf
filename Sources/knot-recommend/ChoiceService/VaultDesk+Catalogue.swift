import Digest
import Evaluation
import HintRules
import JSONDocument
import KnotDomain
import PostgresClient
import Recommendation
import StageGraph
import Synchronization
import TextEncoding
import VaultStore

/// What a search of the catalogue goes by is told once for a command, never for each vault.
extension VaultDesk {
    /// Takes everybody's items into memory before the first vault that they are searched for.
    ///
    /// Where that fails, each search asks the database and tells of what is wrong with it.
    func shareCatalogue() async {
        do throws(PostgresError) {
            let found = try await shared.read()
            guard let embedder else { return told.note(Self.onlyWords) }
            guard found.vectorCount < found.count else { return }
            told.note(
                "\(found.count - found.vectorCount) of \(found.count) items for everybody in the catalogue have no vector "
                    + "of \(embedder.model), so they are found by their words alone; knot-recommend embed --all makes them"
            )
        } catch {
            return
        }
    }

    /// The file with its items' vectors; of what has none it is told.
    static func searchable(
        _ file: CatalogueFile,
        at path: String,
        _ encoder: Encoder?,
        _ context: CommandContext
    ) throws(CommandError) -> CatalogueFile {
        guard let encoder else {
            context.note(onlyWords)
            return file
        }
        let found = try CatalogueDesk.embed(file, at: path, encoder, atMost: CatalogueDesk.mostOnTheWay, context)
        if found.left > 0 {
            context.note(
                "\(found.left) of \(file.candidates.count) items of \(path) have no vector of \(encoder.model), so they are "
                    + "found by their words alone; knot-recommend embed --catalogue \(path) makes them"
            )
        }
        return found.file
    }

    private static let onlyWords = "there is no embedding model, so the catalogue is searched by words alone"
}

/// The database's catalogue with a file's candidates behind it; what the file says stands for the item's own page.
struct JoinedCatalogue: CandidateProvider, AvailabilityChecker {
    private let provider: CatalogueProvider
    private let checker: CatalogueChecker
    private let file: CatalogueFile?
    private let embedder: (any TextEmbedder)?

    init(
        provider: CatalogueProvider,
        checker: CatalogueChecker,
        file: CatalogueFile?,
        embedder: (any TextEmbedder)?
    ) {
        self.provider = provider
        self.checker = checker
        self.file = file
        self.embedder = embedder
    }

    func candidates(for query: ProviderQuery) async throws(StageFailure) -> [Candidate] {
        let stored = try await provider.candidates(for: query)
        guard let file, stored.count < query.limit else { return stored }
        let found = try await file.candidates(for: query, embedder: embedder)
        // What there is was asked for with the limit, so alone it needs no cut.
        guard !stored.isEmpty else { return found }
        let ids = Set(stored.map(\.id))
        return Array((stored + found.filter { !ids.contains($0.id) }).prefix(query.limit))
    }

    func probe(_ candidate: Candidate) async throws(StageFailure) -> AvailabilityProbe {
        if let file, file.holds(candidate) {
            return AvailabilityProbe(status: 200, signal: .inStock, price: .notLooked)
        }
        return try await checker.probe(candidate)
    }
}

/// What stands beside a vault of the database: readings and rates, its own or those of a file.
enum VaultReadings {
    /// The reader, and what it knows, for the digest of the run's input.
    static func reader(
        _ choice: ReadingsSource,
        _ source: PostgresVaultSource,
        _ stored: StoredVault
    ) throws(CommandError) -> (any HintReader, JSONValue) {
        switch choice {
        case .rules: return (RulesReader(), "rules")
        case .automatic:
            // Where nobody but the rules has read anything, the rules are the reader.
            guard !stored.hintReadings.isEmpty || !stored.vaultReadings.isEmpty else { return (RulesReader(), "rules") }
            let hints = stored.hintReadings.map { JSONValue.array([.string($0.inputDigest), $0.json]) }
            let vaults = stored.vaultReadings.map { JSONValue.string($0.inputDigest) }
            return (StoredReadings(source, fallback: RulesReader()), .array(hints + vaults))
        case .recorded(let path):
            let file =
                FileStatus(path: path)?.kind == .folder ? "\(path)/\(stored.imported?.name ?? "vault").json" : path
            let known = Set(stored.vault.hints.map(\.id))
            let bytes = try InputFile.read(file)
            let reading = try document(bytes, file) { VaultReading(reading: $0, knownHints: known) }
            return (RecordedReader(reading), reading.json)
        }
    }

    /// The rates of a file, else those that came with the vault, else the embedded ones.
    static func rates(_ path: String?, _ stored: StoredVault) throws(CommandError) -> (Rates, JSONValue) {
        if let path {
            let name = path.split(separator: "/").last.map(String.init) ?? path
            let rates = try document(InputFile.read(path), path) { Rates(reading: $0, source: name) }
            return (rates, rates.json)
        }
        guard let imported = stored.imported?.rates else { return (.embedded, embeddedRates) }
        let reader = JSONReader(imported)
        guard let rates = Rates(reading: reader, source: "vault_imports") else {
            throw CommandError(
                .badInput,
                "the rates that came with the vault cannot be used",
                at: "vault \(stored.vault.id)",
                todo: "give others with --rates FILE",
                problems: reader.problems.list.map { CommandProblem(path: $0.path, $0.message) }
            )
        }
        return (rates, rates.json)
    }

    /// Instead of all the embedded rates: the same for every vault, and long.
    private static let embeddedRates = JSONValue.string("embedded \(digest([Rates.embedded.json]))")

    /// SHA-256 over the canonical form of all that was read.
    static func digest(_ parts: [JSONValue]) -> String {
        SHA256Digest(of: JSONWriter.bytes(.array(parts), style: .canonical)).hex
    }

    private static func document<Value>(
        _ bytes: [UInt8],
        _ path: String,
        _ read: (JSONReader) -> Value?
    ) throws(CommandError) -> Value {
        do throws(FixtureError) {
            return try FixtureLoader.document(bytes, path, read)
        } catch {
            throw CommandError(error)
        }
    }
}

/// What is asked for one vault of the database.
struct VaultRequest: Sendable {
    let occasion: OccasionRequest
    /// The caller's own id of the request; nil: a fresh one for each call.
    let request: String?
    let isDryRun: Bool

    init(occasion: OccasionRequest, request: String?, output: OutputOptions) {
        self.occasion = occasion
        self.request = request
        isDryRun = output.isDryRun
    }
}

/// Notes of a command that does many vaults: what is true of all of them is told once.
final class ToldOnce: Sendable {
    private let context: CommandContext
    private let told = Mutex<Set<String>>([])

    init(_ context: CommandContext) {
        self.context = context
    }

    /// Tells something unless these words were told before.
    func note(_ text: String) {
        let isNew = told.withLock { $0.insert(text).inserted }
        if isNew { context.note(text) }
    }
}
