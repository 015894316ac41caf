package import Catalogue
package import ChoiceService
package import Console
import Fixtures
import HintRules
import JSONDocument
package import KnotDomain
import PipelineInput
package import PostgresClient
package import Recommendation
import StageGraph
import TextEncoding
import TextReading
import Threads
package import VaultStore

/// Vaults of the database as `ChoiceService` loads them: each with its readings, rates, embedder and catalogue.
///
/// The adapter stands here because it lays what was typed beside the vaults: the files of `--readings`, `--rates`
/// and `--catalogue`. So VaultStore knows no caller, and ChoiceService no database.
package struct StoredVaults: VaultLoading {
    /// What one reading may take.
    package static let limit = Duration.seconds(30)

    package let pool: ConnectionPool
    package let budget: TimeBudget
    package let options: VaultOptions
    package let embedder: (any TextEmbedder)?
    package let named: FollowedCatalogue?
    package let shared: SharedCatalogue
    /// The providers that the pipeline asks.
    package let asked: Set<ProviderName>
    /// How many threads one search of everybody's offers may take.
    package let searchThreads: Int
    package let notes: NotesOnce

    // MARK: Loading

    package func load(_ vault: VaultID) async throws(ChoiceError) -> LoadedVault {
        try loaded(try await read(vault))
    }

    /// The vault as it is now.
    package func read(_ vault: VaultID) async throws(ChoiceError) -> StoredVault {
        let stored = try await porting(about: "the database") {
            try await PostgresVaultSource(
                pool,
                embeddings: embeddings,
                readsCatalogue: true,
                limit: budget.limit(Self.limit)
            ).load(vault)
        }
        if stored.catalogue?.hasShared == true { await shareCatalogue() }
        return stored
    }

    package func load(together vaults: [VaultID]) async -> LoadedGroup {
        let group: VaultGroup
        do throws(VaultStoreError) {
            group = try await PostgresVaultSource.group(
                vaults,
                pool,
                embeddings: embeddings,
                until: budget.until(Self.limit)
            )
        } catch {
            return await loadAlone(vaults, after: .port(CommandError(error)))
        }
        if group.hasShared { await shareCatalogue() }
        var all = LoadedGroup([], byteCount: group.byteCount)
        for id in vaults { all.vaults.append(await one(id, of: group)) }
        return all
    }

    private func one(_ id: VaultID, of group: VaultGroup) async -> Result<LoadedVault, ChoiceError> {
        do throws(ChoiceError) {
            let stored = try await porting(about: "the database") { try group.stored(id) }
            if stored.catalogue?.hasShared == true { await shareCatalogue() }
            return .success(try loaded(stored))
        } catch {
            return .failure(error)
        }
    }

    /// Vaults that could not be read together: one of them may be what no server sends in time.
    private func loadAlone(_ vaults: [VaultID], after error: ChoiceError) async -> LoadedGroup {
        guard vaults.count > 1 else { return LoadedGroup(vaults.map { _ in .failure(error) }) }
        var all = LoadedGroup([])
        for id in vaults {
            let one = await load(together: [id])
            all.byteCount += one.byteCount
            all.vaults += one.vaults
            if case .failure(let error)? = one.vaults.first, error.isOfEveryRequest {
                // The others would fail likewise.
                all.vaults += vaults.dropFirst(all.vaults.count).map { _ in .failure(error) }
                return all
            }
        }
        return all
    }

    package func isThere(_ vault: VaultID) async -> Bool {
        do throws(VaultStoreError) {
            return try await PostgresVaultSource(pool, limit: Self.limit).isThere(vault)
        } catch {
            return true
        }
    }

    /// About how many vaults there are, for a progress bar.
    package func count() async throws(CommandError) -> Int {
        try await reporting { try await PostgresVaultSource(pool, limit: Self.limit).vaultCount() }
    }

    // MARK: Parts

    /// Which vectors of hints are read with them.
    private var embeddings: HintEmbeddings { embedder.map { .of(model: $0.model) } ?? .none }

    /// A vault that was read, with what a run of it may reach.
    package func loaded(_ stored: StoredVault) throws(ChoiceError) -> LoadedVault {
        let (reader, reading): (any HintReader, JSONValue)
        let (rates, ratesBytes): (Rates, JSONValue)
        do throws(CommandError) {
            (reader, reading) = try VaultReadings.reader(options.readings, stored)
            (rates, ratesBytes) = try VaultReadings.rates(options.rates, stored)
        } catch {
            throw .port(error)
        }
        let everybody = shared.known
        let known = embedder.map { embedder in
            VaultEmbedder(
                embedder,
                hints: stored.vault.hints,
                stored: stored.hintEmbeddings,
                phrases: stored.phraseEmbeddings,
                catalogue: stored.catalogue,
                catalogues: [named?.now().file?.indexed, everybody?.indexed].compactMap(\.self)
            )
        }
        let catalogue = JoinedCatalogue(
            CatalogueProvider(
                pool,
                vault: stored.vault.id,
                embedder: known,
                catalogue: stored.catalogue,
                shared: everybody,
                asked: asked,
                threads: searchThreads
            ),
            CatalogueChecker(pool, vault: stored.vault.id, catalogue: stored.catalogue),
            named,
            embedder: known,
            asked: asked,
            threads: searchThreads
        )
        return LoadedVault(
            stored.vault,
            place: "vault \(stored.vault.id)",
            occasion: stored.imported?.occasion,
            asOf: stored.imported?.asOf,
            reader: reader,
            fallback: RulesReader(),
            providers: [catalogue],
            checker: catalogue,
            embedder: known,
            rates: rates,
            inputs: .parts([reading, ratesBytes]),
            historyMark: stored.historyMark
        )
    }

    /// Takes everybody's items into memory before the first vault that they are searched for.
    ///
    /// Where that fails, each search asks the database and says what is wrong with it.
    private func shareCatalogue() async {
        do throws(PostgresError) {
            let found = try await shared.read()
            notes.noteUnasked(found.providers, in: "everybody's catalogue", asked: asked)
            guard let embedder else { return notes.note(Self.onlyWords) }
            guard found.vectorCount < found.count else { return }
            notes.note(
                "\(found.count - found.vectorCount) of \(found.count) items for everybody in the catalogue have no vector "
                    + "of \(embedder.model), so they are found by their words alone; knot-recommend embed --all makes them",
                once: "vectors of everybody's items"
            )
        } catch {
            return
        }
    }

    private static let onlyWords = "there is no embedding model, so the catalogue is searched by words alone"

    /// Says what of a catalogue in a folder is found by its words alone.
    private static func note(
        _ snapshot: CatalogueSnapshot,
        at path: String,
        _ encoder: Encoder?,
        _ context: CommandContext
    ) {
        guard let encoder else { return context.note(onlyWords) }
        if let model = snapshot.model, model != encoder.model {
            return context.note(
                "the vectors of \(path) are of another model than \(encoder.model), so its offers are found by their words alone"
            )
        }
        let missing = snapshot.count - snapshot.vectorCount
        guard missing > 0 else { return }
        context.note(
            "\(missing) of \(snapshot.count) offers of \(path) have no vector of \(encoder.model), so they are found by "
                + "their words alone; knot-recommend embed --catalogue \(path) makes those of texts with words"
        )
    }

    /// The file with its items' vectors, and a note on those that have none.
    private static func searchable(
        _ file: CatalogueFile,
        at path: String,
        _ encoder: Encoder?,
        _ context: CommandContext
    ) throws(CommandError) -> CatalogueFile {
        guard let encoder else {
            context.note(onlyWords)
            return file
        }
        let found = try CatalogueEmbedding.embed(
            file,
            at: path,
            encoder,
            for: .running(atMost: CatalogueEmbedding.mostOnTheWay),
            context
        )
        if found.left > 0 {
            context.note(
                "\(found.left) of \(file.candidates.count) items of \(path) have no vector of \(encoder.model), so they are "
                    + "found by their words alone; knot-recommend embed --catalogue \(path) makes them"
            )
        }
        return found.file
    }
}

