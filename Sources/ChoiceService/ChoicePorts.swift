package import JSONDocument
package import KnotDomain
package import Recommendation

/// Where vaults come from, each with the outside world of its run.
package protocol VaultLoading: Sendable {
    /// Reads one vault.
    func load(_ vault: VaultID) async throws(ChoiceError) -> LoadedVault

    /// Reads several vaults together.
    func load(together vaults: [VaultID]) async -> LoadedGroup

    /// Whether a vault is still there; true also where that cannot be found out.
    func isThere(_ vault: VaultID) async -> Bool
}

/// A vault as it was read, once for its run, with what the run may reach of the outside.
package struct LoadedVault: Sendable {
    /// Everything that was read before the run, which makes its digest.
    package enum Inputs: Sendable {
        /// What stands beside a vault that is kept: its readings and its rates.
        case parts([JSONValue])
        /// The digest of files that hold all there is.
        case files(String)
    }

    package var vault: Vault
    /// The file or the vault, for errors.
    package var place: String
    /// What the vault itself asks for.
    package var occasion: OccasionChoice?
    /// The moment that came with the vault.
    package var asOf: Instant?
    package var reader: any HintReader
    package var fallback: any FallbackReader
    package var providers: [any CandidateProvider]
    package var checker: any AvailabilityChecker
    package var embedder: (any TextEmbedder)?
    package var rates: Rates
    package var inputs: Inputs
    /// A digest of the vault's sets of late, read no later than the vault: a set is stored only while it is the same.
    ///
    /// Nil where nothing is kept.
    package var historyMark: String?
    /// Whether services outside answer for it, whose prices are of today.
    package var asksServices = false

    package init(
        _ vault: Vault,
        place: String,
        occasion: OccasionChoice?,
        asOf: Instant?,
        reader: any HintReader,
        fallback: any FallbackReader,
        providers: [any CandidateProvider],
        checker: any AvailabilityChecker,
        embedder: (any TextEmbedder)?,
        rates: Rates,
        inputs: Inputs,
        historyMark: String? = nil
    ) {
        self.vault = vault
        self.place = place
        self.occasion = occasion
        self.asOf = asOf
        self.reader = reader
        self.fallback = fallback
        self.providers = providers
        self.checker = checker
        self.embedder = embedder
        self.rates = rates
        self.inputs = inputs
        self.historyMark = historyMark
    }

    /// False for a vault of a file.
    var isKept: Bool { if case .parts = inputs { true } else { false } }
}

/// Several vaults that were read together.
package struct LoadedGroup: Sendable {
    /// One for each vault that was asked for, in their order.
    package var vaults: [Result<LoadedVault, ChoiceError>]
    /// How much was read, which decides how many are read together next.
    package var byteCount: Int

    package init(_ vaults: [Result<LoadedVault, ChoiceError>], byteCount: Int = 0) {
        self.vaults = vaults
        self.byteCount = byteCount
    }
}

/// Where finished sets are kept, each exactly once.
package protocol ChoiceStoring: Sendable {
    /// A finished set in the form that it is stored in.
    associatedtype Record: Sendable

    /// What a caller's own request was answered with, by vault; nothing where it is new.
    func answers(
        to request: String,
        of vaults: [VaultID],
        pipelineHash: String
    ) async throws(ChoiceError) -> [VaultID: EarlierAnswer]

    /// The set of an identity, if there is one.
    func answer(to identity: RunIdentity, pipelineHash: String) async throws(ChoiceError) -> StoredAnswer?

    /// Writes a finished run down; nothing is stored yet.
    func record(of run: FinishedRun, as style: JSONWriter.Style) throws(ChoiceError) -> Record

    /// Stores sets together and returns what is stored under each one's identity now, in their order.
    ///
    /// A set counts as stored only after its COMMIT was answered. One that fails takes no other with it.
    func save(_ records: [Record]) async -> [Result<StoredAnswer, ChoiceError>]
}

/// A set as it is stored.
package struct StoredAnswer: Sendable, Hashable {
    package let run: String
    package let vault: VaultID
    /// The result as it was first printed, byte for byte.
    package let text: String
    /// False when the set was there before: the same request, or another process that was faster.
    package let isNew: Bool
    /// The pipeline that made it, where that is another than the one that was asked; empty else.
    package let otherPipeline: String

    package init(run: String, vault: VaultID, text: String, isNew: Bool, otherPipeline: String = "") {
        self.run = run
        self.vault = vault
        self.text = text
        self.isNew = isNew
        self.otherPipeline = otherPipeline
    }
}

/// What a caller's own request was answered with, and what it asked for.
package struct EarlierAnswer: Sendable {
    package let set: StoredAnswer
    package let outcome: String
    /// Nil for a tier that this program does not know.
    package let occasion: OccasionChoice?

    package init(set: StoredAnswer, outcome: String, occasion: OccasionChoice?) {
        self.set = set
        self.outcome = outcome
        self.occasion = occasion
    }

    /// Whether a request for this occasion means the same; one that leaves it open does.
    func isFor(_ asked: OccasionChoice?) -> Bool {
        switch (asked, occasion) {
        case (nil, _): true
        case (.tier(let asked), .tier(let tier)): asked == tier
        // Ids are written in either case.
        case (.milestone(let asked), .milestone(let id)): asked.text.lowercased() == id.text.lowercased()
        default: false
        }
    }
}

/// No store: every run of a service without one is a dry one.
package struct NoChoices: ChoiceStoring {
    package init() {}

    package func answers(
        to request: String,
        of vaults: [VaultID],
        pipelineHash: String
    ) async throws(ChoiceError) -> [VaultID: EarlierAnswer] { [:] }

    package func answer(to identity: RunIdentity, pipelineHash: String) async throws(ChoiceError) -> StoredAnswer? {
        nil
    }

    package func record(of run: FinishedRun, as style: JSONWriter.Style) throws(ChoiceError) -> Never {
        throw .noResult(run.prepared.place)
    }

    package func save(_ records: [Never]) async -> [Result<StoredAnswer, ChoiceError>] { [] }
}
