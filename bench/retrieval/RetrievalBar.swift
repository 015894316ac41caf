/// A figure that must be reached.
package struct RetrievalBar: Sendable {
    package enum Systems: Sendable {
        /// Words alone.
        case words
        /// The encoder alone, in every precision that was measured.
        case dense
        /// Each way of putting both together, in every precision that was measured.
        case hybrid

        package var name: String {
            switch self {
            case .words: "BM25, ours"
            case .dense: "dense"
            case .hybrid: "hybrid"
            }
        }

        func holds(_ system: RetrievalSystem) -> Bool {
            switch (self, system) {
            case (.words, .words), (.dense, .dense), (.hybrid, .sum), (.hybrid, .ranks), (.hybrid, .catalogue): true
            default: false
            }
        }
    }

    package enum Verdict: Sendable, Equatable {
        /// The lowest of the figures.
        case met(Double)
        case missed(Double)
        /// Nothing was measured that it asks for.
        case unmeasured
        /// A ranking that does nothing reaches it as well, so that it says nothing.
        case empty(noOp: Double)
    }

    package let set: String
    package let metric: RetrievalMetric
    package let systems: Systems
    package let floor: Double

    init(_ set: String, _ metric: RetrievalMetric, _ systems: Systems, _ floor: Double) {
        self.set = set
        self.metric = metric
        self.systems = systems
        self.floor = floor
    }

    /// What is asked of the encoder and the hybrid, and what a plain BM25 was published to reach on the same sets.
    package static let all: [RetrievalBar] = [
        RetrievalBar("chorus rerank", .ndcg3, .dense, 0.89), RetrievalBar("msrd rerank", .ndcg10, .dense, 0.87),
        RetrievalBar("clinc retrieve", .ndcg10, .dense, 0.74),
        RetrievalBar("chorus retrieve", .ndcg10, .hybrid, 0.76),
        RetrievalBar("chorus rerank", .ndcg10, .words, 0.829), RetrievalBar("chorus rerank", .ndcg3, .words, 0.772),
        RetrievalBar("chorus retrieve", .ndcg10, .words, 0.727),
        RetrievalBar("chorus retrieve", .ndcg3, .words, 0.723),
        RetrievalBar("msrd rerank", .ndcg10, .words, 0.808), RetrievalBar("msrd rerank", .ndcg3, .words, 0.741),
        RetrievalBar("clinc retrieve", .ndcg10, .words, 0.574), RetrievalBar("clinc retrieve", .ndcg3, .words, 0.726),
    ]

    /// The best that a ranking that does nothing reaches.
    package func noOp(_ figures: [RetrievalFigure]) -> Double? {
        matching(figures).filter { $0.system.isNoOp }.map(\.mean).max()
    }

    package func verdict(_ figures: [RetrievalFigure]) -> Verdict {
        guard let least = matching(figures).filter({ systems.holds($0.system) }).map(\.mean).min(),
            let noOp = noOp(figures)
        else { return .unmeasured }
        if noOp >= floor { return .empty(noOp: noOp) }
        return least >= floor ? .met(least) : .missed(least)
    }

    private func matching(_ figures: [RetrievalFigure]) -> [RetrievalFigure] {
        figures.filter { $0.set == set && $0.metric == metric }
    }
}
