package import KnotDomain
package import StageGraph

/// No outside at all: what a replay has, since every effect is answered from its recording.
package struct UnpluggedWorld: VaultSource, HintReader, CandidateProvider, AvailabilityChecker, ChoiceSink, WallClock,
    ZoneSource
{
    /// The reader that made the recorded readings.
    package let name: String

    package init(readerName: String = "none") {
        name = readerName
    }

    private func refuse(_ what: String) -> StageFailure {
        StageFailure(.stage, code: "unplugged", "\(what) was asked for where there is no outside")
    }

    package func vault(_ id: VaultID) async throws(StageFailure) -> Vault { throw refuse("a vault") }

    package func reading(
        of vault: Vault,
        tier: OccasionTier,
        asOf: Instant
    ) async throws(StageFailure) -> VaultReading { throw refuse("a reading") }

    package func candidates(for query: ProviderQuery) async throws(StageFailure) -> [Candidate] {
        throw refuse("a provider")
    }

    package func probe(_ candidate: Candidate) async throws(StageFailure) -> AvailabilityProbe {
        throw refuse("a page")
    }

    package func store(_ choices: ChoiceOfThree) async throws(StageFailure) -> Bool { throw refuse("a store") }

    /// Never asked: the clock is an effect, and a replay answers effects.
    package func now() -> Instant { Instant(millisecondsSinceEpoch: 0) }
    package func rules(named name: String) -> ZoneRules? { nil }
    package var version: String? { nil }
}
