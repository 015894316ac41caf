package import Catalogue
import ChoiceService
package import Console
import Fixtures
import HintRules
package import JSONDocument
package import KnotDomain
package import Recommendation
package import StageGraph
package import VaultStore

/// The database's catalogue with the candidates of a file or a folder behind it; what those say stands for the item's own
/// page.
package struct JoinedCatalogue: CandidateProvider, AvailabilityChecker {
    package let capabilities: [ProviderCapability]
    private let provider: CatalogueProvider
    private let checker: CatalogueChecker
    private let named: FollowedCatalogue?
    private let second: FollowedProvider?

    package init(
        _ provider: CatalogueProvider,
        _ checker: CatalogueChecker,
        _ named: FollowedCatalogue?,
        embedder: (any TextEmbedder)?,
        asked: Set<ProviderName>,
        threads: Int
    ) {
        second = named.map { FollowedProvider($0, embedder: embedder, asked: asked, threads: threads) }
        var known: Set<ProviderName> = []
        capabilities = (provider.capabilities + (second?.capabilities ?? [])).filter { known.insert($0.name).inserted }
        self.provider = provider
        self.checker = checker
        self.named = named
    }

    package func candidates(for query: ProviderQuery) async throws(StageFailure) -> [Candidate] {
        try await query.answer(of: [provider] + (second.map { [$0] } ?? []))
    }

    package func probe(_ candidate: Candidate) async throws(StageFailure) -> AvailabilityProbe {
        // As it is now: what was withdrawn since it was found is gone.
        if let known = try named?.now().probe(candidate) { return known }
        return try await checker.probe(candidate)
    }
}

/// What stands beside a vault of the database: readings and rates, its own or those of a file.
package enum VaultReadings {
    /// The reader, and what it knows, for the digest of the run's input.
    package static func reader(
        _ choice: ReadingsSource,
        _ stored: StoredVault
    ) throws(CommandError) -> (any HintReader, JSONValue) {
        switch choice {
        case .rules: return (RulesReader(), "rules")
        case .automatic:
            // Where nobody but the rules has read anything, the rules are the reader.
            guard !stored.hintReadings.isEmpty || !stored.vaultReadings.isEmpty else { return (RulesReader(), "rules") }
            let hints = stored.hintReadings.map { JSONValue.array([.string($0.inputDigest), $0.json]) }
            let vaults = stored.vaultReadings.map { JSONValue.string($0.inputDigest) }
            return (StoredReadings(of: stored, fallback: RulesReader()), .array(hints + vaults))
        case .recorded(let path):
            let file =
                FileStatus(path: path)?.kind == .folder
                ? "\(path)/\(stored.imported?.name ?? stored.vault.id.text).json" : path
            let known = Set(stored.vault.hints.map(\.id))
            let bytes = try InputFile.read(file)
            let reading = try document(bytes, file) { VaultReading(reading: $0, knownHints: known) }
            return (RecordedReader(reading), reading.json)
        }
    }

    /// The rates of a file, else those that came with the vault, else the embedded ones.
    package static func rates(_ path: String?, _ stored: StoredVault) throws(CommandError) -> (Rates, JSONValue) {
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
    private static let embeddedRates = JSONValue.string("embedded \(InputDigest.of([Rates.embedded.json]))")

    private static func document<Value>(
        _ bytes: [UInt8],
        _ path: String,
        _ read: (JSONReader) -> Value?
    ) throws(CommandError) -> Value {
        try reporting { try FixtureLoader.document(bytes, path, read) }
    }
}
