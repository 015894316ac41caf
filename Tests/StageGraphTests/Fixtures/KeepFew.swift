import StageGraph

/// Keeps the first few.
struct KeepFew: ShortlistStage {
    static let kind = "shortlist.few"
    static let summary = "Keeps the best few."
    static let count = Parameter("count", default: 12, in: 1...100, "How many to keep.")
    static var parameters: [ParameterDeclaration] { [count.declaration] }

    let count: Int

    func shorten(
        _ pool: Pool<Pebble>,
        by columns: [ScoreColumn],
        _ inputs: StageInputs,
        in context: StageContext
    ) throws(StageFailure) -> Union<Pebble> {
        Union(
            items: Array(pool.items.prefix(count)),
            cut: pool.items.dropFirst(count).map {
                Removal(item: $0.itemID, reason: "cap", evidence: "beyond \(count)")
            }
        )
    }
}
