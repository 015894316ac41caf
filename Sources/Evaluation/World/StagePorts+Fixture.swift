package import KnotDomain
package import Recommendation

extension StagePorts {
    /// The ports of a fixture run: nothing outside the case is ever touched.
    package init(
        _ fixtureCase: FixtureCase,
        asOf: Instant?,
        refresh: RefreshRequest? = nil,
        embedder: (any TextEmbedder)? = nil,
        zones: any ZoneSource,
        clock: any WallClock
    ) {
        let fixture = fixtureCase.fixture
        let world = FixtureWorld(fixture)
        let providers = ProviderName.allCases.filter { $0 != .catalogue }
        self.init(
            request: RunRequest(
                vaultID: fixture.vault.id,
                occasion: fixtureCase.occasion,
                asOf: asOf ?? fixture.asOf,
                refresh: refresh
            ),
            vaults: world,
            reader: fixtureCase.reader,
            providers: Dictionary(
                uniqueKeysWithValues: providers.map { ($0, FixtureProvider(fixture, $0) as any CandidateProvider) }
            ),
            checker: world,
            embedder: embedder,
            zones: zones,
            rates: fixtureCase.rates,
            clock: clock,
            sink: world
        )
    }
}
