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
        // A recording may have a catalogue's answers; a fixture has none.
        let providers = ProviderName.allCases.filter { name in
            name != .catalogue || fixture.candidates.contains { $0.provider == name }
                || fixtureCase.lostProviders[name] != nil
        }
        self.init(
            request: RunRequest(
                vaultID: fixture.vault.id,
                occasion: fixtureCase.occasion,
                asOf: asOf ?? fixture.asOf,
                refresh: refresh ?? fixtureCase.refresh
            ),
            vaults: world,
            reader: fixtureCase.reader,
            providers: Dictionary(
                uniqueKeysWithValues: providers.map { name in
                    let failure = fixtureCase.lostProviders[name]
                    return (name, FixtureProvider(fixture, name, failure: failure) as any CandidateProvider)
                }
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