extension ChoiceService {
    /// The service over the database of the command.
    ///
    /// The plan is made first: what is wrong with a pipeline is said before anything is opened.
    package static func ofDatabase(
        _ options: VaultOptions,
        _ shared: SharedOptions,
        _ context: CommandContext,
        _ connections: PoolSettings = PoolSettings(limit: 4),
        isForMany: Bool = false,
        through laid: (any VaultLoading) -> any VaultLoading = { $0 }
    ) async throws(CommandError) -> (service: ChoiceService, vaults: StoredVaults) {
        // Of many vaults each has the whole time.
        let budget = TimeBudget(shared.deadline, isForEach: isForMany)
        let plan = try context.pipelines.plan(shared.pipeline, shared)
        let vaults = try await StoredVaults(
            options,
            shared,
            context,
            budget,
            asked: plan.askedProviders,
            readsHints: plan.nodes.contains { $0.stage.kind == ReadHints.kind },
            connections,
            isForMany: isForMany
        )
        let service = ChoiceService(
            plan,
            vaults: laid(vaults),
            choices: StoredChoices(vaults.pool, budget),
            seed: shared.seed,
            threads: shared.threads ?? MachineCores.count,
            budget: budget
        )
        return (service, vaults)
    }
}

extension StoredVaults {
    /// Gets the model, opens the database and reads the file of candidates; what is wrong is told in this order.
    package init(
        _ options: VaultOptions,
        _ shared: SharedOptions,
        _ context: CommandContext,
        _ budget: TimeBudget,
        asked: Set<ProviderName>,
        readsHints: Bool,
        _ connections: PoolSettings,
        isForMany: Bool
    ) async throws(CommandError) {
        // A server needs about as long to let somebody in as the model to be read.
        async let opened = Self.open(
            CommandDatabase(context, budget),
            asUser: options.asUser,
            connections
        )
        // Without a thread they are made when the first hint is read, as ever.
        if readsHints {
            _ = OwnThread.start {
                RulesReader.prepare()
                SharedTables.prepare()
            }
        }
        let encoder = try ModelSetup.encoder(shared, context)
        let embedder = encoder.map { ModelSetup.embedder(of: $0, context, isDryRun: options.isDryRun) }
        if let embedder { _ = OwnThread.start { embedder.prepare() } }
        var named = try options.catalogue.map { path throws(CommandError) in try NamedInputs.open(path) }
        let pool = try await opened.get()
        if let path = options.catalogue {
            switch named {
            case .file(let file): named = .file(try Self.searchable(file, at: path, encoder, context))
            case .folder(let snapshot):
                Self.note(snapshot, at: path, encoder, context)
                snapshot.readAhead(forMany: isForMany) { context.progress("reading \(path)") }
            case nil: break
            }
        }
        let notes = NotesOnce(context)
        if let path = options.catalogue, let named { notes.noteUnasked(named.providers, in: path, asked: asked) }
        self.init(
            pool: pool,
            budget: budget,
            options: options,
            embedder: embedder,
            named: named.map { FollowedCatalogue($0) },
            // Some of the time is left for a run that the database searches for.
            shared: SharedCatalogue(pool, model: encoder?.model, limit: budget.limit(Self.limit) / 2) {
                await SharedCopy.copy(of: pool, model: encoder?.model, forMany: isForMany, budget, notes, context)
            },
            asked: asked,
            searchThreads: isForMany ? 1 : shared.threads ?? MachineCores.count,
            notes: notes
        )
    }
}

