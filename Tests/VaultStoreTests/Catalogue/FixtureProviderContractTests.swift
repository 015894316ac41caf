import Fixtures
import KnotDomain
import TestSupport
import Testing

@Suite("A fixture as a provider") struct FixtureProviderContractTests {
    @Test func `keeps the promise of a provider and leaves limits to the pipeline`() async throws {
        var held = 0
        for fixtureCase in try JudgedFixtures.all() {
            for name in Set(fixtureCase.fixture.candidates.map(\.provider)) {
                try await CandidateProviderContract.verify(
                    FixtureProvider(fixtureCase.fixture, name),
                    answering: CatalogueScenes.query(["map"], name),
                    keepsLimits: false
                )
                held += 1
            }
        }
        #expect(held >= 28, "every judged vault has a provider at least, and none was passed over")
    }
}
