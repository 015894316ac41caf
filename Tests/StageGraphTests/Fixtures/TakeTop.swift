import StageGraph

/// Takes the top three and keeps five in reserve.
struct TakeTop: SelectStage {
    static let kind = "select.top"
    static let summary = "Takes the top."

    let quarry: Quarry

    func select(
        from ranking: Ranking<Pebble>,
        _ inputs: StageInputs,
        in context: StageContext
    ) async throws(StageFailure) -> Selection<Pebble> {
        try await quarry.enter(context)
        let entries = ranking.entries
        let rest = entries.dropFirst(8).map(\.item.itemID)
        return Selection(
            selected: Array(entries.prefix(3)),
            reserve: Array(entries.dropFirst(3).prefix(5)),
            rest: quarry.lies(context) ? Array(rest.dropLast()) : rest
        )
    }
}
