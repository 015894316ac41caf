import ChoiceService
import JSONDocument
import KnotDomain
import Recommendation
import StageGraph
import Synchronization
import TestSupport

/// Vaults that are all alike but for their ids, and that count how many of them are held.
final class MemoryVaults: VaultLoading {
    /// One for each loaded vault; gone with it.
    private final class Token: AvailabilityChecker {
        private let checker: any AvailabilityChecker
        private let held: Counter

        init(_ checker: any AvailabilityChecker, _ held: Counter) {
            self.checker = checker
            self.held = held
            held.add(1)
        }

        deinit { held.add(-1) }

        func probe(_ candidate: Candidate) async throws(StageFailure) -> AvailabilityProbe {
            try await checker.probe(candidate)
        }
    }

    static let scene: Scene = {
        var scene = Scene([
            .invented("scarf", "A red scarf"), .invented("map", "An old map of Lisbon", provider: .shopify),
            .invented("dinner", "Dinner by the sea", provider: .yelp, type: .experience),
            .invented("vase", "A blue vase", provider: .firecrawl), .invented("book", "A book on tides"),
        ])
        scene.celebrate("2000-05-01", tier: .minorOccasion)
        return scene
    }()

    private let ports = MemoryVaults.scene.ports()
    let held = Counter()
    private let arrival: (@Sendable () async -> Void)?
    private let lost: @Sendable (VaultID) -> ChoiceError?
    private let providers: [any CandidateProvider]

    /// With something to wait for before a vault is there, vaults that cannot be loaded, and other providers.
    init(
        arrival: (@Sendable () async -> Void)? = nil,
        lost: @escaping @Sendable (VaultID) -> ChoiceError? = { _ in nil },
        providers: [any CandidateProvider]? = nil
    ) {
        self.arrival = arrival
        self.lost = lost
        self.providers = providers ?? Array(Self.scene.ports().providers.values)
    }

    func load(_ vault: VaultID) async throws(ChoiceError) -> LoadedVault {
        await arrival?()
        if let error = lost(vault) { throw error }
        var scene = Self.scene
        scene.id = vault
        return LoadedVault(
            scene.vault,
            place: "vault \(vault)",
            occasion: .tier(.minorOccasion),
            asOf: scene.now,
            reader: ports.reader,
            fallback: ports.fallback,
            providers: providers,
            checker: Token(ports.checker, held),
            embedder: nil,
            rates: ports.rates,
            inputs: .parts([])
        )
    }

    func load(together vaults: [VaultID]) async -> LoadedGroup {
        var group = LoadedGroup([])
        for id in vaults {
            do throws(ChoiceError) {
                group.vaults.append(.success(try await load(id)))
            } catch {
                group.vaults.append(.failure(error))
            }
        }
        return group
    }

    func isThere(_ vault: VaultID) async -> Bool { true }
}

/// A number that things add to as they come and go, and the greatest that it was.
final class Counter: Sendable {
    private struct State {
        var now = 0
        var most = 0
    }

    private let state = Mutex(State())

    var now: Int { state.withLock { $0.now } }
    var most: Int { state.withLock { $0.most } }

    func add(_ number: Int) {
        state.withLock { state in
            state.now += number
            state.most = max(state.most, state.now)
        }
    }
}

/// A store in memory that keeps to the contract, and fails where a test wants it to.
final class MemoryChoices: ChoiceStoring {
    /// Where the next writes break off.
    enum Fault: CaseIterable, Sendable {
        /// Nothing is stored.
        case beforeCommit
        /// Whether the set is stored is not known; it is not.
        case inLostCommit
        /// Whether the set is stored is not known; it is.
        case inDoneCommit
        /// The set is stored, and the caller is not told.
        case afterCommit

        var leavesSet: Bool { self == .inDoneCommit || self == .afterCommit }
    }

    struct Broken: PortError, Equatable {
        var isOfEveryRequest = false
    }

    struct Record: Sendable {
        let identity: String
        let name: RunIdentity.Name
        let occasion: OccasionChoice
        let answer: StoredAnswer
        let outcome: String
    }

    private let rows = Mutex<[Record]>([])
    private let faults = Mutex<[Fault]>([])
    private let lookedUp: (@Sendable () async -> Void)?
    private let brokenForAll: Bool
    /// How many of the next writes another set of the vault is faster than.
    private let rivals: Mutex<Int>
    let writes = Counter()

