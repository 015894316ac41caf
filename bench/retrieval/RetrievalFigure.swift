package import Evaluation
package import JSONDocument

/// One system's mean of one metric over a set's topics, with its interval and how it compares with the encoder alone.
package struct RetrievalFigure: Sendable {
    package let set: String
    package let system: RetrievalSystem
    package let metric: RetrievalMetric
    package let mean: Double
    package let interval: ClosedRange<Double>?
    /// How many topics have a value.
    package let count: Int
    /// Two-sided p of the paired sign-flip test against the encoder in single precision; nil where there is none.
    package let p: Double?

    package init(
        set: String,
        system: RetrievalSystem,
        metric: RetrievalMetric,
        mean: Double,
        interval: ClosedRange<Double>? = nil,
        count: Int,
        p: Double? = nil
    ) {
        self.set = set
        self.system = system
        self.metric = metric
        self.mean = mean
        self.interval = interval
        self.count = count
        self.p = p
    }

    /// All figures of one set.
    package static func all(_ run: RetrievalRun, of set: RetrievalSet) throws(RankingError) -> [RetrievalFigure] {
        let bootstrap = Bootstrap(topics: set.topics.count, seed: 11, draws: set.topics.count > 1_000 ? 1_000 : 10_000)
        let systems = run.systems
        let base = systems.first { $0 == .dense("f32") }
        let baseMetrics = try base.map { base throws(RankingError) in try run.metrics(of: base) }
        var figures: [RetrievalFigure] = []
        for system in systems {
            let metrics = try run.metrics(of: system)
            for metric in RetrievalMetric.allCases {
                let values = metrics.map(metric.value)
                let mean = DefinedMean(values)
                guard let number = mean.mean else { continue }
                var p: Double?
                if let baseMetrics, system != base, metric == .ndcg3 || metric == .ndcg10, set.topics.count <= 100 {
                    let differences = zip(baseMetrics.map(metric.value), values)
                        .compactMap { old, new in old.flatMap { old in new.map { $0 - old } } }
                    p = SignFlipTest.twoSidedP(differences, seed: 11)
                }
                figures.append(
                    RetrievalFigure(
                        set: set.name,
                        system: system,
                        metric: metric,
                        mean: number,
                        interval: bootstrap.interval(of: values),
                        count: mean.count,
                        p: p
                    )
                )
            }
        }
        return figures
    }

    package var json: JSONValue {
        [
            "set": .string(set), "system": .string(system.name), "metric": .string(metric.name),
            "mean": Self.short(mean),
            "low": interval.map { Self.short($0.lowerBound) } ?? .null,
            "high": interval.map { Self.short($0.upperBound) } ?? .null, "queries": .integer(count),
            "p_against_dense_f32": p.map(Self.short) ?? .null,
        ]
    }

    private static func short(_ number: Double) -> JSONValue { .number((number * 100_000).rounded() / 100_000) }
}
