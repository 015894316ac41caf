import KnotDomain

/// A fixture and what is laid beside it.
struct FixtureOptions: Sendable, Equatable {
    /// Where `judge` and `evaluate` look when nobody says.
    static let usualFolder = "fixtures/vaults"

    let path: String
    let readings: ReadingsSource
    /// Nil: beside the fixture, else the embedded ones.
    let rates: String?
    /// Nil: the fixture's own moment, else now.
    let asOf: Instant?

    init(path: String, _ arguments: TypedArguments, _ settings: Settings) {
        self.path = path
        readings = ReadingsSource(settings.text(.readings))
        rates = settings.text(.rates)
        asOf = arguments.text(.asOf).flatMap { Instant(iso8601: $0) }
    }
}
