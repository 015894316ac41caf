package import KnotDomain
package import StageGraph

/// Where vaults are read from.
package protocol VaultSource: Sendable {
    /// Throws class data, code `no_vault`, when there is none with this id.
    func vault(_ id: VaultID) async throws(StageFailure) -> Vault
}
