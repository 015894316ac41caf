import KnotDomain
import Recommendation
import StageGraph
import TestSupport
import VectorSearch

/// The services outside a run, each of which can be made to go wrong.
enum Service: String, CaseIterable, Sendable {
    case yelp, ticketmaster, amazon, shopify, firecrawl
    case vaults, reader, checker, sink, embedder, clock

    /// The good world with this one service behind the mishap.
    func wrong(_ mishap: Mishap) -> StagePorts {
        var ports = MatrixWorld.scene.ports()
        switch self {
        case .yelp, .ticketmaster, .amazon, .shopify, .firecrawl:
            if let name = ProviderName(rawValue: rawValue), let good = ports.providers[name] {
                ports.providers[name] = WrongProvider(good: good, mishap: mishap)
            }
        case .vaults: ports.vaults = WrongVaults(good: ports.vaults, mishap: mishap)
        case .reader: ports.reader = WrongReader(good: ports.reader, mishap: mishap)
        case .checker: ports.checker = WrongChecker(good: ports.checker, mishap: mishap)
        case .sink: ports.sink = WrongSink(mishap: mishap)
        case .embedder: ports.embedder = WrongEmbedder(mishap: mishap)
        case .clock:
            ports.request = RunRequest(vaultID: ports.request.vaultID, occasion: ports.request.occasion, asOf: nil)
            ports.clock = WrongClock(mishap: mishap)
        }
        return ports
    }
}

struct WrongProvider: CandidateProvider {
    let good: any CandidateProvider
    let mishap: Mishap
    var capabilities: [ProviderCapability] { good.capabilities }

    func candidates(for query: ProviderQuery) async throws(StageFailure) -> [Candidate] {
        try mishap.failIfMeant("a provider")
        if mishap.isStall { BlockedCall.hold() }
        let found = try await good.candidates(for: query)
        switch mishap {
        case .answersNothing: return []
        case .answersNonsense: return MatrixWorld.nonsense
        case .answersTwice: return found + found + MatrixWorld.scene.candidates
        default: return found
        }
    }
}

struct WrongVaults: VaultSource {
    let good: any VaultSource
    let mishap: Mishap

    func vault(_ id: VaultID) async throws(StageFailure) -> Vault {
        try mishap.failIfMeant("the vault")
        if mishap.isStall { BlockedCall.hold() }
        var scene = MatrixWorld.scene
        switch mishap {
        case .answersNothing:
            scene.hints = []
            scene.likes = []
            scene.history = []
        case .answersNonsense:
            scene.timeZone = "../../etc/passwd"
            scene.partner = ""
            scene.likes = ["", " "]
            scene.dislikes = [String(repeating: "x", count: 100_000)]
            scene.budget = Budget(minimum: 0, maximum: .max, currency: .usd)
        case .answersTwice:
            scene.hints += scene.hints
            scene.milestones += scene.milestones
        default: return try await good.vault(id)
        }
        return scene.vault
    }
}

struct WrongReader: HintReader {
    let good: any HintReader
    let mishap: Mishap

    var name: String { good.name }

    func reading(of vault: Vault, tier: OccasionTier, asOf: Instant) async throws(StageFailure) -> VaultReading {
        try mishap.failIfMeant("the reader")
        if mishap.isStall { BlockedCall.hold() }
        let found = try await good.reading(of: vault, tier: tier, asOf: asOf)
        switch mishap {
        case .answersNothing: return VaultReading(hints: [], avoid: [], serves: [])
        case .answersNonsense:
            let odd = HintReading(
                hintID: HintID("nobody"),
                subject: .user,
                stance: .wants,
                strength: .nan,
                serves: ["", String(repeating: "gloves ", count: 100_000)],
                avoid: ["", ",,,"],
                overrules: [HintID("nobody")],
                limits: [""]
            )
            return VaultReading(hints: found.hints + [odd], avoid: ["\u{0}"], serves: ["\u{202E}"])
        case .answersTwice:
            return VaultReading(
                hints: found.hints + found.hints,
                avoid: found.avoid + found.avoid,
                serves: found.serves + found.serves
            )
        default: return found
        }
    }
}

struct WrongChecker: AvailabilityChecker {
    let good: any AvailabilityChecker
    let mishap: Mishap

    func probe(_ candidate: Candidate) async throws(StageFailure) -> AvailabilityProbe {
        try mishap.failIfMeant("the checker")
        if mishap.isStall { BlockedCall.hold() }
        switch mishap {
        case .answersNothing: return AvailabilityProbe(status: nil, signal: .none, price: .notLooked)
        case .answersNonsense: return AvailabilityProbe(status: -7, signal: .none, price: .minorUnits(.min))
        default: return try await good.probe(candidate)
        }
    }
}

struct WrongSink: ChoiceSink {
    let mishap: Mishap

    func store(_ choices: ChoiceOfThree) async throws(StageFailure) -> Bool {
        try mishap.failIfMeant("the sink")
        if mishap.isStall { BlockedCall.hold() }
        return false
    }
}

struct WrongEmbedder: TextEmbedder {
    let mishap: Mishap
    let model = "wrong"

    func embeddings(of texts: [String]) async throws(StageFailure) -> [Embedding] {
        try mishap.failIfMeant("the embedder")
        if mishap.isStall { BlockedCall.hold() }
        let zero = Embedding([Float](repeating: 0, count: Embedding.dimension), model: model)
        let other = Embedding([Float](repeating: 1, count: Embedding.dimension), model: "other")
        switch mishap {
        case .answersNothing: return []
        case .answersNonsense: return texts.indices.compactMap { $0 % 2 == 0 ? zero : other }
        case .answersTwice: return (texts + texts).compactMap { _ in zero }
        default: return texts.compactMap { _ in zero }
        }
    }
}

/// A clock cannot fail; it can only be slow or tell an absurd time.
struct WrongClock: WallClock {
    let mishap: Mishap

    func now() -> Instant {
        if mishap.isStall { BlockedCall.hold() }
        switch mishap {
        case .answersNonsense: return Instant(millisecondsSinceEpoch: .max)
        case .answersNothing: return Instant(millisecondsSinceEpoch: .min)
        default: return MatrixWorld.scene.now
        }
    }
}
