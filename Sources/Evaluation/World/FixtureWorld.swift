package import KnotDomain
package import Recommendation
package import StageGraph

/// A fixture as the outside world: its vault, five providers, and what an availability check would find.
package struct FixtureWorld: VaultSource, AvailabilityChecker, ChoiceSink {
    private let fixture: Fixture

    package init(_ fixture: Fixture) {
        self.fixture = fixture
    }

    package func vault(_ id: VaultID) async throws(StageFailure) -> Vault {
        guard id == fixture.vault.id else {
            throw StageFailure(.data, code: "no_vault", "fixture \(fixture.name) holds no vault \(id)")
        }
        return fixture.vault
    }

    package func probe(_ candidate: Candidate) async throws(StageFailure) -> AvailabilityProbe {
        guard let fact = fixture.facts[candidate.id] else {
            throw StageFailure(.provider, code: "no_page", "fixture \(fixture.name) has no page for \(candidate.id)")
        }
        return AvailabilityProbe(fact)
    }

    /// A fixture run is never stored.
    package func store(_ choices: ChoiceOfThree) async throws(StageFailure) -> Bool { false }
}
