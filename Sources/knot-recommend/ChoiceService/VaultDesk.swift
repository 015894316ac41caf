import Digest
import Evaluation
import HintRules
import JSONDocument
import KnotDomain
import PostgresClient
import Recommendation
import StageGraph
import TextEncoding
import VaultStore

/// Prepares runs of vaults in the database: reads each in one round trip and gives the stages their ports.
struct VaultDesk: Sendable {
    /// What is to be done for a request.
    enum Preparation: Sendable {
        case job(ChoiceJob)
        /// The request was answered before, and this is the answer.
        case answered(ChoiceReport)
    }

    /// What one reading or looking up may take.
    static let readingLimit = Duration.seconds(30)
    /// Five providers are asked at once; more connections than this gain nothing for a single run.
    private static let connections = 4

    let pool: ConnectionPool
    let plan: Plan
    let options: VaultOptions
    private let file: CatalogueFile?
    let embedder: (any TextEmbedder)?
    let shared: SharedCatalogue
    let told: ToldOnce
    let budget: TimeBudget
    private let zones = ZoneCache()

    init(
        _ pipelines: PipelineDesk,
        _ shared: SharedOptions,
        _ options: VaultOptions,
        _ context: CommandContext,
        connections: Int = connections,
        plansOnce: Bool = false
    ) async throws(CommandError) {
        // Many vaults have the whole time each.
        budget = TimeBudget(shared.deadline, isForEach: plansOnce)
        plan = try pipelines.plan(shared.pipeline, shared)
        self.options = options
        let encoder = try EmbedderDesk.encoder(shared, context)
        embedder = encoder.map { encoder in
            let profile = EmbedderDesk.profile(of: encoder, context.environment)
            return EncoderEmbedder(encoder, cache: EmbeddingCache(), profile: profile)
        }
        var file = try options.catalogue.map { path throws(CommandError) in try CatalogueDesk.file(path) }
        told = ToldOnce(context)
        pool = try await DatabaseDesk(context, budget).open(
            asUser: options.asUser,
            connections: connections,
            plansOnce: plansOnce
        )
        if let read = file, let path = options.catalogue {
            file = try Self.searchable(read, at: path, encoder, context)
        }
        self.file = file
        self.shared = SharedCatalogue(pool, model: encoder?.model)
    }

    // MARK: Runs

    /// The run of a vault, or the set that this request has already.
    func prepared(_ id: String, _ asked: VaultRequest) async throws(CommandError) -> Preparation {
        // First of all: the answer holds whatever has become of the vault since.
        if let set = try await answers(to: asked, of: [VaultID(id)]).values.first {
            let (result, notes) = try ChoiceDesk.stored(try Self.set(of: set, asked.occasion, at: "vault \(id)"))
            return .answered(ChoiceReport(result: result, notes: notes))
        }
        let (source, stored) = try await read(VaultID(id))
        let occasion = try Self.occasion(asked.occasion, in: stored)
        let asOf = options.asOf ?? stored.imported?.asOf ?? MachineClock().now()
        return .job(
            try job(
                source,
                stored,
                RunRequest(vaultID: stored.vault.id, occasion: occasion, asOf: asOf, isLive: true),
                kind: .onDemand,
                request: asked.request ?? PostgresUUID.random().description,
                isDryRun: asked.isDryRun
            )
        )
    }

    /// The re-roll of a stored run, or the set that this very re-roll has already.
    func refreshing(_ id: String, _ asked: RefreshVerbOptions) async throws(CommandError) -> Preparation {
        let result = try await storedResult(id)
        let run = result.run
        let previous = try PreviousResult(result.document, in: "run \(run)", asked)
        let (source, stored) = try await read(result.vault)
        let occasion = try Self.occasion(previous.occasion, in: stored)
        let asOf = options.asOf ?? stored.imported?.asOf ?? MachineClock().now()
        let request = "r:\(run):\(previous.refresh.round)"
        if let identity = runIdentity(stored.vault, occasion, asOf: asOf, .refresh, request),
            let report = try await answer(to: identity, for: previous.refresh)
        {
            return .answered(report)
        }
        return .job(
            try job(
                source,
                stored,
                RunRequest(
                    vaultID: stored.vault.id,
                    occasion: occasion,
                    asOf: asOf,
                    refresh: previous.refresh,
                    isLive: true
                ),
                kind: .refresh,
                request: request,
                supersedes: run,
                isDryRun: asked.output.isDryRun
            )
        )
    }

