package import StageGraph

extension FilterStage where Facts == Brief {
    /// What a filter that needs nothing but the brief works out: the brief, at the input of that name.
    package func facts(
        for pool: Pool<Item>,
        _ inputs: StageInputs,
        in context: StageContext
    ) async throws(StageFailure) -> Brief {
        try inputs.value(InputPort<Brief>("brief"))
    }
}

extension ScoreStage where Facts == Brief {
    /// What a scorer that needs nothing but the brief works out: the brief, at the input of that name.
    package func facts(
        for pool: Pool<Item>,
        _ inputs: StageInputs,
        in context: StageContext
    ) async throws(StageFailure) -> Brief {
        try inputs.value(InputPort<Brief>("brief"))
    }
}
