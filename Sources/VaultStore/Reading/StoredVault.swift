package import KnotDomain
package import VectorSearch

/// A vault and all that the database keeps beside it, as they were at one moment.
package struct StoredVault: Sendable {
    package let vault: Vault
    /// By hint; the model is `unknownModel` where the row does not say which it was.
    package let hintEmbeddings: [HintID: Embedding]
    /// Readings by other readers than the rules, newest first, stale ones among them.
    package let hintReadings: [StoredHintReading]
    package let vaultReadings: [StoredVaultReading]
    /// Nil until something was learned.
    package let weights: StoredWeights?
    /// Nil for a vault that came from the app.
    package let imported: ImportedFacts?
    /// The vault's own part of the catalogue; nil where it was not asked for.
    package let stock: CatalogueStock?

    package static let unknownModel = "unknown"

    package init(
        vault: Vault,
        hintEmbeddings: [HintID: Embedding] = [:],
        hintReadings: [StoredHintReading] = [],
        vaultReadings: [StoredVaultReading] = [],
        weights: StoredWeights? = nil,
        imported: ImportedFacts? = nil,
        stock: CatalogueStock? = nil
    ) {
        self.vault = vault
        self.hintEmbeddings = hintEmbeddings
        self.hintReadings = hintReadings
        self.vaultReadings = vaultReadings
        self.weights = weights
        self.imported = imported
        self.stock = stock
    }
}