    /// A stored run's result, as `run --json` printed it.
    func storedResult(_ id: String) async throws(CommandError) -> StoredResult {
        guard let run = PostgresUUID(id) else { throw .noRun(id) }
        let found: (vault: PostgresUUID, text: String)?
        do throws(MovingError) {
            found = try await SetHistory(pool).result(of: run, until: budget.until(Self.readingLimit))
        } catch {
            throw CommandError(error, input: "run \(id)")
        }
        guard let found else { throw .noRun(id) }
        return try StoredResult(found.text, run: run, vault: found.vault)
    }

    /// About how many vaults there are, for a progress bar.
    func count() async throws(CommandError) -> Int {
        do throws(VaultReadError) {
            return try await PostgresVaultSource(pool, limit: Self.readingLimit).vaultCount()
        } catch {
            throw CommandError(error)
        }
    }

    /// Tells later whether a vault is still there; where nobody can be asked, it is taken to be.
    func presence(of id: VaultID) -> @Sendable () async -> Bool {
        let source = PostgresVaultSource(pool, limit: Self.readingLimit)
        return {
            do throws(VaultReadError) {
                return try await source.isThere(id)
            } catch {
                return true
            }
        }
    }

    /// The ids after one of them, in their order.
    func page(after last: VaultID?, limit: Int) async throws(CommandError) -> [VaultID] {
        do throws(VaultReadError) {
            return try await PostgresVaultSource(pool).vaultIDs(after: last, limit: limit)
        } catch {
            throw CommandError(error)
        }
    }

    // MARK: Parts

    /// Which vectors of hints are read with them.
    var embeddings: HintEmbeddings { embedder.map { .of(model: $0.model) } ?? .none }

    func read(_ id: VaultID) async throws(CommandError) -> (PostgresVaultSource, StoredVault) {
        let source = PostgresVaultSource(
            pool,
            embeddings: embeddings,
            readsCatalogue: true,
            limit: budget.limit(Self.readingLimit)
        )
        do throws(VaultReadError) {
            let stored = try await source.stored(id)
            if stored.stock?.hasShared == true { await shareCatalogue() }
            return (source, stored)
        } catch {
            throw CommandError(error)
        }
    }

    func job(
        _ source: PostgresVaultSource,
        _ stored: StoredVault,
        _ request: RunRequest,
        kind: RunIdentity.Kind,
        request name: String,
        supersedes: PostgresUUID? = nil,
        isDryRun: Bool,
        style: JSONWriter.Style = .pretty
    ) throws(CommandError) -> ChoiceJob {
        let (reader, reading) = try VaultReadings.reader(options.readings, source, stored)
        let (rates, ratesBytes) = try VaultReadings.rates(options.rates, stored)
        let digest = VaultReadings.digest([
            stored.vault.json, reading, ratesBytes, .string(request.asOf?.iso8601 ?? ""),
            embedder.map { .string($0.model) } ?? .null,
        ])
        let writing = WriteRequest(
            kind: kind,
            request: name,
            inputDigest: digest,
            engineVersion: VersionVerb.number,
            supersedes: supersedes,
            style: style
        )
        let everybody = shared.known
        let known = embedder.map { embedder in
            VaultEmbedder(
                embedder,
                hints: stored.vault.hints,
                stored: stored.hintEmbeddings,
                stock: stored.stock,
                catalogues: [file?.shelved, everybody].compactMap(\.self)
            )
        }
        let sink = PostgresChoiceSink(ChoiceStore(pool), writing, embedder: known)
        let catalogue = JoinedCatalogue(
            provider: CatalogueProvider(
                pool,
                vault: stored.vault.id,
                embedder: known,
                stock: stored.stock,
                shared: everybody
            ),
            checker: CatalogueChecker(pool, vault: stored.vault.id, stock: stored.stock),
            file: file,
            embedder: known
        )
        let ports = StagePorts(
            request: request,
            vaults: ReadVaults(source: source),
            reader: reader,
            fallback: RulesReader(),
            providers: Dictionary(
                uniqueKeysWithValues: ProviderName.allCases.map { ($0, catalogue as any CandidateProvider) }
            ),
            checker: catalogue,
            embedder: known,
            zones: zones,
            rates: rates,
            clock: MachineClock(),
            sink: isDryRun ? DiscardingSink() : sink
        )
        return ChoiceJob(
            plan: plan,
            ports: ports,
            input: "vault \(stored.vault.id)",
            inputDigest: digest,
            keeping: isDryRun ? .dryRun(writing) : .database(sink, writing),
            budget: budget
        )
    }

