import StageGraph

/// Where a run's time goes: when each node starts and how long it takes, medians over many runs.
enum NodeTimes {
    static func show(_ runs: [[NodeReport]]) {
        guard let first = runs.first else { return }
        for (index, node) in first.enumerated() {
            let started = runs.compactMap { $0[index].started }.sorted()
            let took = runs.compactMap { run in
                run[index].started.flatMap { start in run[index].ended.map { $0 - start } }
            }
            .sorted()
            guard !started.isEmpty, !took.isEmpty else { continue }
            print("  \(node.node): starts \(started[started.count / 2]), takes \(took[took.count / 2])")
        }
    }
}
