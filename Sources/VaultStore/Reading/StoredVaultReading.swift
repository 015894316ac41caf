package import KnotDomain

/// A row of `vault_readings`.
package struct StoredVaultReading: Sendable {
    package let tier: OccasionTier
    package let reader: String
    package let inputDigest: String
    package let serves: [String]
    package let avoid: [String]
}