    /// The occasion asked for, else the one that came with the vault, else none in particular.
    static func occasion(
        _ asked: OccasionRequest,
        in stored: StoredVault
    ) throws(CommandError) -> OccasionChoice {
        switch asked {
        case .tier(let tier): return .tier(tier)
        case .milestone(let id):
            // Ids are told apart as UUIDs, in whatever case they are typed.
            let known = stored.vault.milestones.first {
                $0.id == id || $0.id.text == PostgresUUID(id.text)?.description
            }
            guard let known else { throw .noMilestone(id, todo: "knot-recommend vault show lists them") }
            return .milestone(known.id)
        case .unstated:
            switch stored.imported?.occasion {
            case .milestone(let id): return .milestone(id)
            case .tier(let tier): return .tier(tier)
            case nil: return .tier(.justBecause)
            }
        }
    }

    /// The identity that a run of this request will have; nil where only the run can say why there is none.
    func runIdentity(
        _ vault: Vault,
        _ occasion: OccasionChoice,
        asOf: Instant,
        _ kind: RunIdentity.Kind,
        _ request: String
    ) -> RunIdentity? {
        func identity(_ tier: OccasionTier, _ milestone: MilestoneID?, _ day: CivilDate?) -> RunIdentity {
            RunIdentity(
                kind: kind,
                vault: vault.id,
                milestone: milestone,
                occurrence: day,
                tier: tier,
                request: request
            )
        }
        switch occasion {
        case .tier(let tier): return identity(tier, nil, nil)
        case .milestone(let id):
            guard let milestone = vault.milestones.first(where: { $0.id == id }) else { return nil }
            let today = (zones.rules(named: vault.timeZone) ?? .utc).localDate(at: asOf)
            let country = vault.location?.country
            guard
                case .on(let day, _) = MilestoneCalendar.occurrence(of: milestone, onOrAfter: today, country: country)
            else { return nil }
            return identity(milestone.tier, id, day)
        }
    }

    /// What the request has been answered with, by vault; nothing for a request without a name of the caller's.
    func answers(
        to asked: VaultRequest,
        of ids: [VaultID]
    ) async throws(CommandError) -> [VaultID: AnsweredRequest] {
        guard let request = asked.request else { return [:] }
        do throws(ChoiceStoreError) {
            return try await ChoiceStore(pool).answers(
                to: request,
                of: ids,
                pipelineHash: plan.identity,
                until: budget.until(Self.readingLimit)
            )
        } catch {
            throw CommandError(error, input: "the request")
        }
    }

    /// The set of an answer, for who asks the same or leaves open what for; anything else is another request.
    static func set(
        of answer: AnsweredRequest,
        _ asked: OccasionRequest,
        at input: String
    ) throws(CommandError) -> StoredSet {
        let isSame =
            switch asked {
            case .unstated: true
            case .tier(let tier): answer.isFor(tier: tier)
            case .milestone(let id): answer.isFor(milestone: id)
            }
        guard isSame else { throw .requestKnown(at: input) }
        return answer.set
    }

    private func answer(
        to run: RunIdentity,
        for refresh: RefreshRequest
    ) async throws(CommandError) -> ChoiceReport? {
        let set: StoredSet?
        do throws(ChoiceStoreError) {
            set = try await ChoiceStore(pool).stored(
                run,
                pipelineHash: plan.identity,
                until: budget.until(Self.readingLimit)
            )
        } catch {
            throw CommandError(error, input: "the request")
        }
        guard let set else { return nil }
        let (result, notes) = try ChoiceDesk.stored(set, for: refresh)
        return ChoiceReport(result: result, notes: notes)
    }
}
