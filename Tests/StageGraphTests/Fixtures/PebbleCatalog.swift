import StageGraph

/// The catalogue of these tests.
enum PebbleCatalog {
    static func make() -> StageCatalog<Quarry> {
        var catalog = StageCatalog<Quarry>()
        catalog.add(ReadLimit.self) { (values, quarry) throws(ParameterError) in
            ReadLimit(quarry: quarry, value: values[ReadLimit.limit])
        }
        catalog.add(FindPebbles.self) { (values, quarry) throws(ParameterError) in
            let count = values[FindPebbles.count]
            if count == 13 { throw ParameterError(parameter: "count", message: "13 brings bad luck") }
            return FindPebbles(quarry: quarry, count: count)
        }
        catalog.add(HeapPebbles.self) { (_, quarry) throws(ParameterError) in HeapPebbles(quarry: quarry) }
        catalog.add(DropHeavy.self) { (values, quarry) throws(ParameterError) in
            DropHeavy(quarry: quarry, slack: values[DropHeavy.slack])
        }
        catalog.add(ScoreWeight.self) { (values, quarry) throws(ParameterError) in
            ScoreWeight(quarry: quarry, curve: values[ScoreWeight.curve])
        }
        catalog.add(KeepFew.self) { (values, _) throws(ParameterError) in KeepFew(count: values[KeepFew.count]) }
        catalog.add(AddScores.self) { (_, _) throws(ParameterError) in AddScores() }
        catalog.add(TakeTop.self) { (_, quarry) throws(ParameterError) in TakeTop(quarry: quarry) }
        catalog.add(CheckPebbles.self) { (_, quarry) throws(ParameterError) in CheckPebbles(quarry: quarry) }
        catalog.add(CountReceipt.self) { (_, quarry) throws(ParameterError) in CountReceipt(quarry: quarry) }
        return catalog
    }
}
