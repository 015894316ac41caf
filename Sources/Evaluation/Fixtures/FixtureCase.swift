package import KnotDomain
package import Recommendation
package import StageGraph

/// A fixture with everything that stands beside it: the readings, the rates, and the digest of all that was read.
package struct FixtureCase: Sendable {
    /// The file's name without its ending.
    package let stem: String
    package let fixture: Fixture
    package let reader: any HintReader
    package let rates: Rates
    /// SHA-256 over the bytes of fixture, readings and rates.
    package let digest: String
    /// Set when a named occasion overrides the fixture's own.
    package let occasion: OccasionChoice
    /// Set for the recording of a refresh.
    package let refresh: RefreshRequest?
    /// Providers that a recording has nothing of but how they failed.
    package let lostProviders: [ProviderName: StageFailure]

    package init(
        stem: String,
        fixture: Fixture,
        reader: any HintReader,
        rates: Rates,
        digest: String,
        occasion: OccasionChoice,
        refresh: RefreshRequest? = nil,
        lostProviders: [ProviderName: StageFailure] = [:]
    ) {
        self.stem = stem
        self.fixture = fixture
        self.reader = reader
        self.rates = rates
        self.digest = digest
        self.occasion = occasion
        self.refresh = refresh
        self.lostProviders = lostProviders
    }

    /// The same case for another milestone or tier.
    package func asking(for occasion: OccasionChoice) -> FixtureCase {
        FixtureCase(
            stem: stem,
            fixture: fixture,
            reader: reader,
            rates: rates,
            digest: digest,
            occasion: occasion,
            refresh: refresh,
            lostProviders: lostProviders
        )
    }
}
