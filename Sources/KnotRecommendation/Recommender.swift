public import FoundationEssentials
import HintRules
import JSONDocument
import KnotDomain
import Recommendation
import StageGraph

/// Makes Choices of Three from vaults, in the caller's process: one for a server, for any number of calls at once.
public struct Recommender: Sendable {
    private let engine: Engine
    private let plan: Plan
    private let ports: OutsidePorts

    /// Takes the providers to ask and whoever looks whether an offer can still be had.
    ///
    /// The pipeline is `choice-of-three` with these providers in place of its own; throws where two have one name.
    public init(
        providers: [any OfferProvider],
        availability: any AvailabilityCheck,
        threads: Int = 2
    ) throws(RecommenderError) {
        ports = OutsidePorts(
            providers: try providers.map { provider throws(RecommenderError) in
                guard let name = ProviderName(rawValue: provider.name) else {
                    throw RecommenderError(
                        .provider,
                        "\"\(provider.name)\" is no provider's name: 1 to 64 of a-z, 0-9, - and _"
                    )
                }
                return OutsideProvider(name: name, base: provider)
            },
            availability: availability
        )
        plan = try ports.plan()
        engine = Engine(threads: threads)
    }

    /// Three choices for a vault in the form of a fixture's `vault`, as JSON.
    ///
    /// A vault that breaks its contract is thrown with the path of every problem.
    public func choices(
        forVault json: [UInt8],
        occasion: Occasion,
        at moment: Date = .now,
        seed: UInt64 = 0
    ) async throws(RecommenderError) -> ChoiceSet {
        let vault = try OutsidePorts.vault(json)
        let now = Instant(millisecondsSinceEpoch: Int64((moment.timeIntervalSince1970 * 1_000).rounded()))
        let ports = ports.stagePorts(for: vault, occasion, at: now)
        let run = await engine.report(plan, ports: ports, options: RunOptions(seed: seed, subject: vault.id.text))
        switch run.result {
        case .success(let choices): return ChoiceSet(choices, of: run)
        case .failure(let failure): throw RecommenderError(.run, failure.description)
        }
    }
}

/// What a set is for.
public enum Occasion: Sendable {
    case justBecause
    case minorOccasion
    case majorMilestone
    /// One of the vault's milestones, by its id.
    case milestone(String)
}

/// A finished set.
public struct ChoiceSet: Sendable {
    /// `complete`, `degraded` (with reasons) or `short` (fewer than three).
    public let outcome: String
    /// At most three, the best first.
    public let cards: [Card]
    /// Codes of what could have been better, such as `provider_failed`.
    public let reasons: [String]

    init(_ choices: ChoiceOfThree, of run: EngineRun) {
        outcome = run.outcome.rawValue
        cards = choices.choices.map(Card.init)
        reasons = run.report.reasons.map(\.code)
    }
}

/// One of the three.
public struct Card: Sendable {
    /// The id of the offer that was chosen.
    public let offerID: String
    /// The name of the provider whose offer it is.
    public let provider: String
    /// What to write over it.
    public let title: String
    /// Where it can be had.
    public let url: String
    /// In the budget's currency; nil when unknown.
    public let totalCents: Int?
    /// For the person's eyes only: it may quote their own notes.
    public let reason: String
    /// For wherever a text leaves: without notes, names and words of health.
    public let neutralReason: String

    init(_ choice: Choice) {
        let candidate = choice.offer.candidate
        offerID = candidate.id.text
        provider = candidate.provider.rawValue
        title = candidate.title
        url = candidate.url
        totalCents = choice.budgetCents
        reason = choice.reason
        neutralReason = choice.neutralReason
    }
}

/// Why there is no set, no index or no answer.
public struct RecommenderError: Error, Sendable, CustomStringConvertible {
    /// Whose mistake it is.
    public enum Code: Sendable {
        /// The vault breaks its contract.
        case vault
        /// An offer breaks its contract.
        case offer
        /// A provider cannot be connected.
        case provider
        /// The pipeline has problems.
        case pipeline
        /// The run failed.
        case run
        /// A search of an index breaks its contract.
        case search
        /// The folder of an index cannot be written or read.
        case catalogue
    }

    /// Whose mistake it is.
    public let code: Code
    /// What is wrong and where, a line for each problem.
    public let description: String

    init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }

    init(_ code: Code, _ problems: [JSONProblem]) {
        self.init(code, problems.map { "\($0.path): \($0.message)" }.joined(separator: "\n"))
    }
}
