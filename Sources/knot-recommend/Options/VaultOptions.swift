import KnotDomain

/// How vaults in the database are read, and what is laid beside them.
struct VaultOptions: Sendable, Equatable {
    let readings: ReadingsSource
    /// Nil: those that came with the vault, else the embedded ones.
    let rates: String?
    /// Nil: the moment that came with the vault, else now.
    let asOf: Instant?
    /// A file of candidates besides those in the database.
    let catalogue: String?
    /// Nil: as the role that connects.
    let asUser: String?
    /// How many vaults are under way at once; nil: what suits the threads.
    let concurrency: Int?

    init(_ arguments: TypedArguments, _ settings: Settings) {
        readings = ReadingsSource(settings.text(.readings))
        rates = settings.text(.rates)
        asOf = arguments.text(.asOf).flatMap { Instant(iso8601: $0) }
        catalogue = settings.text(.catalogue)
        asUser = arguments.text(.asUser)
        concurrency = settings.text(.concurrency).flatMap { Int($0) }
    }
}
