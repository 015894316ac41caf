import Classic
import KnotDomain
package import Recommendation
package import StageGraph

extension StageCatalog where Ports == StagePorts {
    /// Every stage a pipeline may name.
    package static let knot: StageCatalog<StagePorts> = {
        var catalog = StageCatalog<StagePorts>()
        catalog.result = ResultType(ChoiceOfThree.self)
        addReading(to: &catalog)
        addFilters(to: &catalog)
        addScorers(to: &catalog)
        addChoosing(to: &catalog)
        addClassic(to: &catalog)
        return catalog
    }()

    /// The same stages, where a pipeline may also ask these providers.
    package static func knot(with providers: [ProviderCapability]) -> Self {
        var catalog = knot
        catalog.allow(providers.map(\.name.rawValue), for: SourceProvider.provider.name, of: SourceProvider.kind)
        return catalog
    }

    private static func addReading(to catalog: inout StageCatalog<StagePorts>) {
        catalog.add(ReadVault.self) { ReadVault($0, ports: $1) }
        catalog.add(ReadHints.self) { ReadHints(ports: $1) }
        catalog.add(RetrieveHints.self) { values, _ in RetrieveHints(values) }
        catalog.add(PlanQueries.self) { PlanQueries($0, ports: $1) }
        catalog.add(SourceProvider.self) { SourceProvider($0, ports: $1) }
        catalog.add(AggregateJoin.self) { _, _ in AggregateJoin() }
        catalog.add(RelateMeaning.self) { RelateMeaning($0, ports: $1) }
        catalog.add(RelatePhrases.self) { values, _ in RelatePhrases(values) }
        catalog.add(RelateTaste.self) { values, _ in RelateTaste(values) }
    }

    private static func addFilters(to catalog: inout StageCatalog<StagePorts>) {
        catalog.add(FilterDislikes.self) { values, _ in FilterDislikes(values) }
        catalog.add(FilterAvoids.self) { values, _ in FilterAvoids(values) }
        catalog.add(FilterBudget.self) { _, _ in FilterBudget() }
        catalog.add(FilterPlace.self) { values, _ in FilterPlace(values) }
        catalog.add(FilterDates.self) { values, _ in FilterDates(values) }
        catalog.add(FilterWindows.self) { _, _ in FilterWindows() }
        catalog.add(FilterDelivery.self) { _, _ in FilterDelivery() }
        catalog.add(FilterHistory.self) { _, _ in FilterHistory() }
        catalog.add(FilterRejected.self) { _, _ in FilterRejected() }
        catalog.add(ShortlistTwins.self) { _, _ in ShortlistTwins() }
    }

    private static func addScorers(to catalog: inout StageCatalog<StagePorts>) {
        catalog.add(ScoreHints.self) { values, _ in ScoreHints(values) }
        catalog.add(ScoreThemes.self) { _, _ in ScoreThemes() }
        catalog.add(ScoreInterests.self) { values, _ in ScoreInterests(values) }
        catalog.add(ScoreVibes.self) { values, _ in ScoreVibes(values) }
        catalog.add(ScoreLoveLanguages.self) { values, _ in ScoreLoveLanguages(values) }
        catalog.add(ScoreBudget.self) { values, _ in ScoreBudget(values) }
        catalog.add(ScoreTiming.self) { values, _ in ScoreTiming(values) }
        catalog.add(ScorePlace.self) { values, _ in ScorePlace(values) }
        catalog.add(ScoreQuality.self) { values, _ in ScoreQuality(values) }
        catalog.add(ScoreLearned.self) { values, _ in ScoreLearned(values) }
    }

    private static func addChoosing(to catalog: inout StageCatalog<StagePorts>) {
        catalog.add(CombineWeighted.self) { values, _ in CombineWeighted(values) }
        catalog.add(SelectExact.self) { values, _ in SelectExact(values) }
        catalog.add(SelectGreedy.self) { values, _ in SelectGreedy(values) }
        catalog.add(CheckAvailability.self) { CheckAvailability($0, ports: $1) }
        catalog.add(PresentChoices.self) { PresentChoices($0, ports: $1) }
        catalog.add(WriteChoices.self) { WriteChoices(ports: $1) }
    }

    private static func addClassic(to catalog: inout StageCatalog<StagePorts>) {
        catalog.add(ClassicHints.self) { ClassicHints($0, ports: $1) }
        catalog.add(ClassicPlan.self) { _, _ in ClassicPlan() }
        catalog.add(ClassicAggregate.self) { values, _ in ClassicAggregate(values) }
        catalog.add(ClassicDislikes.self) { _, _ in ClassicDislikes() }
        catalog.add(ClassicInterests.self) { _, _ in ClassicInterests() }
        catalog.add(ClassicTop.self) { values, _ in ClassicTop(values) }
        catalog.add(ClassicVibes.self) { _, _ in ClassicVibes() }
        catalog.add(ClassicLoveLanguages.self) { _, _ in ClassicLoveLanguages() }
        catalog.add(ClassicCombine.self) { _, _ in ClassicCombine() }
        catalog.add(ClassicDiversity.self) { _, _ in ClassicDiversity() }
        catalog.add(ClassicAvailability.self) { ClassicAvailability($0, ports: $1) }
    }
}