extension StoredVaults {
    /// A value, so that it can be waited for beside other work.
    private static func open(
        _ database: CommandDatabase,
        asUser user: String?,
        _ connections: PoolSettings
    ) async -> Result<ConnectionPool, CommandError> {
        do throws(CommandError) {
            return .success(try await database.open(asUser: user, connections))
        } catch {
            return .failure(error)
        }
    }
}

/// The ids of all vaults in their order, a page at a time; those that come and go meanwhile do no harm.
package struct EveryVault: RequestSource {
    private static let pageSize = 500

    package let pool: ConnectionPool
    /// What is asked of each.
    package let request: @Sendable (VaultID) -> ChoiceRequest
    private var page: [VaultID] = []
    private var place = 0
    private var isLast = false

    package init(_ pool: ConnectionPool, _ request: @escaping @Sendable (VaultID) -> ChoiceRequest) {
        self.pool = pool
        self.request = request
    }

    package mutating func next(most: Int) async throws(ChoiceError) -> [ChoiceRequest] {
        if place == page.count {
            guard !isLast else { return [] }
            let last = page.last
            page = try await porting(about: "the database") {
                try await PostgresVaultSource(pool).vaultIDs(after: last, limit: Self.pageSize)
            }
            place = 0
            isLast = page.count < Self.pageSize
        }
        let ids = page[place..<min(page.count, place + most)]
        place = ids.endIndex
        return ids.map(request)
    }
}
