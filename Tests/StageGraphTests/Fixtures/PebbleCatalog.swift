import StageGraph

/// The catalogue of these tests.
enum PebbleCatalog {
    static func make() -> StageCatalog<Quarry> {
        var catalog = StageCatalog<Quarry>()
        catalog.add(ReadLimit.self) { ReadLimit(quarry: $1, value: $0[ReadLimit.limit]) }
        catalog.add(FindPebbles.self) { FindPebbles(quarry: $1, count: $0[FindPebbles.count]) }
        catalog.add(HeapPebbles.self) { _, quarry in HeapPebbles(quarry: quarry) }
        catalog.add(DropHeavy.self) { DropHeavy(quarry: $1, slack: $0[DropHeavy.slack]) }
        catalog.add(ScoreWeight.self) { ScoreWeight(quarry: $1, curve: $0[ScoreWeight.curve]) }
        catalog.add(KeepFew.self) { values, _ in KeepFew(count: values[KeepFew.count]) }
        catalog.add(AddScores.self) { _, _ in AddScores() }
        catalog.add(TakeTop.self) { _, quarry in TakeTop(quarry: quarry) }
        catalog.add(CheckPebbles.self) { _, quarry in CheckPebbles(quarry: quarry) }
        catalog.add(CountReceipt.self) { _, quarry in CountReceipt(quarry: quarry) }
        return catalog
    }
}
