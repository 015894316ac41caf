/// What a choice is made for.
enum RunSubject: Sendable, Equatable {
    case fixture(FixtureOptions)
    case vault(String, VaultOptions)
    /// Every vault in the database.
    case everyVault(VaultOptions)
}
