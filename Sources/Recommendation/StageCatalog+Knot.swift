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

    private static func addReading(to catalog: inout StageCatalog<StagePorts>) {
        catalog.add(ReadVault.self) { ReadVault($0, ports: $1) }
        catalog.add(ReadHints.self) { ReadHints(ports: $1) }
        catalog.add(RetrieveHints.self) { values, _ in RetrieveHints(values) }
        catalog.add(PlanQueries.self) { values, _ in PlanQueries(values) }
        catalog.add(SearchProvider.self) { SearchProvider($0, ports: $1) }
        catalog.add(JoinPools.self) { _, _ in JoinPools() }
        catalog.add(RelateMeaning.self) { RelateMeaning($0, ports: $1) }
        catalog.add(RelatePhrases.self) { (values, _) throws(ParameterError) in try RelatePhrases(values) }
        catalog.add(RelateTaste.self) { (values, _) throws(ParameterError) in try RelateTaste(values) }
    }

    private static func addFilters(to catalog: inout StageCatalog<StagePorts>) {
        catalog.add(DropDisliked.self) { values, _ in DropDisliked(values) }
        catalog.add(DropAvoided.self) { values, _ in DropAvoided(values) }
        catalog.add(DropOutsideBudget.self) { _, _ in DropOutsideBudget() }
        catalog.add(DropElsewhere.self) { values, _ in DropElsewhere(values) }
        catalog.add(DropOutsideDates.self) { values, _ in DropOutsideDates(values) }
        catalog.add(DropOutsideWindows.self) { _, _ in DropOutsideWindows() }
        catalog.add(DropLateParcels.self) { _, _ in DropLateParcels() }
        catalog.add(DropKnown.self) { values, _ in DropKnown(values) }
        catalog.add(DropRejected.self) { _, _ in DropRejected() }
        catalog.add(MergeTwins.self) { MergeTwins($0, ports: $1) }
    }

    private static func addScorers(to catalog: inout StageCatalog<StagePorts>) {
        catalog.add(ScoreHints.self) { values, _ in ScoreHints(values) }
        catalog.add(ScoreThemes.self) { _, _ in ScoreThemes() }
        catalog.add(ScoreClearance.self) { values, _ in ScoreClearance(values) }
        catalog.add(ScoreInterests.self) { values, _ in ScoreInterests(values) }
        catalog.add(ScoreVibes.self) { values, _ in ScoreVibes(values) }
        catalog.add(ScoreLoveLanguages.self) { values, _ in ScoreLoveLanguages(values) }
        catalog.add(ScoreBudget.self) { values, _ in ScoreBudget(values) }
        catalog.add(ScoreOccasion.self) { _, _ in ScoreOccasion() }
        catalog.add(ScoreTiming.self) { values, _ in ScoreTiming(values) }
        catalog.add(ScorePlace.self) { values, _ in ScorePlace(values) }
        catalog.add(ScoreQuality.self) { values, _ in ScoreQuality(values) }
        catalog.add(ScoreNovelty.self) { _, _ in ScoreNovelty() }
        catalog.add(ScoreLearned.self) { values, _ in ScoreLearned(values) }
    }

    private static func addChoosing(to catalog: inout StageCatalog<StagePorts>) {
        catalog.add(CombineWeighted.self) { (values, _) throws(ParameterError) in try CombineWeighted(values) }
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
        catalog.add(ClassicTopNine.self) { values, _ in ClassicTopNine(values) }
        catalog.add(ClassicVibes.self) { _, _ in ClassicVibes() }
        catalog.add(ClassicLoveLanguages.self) { _, _ in ClassicLoveLanguages() }
        catalog.add(ClassicCombine.self) { _, _ in ClassicCombine() }
        catalog.add(ClassicDiversity.self) { _, _ in ClassicDiversity() }
        catalog.add(ClassicAvailability.self) { ClassicAvailability($0, ports: $1) }
    }
}
