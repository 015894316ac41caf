import StageGraph

/// Adds the scores up.
struct AddScores: CombineStage {
    static let kind = "combine.sum"
    static let summary = "Adds the scores up."

    func facts(from columns: [ScoreColumn], _ inputs: StageInputs) {}

    func total(of item: Pebble, from columns: [ScoreColumn], given facts: Void) -> Total {
        let parts = columns.map { Total.Part(name: $0.node.text, value: $0[item.itemID]?.value ?? 0) }
        // A weight beyond all measure stands for a stage that computes nonsense.
        return Total(parts: item.weight > 1e6 ? parts + [Total.Part(name: "nonsense", value: .nan)] : parts)
    }
}
