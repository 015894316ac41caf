package import JSONDocument
package import KnotDomain
import PostgresClient
package import Recommendation
package import TextEncoding
package import VectorSearch

/// A vault and all that the database keeps beside it, as they were at one moment.
package struct StoredVault: Sendable {
    package let vault: Vault
    /// By hint; the model is `unknownModel` where the row does not say which it was.
    package let hintEmbeddings: [HintID: Embedding]
    /// Of the phrases that its hints were read as, by the one model whose vectors were asked for.
    package let phraseEmbeddings: [TextDigest: Embedding]
    /// Readings by other readers than the rules, newest first, stale ones among them.
    package let hintReadings: [StoredHintReading]
    package let vaultReadings: [StoredVaultReading]
    /// Nil until something was learned.
    package let weights: StoredWeights?
    /// Nil for a vault that came from the app.
    package let imported: ImportedFacts?
    /// The vault's own part of the catalogue; nil where it was not asked for.
    package let catalogue: VaultCatalogue?
    /// A digest of its sets of late, by which a set of it is stored only where no other came between; nil for a vault as it
    /// stood once.
    package let historyMark: String?

    package static let unknownModel = "unknown"

    package init(
        vault: Vault,
        hintEmbeddings: [HintID: Embedding] = [:],
        phraseEmbeddings: [TextDigest: Embedding] = [:],
        hintReadings: [StoredHintReading] = [],
        vaultReadings: [StoredVaultReading] = [],
        weights: StoredWeights? = nil,
        imported: ImportedFacts? = nil,
        catalogue: VaultCatalogue? = nil,
        historyMark: String? = nil
    ) {
        self.vault = vault
        self.hintEmbeddings = hintEmbeddings
        self.phraseEmbeddings = phraseEmbeddings
        self.hintReadings = hintReadings
        self.vaultReadings = vaultReadings
        self.weights = weights
        self.imported = imported
        self.catalogue = catalogue
        self.historyMark = historyMark
    }
}

/// What a fixture said beside its vault, kept so that a run of the imported vault asks the same.
package struct ImportedFacts: Sendable, Hashable {
    package let name: String
    package let asOf: Instant?
    /// What the fixture asked for.
    package let occasion: OccasionChoice?
    /// As the file had them; nil where it had none.
    package let rates: JSONValue?
    package let fileDigest: String

    package static func == (one: Self, other: Self) -> Bool {
        one.fileDigest == other.fileDigest && one.name == other.name
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(fileDigest) }
}

/// What feedback has taught of one vault.
package struct StoredWeights: Sendable, Hashable {
    /// By factor, 1 where nothing is known.
    package let weights: [String: Double]
    package let revision: Int
    package let signalCount: Int
    package let halfLifeDays: Double
    /// The moment the decay was reckoned at.
    package let asOf: Instant

    /// As the stages take it; nil where no factor's weight was learned.
    var taste: LearnedTaste? {
        guard !weights.isEmpty else { return nil }
        return LearnedTaste(weights: weights, signalCount: signalCount, halfLifeDays: halfLifeDays, asOf: asOf)
    }
}

/// A row of `hint_readings`.
package struct StoredHintReading: Sendable {
    package let hintID: HintID
    package let reader: String
    package let inputDigest: String
    /// As `knot.reading/1` has one hint; not validated yet, since a reading that is no good only counts as none.
    package let json: JSONValue
}

/// A row of `vault_readings`.
package struct StoredVaultReading: Sendable {
    package let tier: OccasionTier
    package let reader: String
    package let inputDigest: String
    package let serves: [String]
    package let avoid: [String]
}

/// Which embeddings are read with a vault's hints: they are most of its bytes, and take most of its time.
package enum HintEmbeddings: Sendable, Hashable {
    case none
    /// Those that this model made.
    case of(model: String)
    /// Of whichever model, and of unknown ones.
    case all

    /// The one model whose vectors are read, if it is one.
    var model: String? {
        if case .of(let model) = self { model } else { nil }
    }

    /// The column's place in the statement.
    var column: SQLQuery {
        switch self {
        case .none: "null::pg_catalog.text"
        case .of(let model): "case when t.hint_embedding_model = \(model) then t.hint_embedding end"
        case .all: "t.hint_embedding"
        }
    }
}

extension Vault {
    /// The same vault with other hints, another history, or with what was learned of it.
    func with(hints: [Hint]? = nil, history: [HistoryItem]? = nil, learned: LearnedTaste? = nil) -> Vault {
        Vault(
            id: id,
            userID: userID,
            partnerName: partnerName,
            tenureMonths: tenureMonths,
            cohabitation: cohabitation,
            location: location,
            timeZone: timeZone,
            likes: likes,
            dislikes: dislikes,
            vibes: vibes,
            budgets: budgets,
            loveLanguages: loveLanguages,
            milestones: milestones,
            hints: hints ?? self.hints,
            history: history ?? self.history,
            learned: learned ?? self.learned
        )
    }
}