    /// With faults for the first writes, and something to wait for after each look-up of a name.
    init(
        _ faults: [Fault] = [],
        rivals: Int = 0,
        brokenForAll: Bool = false,
        lookedUp: (@Sendable () async -> Void)? = nil
    ) {
        self.faults.withLock { $0 = faults }
        self.rivals = Mutex(rivals)
        self.brokenForAll = brokenForAll
        self.lookedUp = lookedUp
    }

    /// The results that are stored.
    var texts: [String] { rows.withLock { $0.map(\.answer.text) } }

    func answers(
        to request: String,
        of vaults: [VaultID],
        pipelineHash: String
    ) async throws(ChoiceError) -> [VaultID: EarlierAnswer] {
        let found = rows.withLock { rows in
            rows.filter { $0.name.request == request && vaults.contains($0.answer.vault) }
        }
        await lookedUp?()
        var answers: [VaultID: EarlierAnswer] = [:]
        for row in found {
            answers[row.answer.vault] = EarlierAnswer(
                set: row.answer.earlier,
                outcome: row.outcome,
                occasion: row.occasion
            )
        }
        return answers
    }

    func answer(to identity: RunIdentity, pipelineHash: String) async throws(ChoiceError) -> StoredAnswer? {
        rows.withLock { rows in rows.first { $0.identity == identity.digest }?.answer.earlier }
    }

    func record(of run: FinishedRun, as style: JSONWriter.Style) throws(ChoiceError) -> Record {
        let set = try run.set()
        let identity = run.prepared.name.identity(of: set.brief)
        return Record(
            identity: identity.digest,
            name: run.prepared.name,
            occasion: run.prepared.ports.request.occasion,
            answer: StoredAnswer(
                run: identity.runID,
                vault: set.brief.vault.id,
                text: JSONWriter.text(try run.document(), style: style),
                isNew: true
            ),
            outcome: run.run.outcome.rawValue
        )
    }

    func save(_ records: [Record]) async -> [Result<StoredAnswer, ChoiceError>] {
        writes.add(1)
        let fault = faults.withLock { $0.isEmpty ? nil : $0.removeFirst() }
        if let fault, !fault.leavesSet { return records.map { _ in broken } }
        let isOvertaken = rivals.withLock { rivals in
            rivals -= 1
            return rivals >= 0
        }
        if isOvertaken {
            return records.map { .failure(.overtaken(.byAnotherSet, place: "vault \($0.answer.vault)")) }
        }
        let endings = rows.withLock { rows in
            records.map { record -> Result<StoredAnswer, ChoiceError> in
                if let first = rows.first(where: { $0.identity == record.identity }) {
                    return .success(first.answer.earlier)
                }
                rows.append(record)
                return .success(record.answer)
            }
        }
        return fault == nil ? endings : records.map { _ in broken }
    }

    private var broken: Result<StoredAnswer, ChoiceError> {
        .failure(.port(Broken(isOfEveryRequest: brokenForAll)))
    }
}

extension StoredAnswer {
    /// The same as a later request finds it.
    fileprivate var earlier: StoredAnswer { StoredAnswer(run: run, vault: vault, text: text, isNew: false) }
}

/// Lets nobody on before so many have come.
actor Barrier {
    private let count: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []
    private var isOpen = false

    init(_ count: Int) {
        self.count = count
    }

    func arrive() async {
        if isOpen { return }
        if waiting.count + 1 == count { return open() }
        await withCheckedContinuation { waiting.append($0) }
    }

    func open() {
        isOpen = true
        for continuation in waiting { continuation.resume() }
        waiting = []
    }

    var arrived: Int { waiting.count }
}

extension ChoiceService {
    /// A service over memory; the classic pipeline is the quickest.
    static func inMemory(
        _ choices: any ChoiceStoring = MemoryChoices(),
        _ vaults: MemoryVaults = MemoryVaults(),
        budget: TimeBudget = .unlimited
    ) throws -> ChoiceService {
        ChoiceService(try Scene.plan("classic"), vaults: vaults, choices: choices, threads: 2, budget: budget)
    }
}
