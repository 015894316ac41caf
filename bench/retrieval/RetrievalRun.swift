package import Catalogue
package import Evaluation
import StageGraph
import TextEncoding
package import VectorSearch

/// The scores of every system for the topics of one set.
package struct RetrievalRun {
    private let set: RetrievalSet
    private let plain: BM25
    private let words: WordRanking
    /// By precision and topic, the cosines of the query with the documents that are ranked for it, in their order.
    private var cosines: [String: [[Float]]] = [:]
    /// By precision and topic, what a catalogue on the disk scores, by the documents' ids.
    private var catalogues: [String: [[String: Double]]] = [:]

    package init(_ set: RetrievalSet) {
        self.set = set
        plain = BM25(fingerprints: set.documents.map { PlainWords.words(of: $0.text).map(Fingerprint.of) })
        words = WordRanking(
            set.documents.map { FieldedText(title: $0.title, tags: $0.tags, body: $0.body) }
        )
    }

    /// Takes up an encoder's vectors of the topics' queries and of the documents.
    package mutating func add(
        precision: String,
        queries: [Embedding],
        documents: [Embedding]
    ) throws(VectorSearchError) {
        let engine = KernelSimilarity()
        if set.topics.allSatisfy({ $0.candidates != nil }) {
            // All pairs of many queries with many documents would be gigabytes, of which next to none are asked for.
            cosines[precision] = try zip(set.topics, queries).map { topic, query throws(VectorSearchError) in
                try engine.similarities(of: [query], to: places(of: topic).map { documents[$0] }).values
            }
        } else {
            let table = try engine.similarities(of: queries, to: documents)
            cosines[precision] = set.topics.indices.map { row in
                places(of: set.topics[row]).map { table[row, $0] }
            }
        }
    }

    /// Makes a catalogue of the documents in a folder, and asks it for each topic.
    package mutating func search(
        precision: String,
        queries: [Embedding],
        documents: [Embedding],
        in folder: String
    ) throws(CatalogueError) {
        let catalogue = try CatalogueFolder(set, vectors: documents, in: folder)
        catalogues[precision] = try zip(set.topics, queries).map { topic, query throws(CatalogueError) in
            try catalogue.scores(of: topic, vector: query)
        }
    }

    private func places(of topic: RetrievalTopic) -> [Int] { topic.candidates ?? Array(set.documents.indices) }

    /// Everything that can be measured with what there is.
    package var systems: [RetrievalSystem] {
        [.constant, .random, .plainWords, .words]
            + cosines.keys.sorted().flatMap { [.dense($0), .sum($0), .ranks($0)] }
            + catalogues.keys.sorted().map { .catalogue($0) }
    }

    /// The metrics of one system, topic by topic.
    package func metrics(of system: RetrievalSystem) throws(RankingError) -> [RankingMetrics] {
        var metrics: [RankingMetrics] = []
        metrics.reserveCapacity(set.topics.count)
        for place in set.topics.indices {
            let topic = set.topics[place]
            let documents = places(of: topic)
            let scores = scores(of: system, topic: place, documents: documents)
            let scored = zip(documents, scores).map { (id: set.documents[$0].id, score: $1) }
            metrics.append(RankingMetrics(try CanonicalRanking(scored: scored, ties: .descendingID), topic.grades))
        }
        return metrics
    }

    private func scores(of system: RetrievalSystem, topic: Int, documents: [Int]) -> [Double] {
        let query = set.topics[topic].query
        switch system {
        case .constant: return documents.map { _ in 0 }
        case .random:
            var generator = SeededGenerator(seed: UInt64(topic))
            return documents.map { _ in generator.unit() }
        case .plainWords:
            let scores = plain.scores(ofFingerprints: PlainWords.words(of: query).map(Fingerprint.of))
            return documents.map { scores[$0] }
        case .words:
            let scores = words.scores(for: query)
            return documents.map { scores[$0] }
        case .dense(let precision):
            guard let rows = cosines[precision] else { preconditionFailure("\(precision) was not added") }
            return rows[topic].map(Double.init)
        case .sum(let precision): return ScoreFusion.sum(parts(precision, topic: topic, documents: documents))
        case .ranks(let precision):
            return ScoreFusion.reciprocalRanks(parts(precision, topic: topic, documents: documents))
        case .catalogue(let precision):
            guard let found = catalogues[precision] else { preconditionFailure("no catalogue was searched") }
            return documents.map { found[topic][set.documents[$0].id] ?? 0 }
        }
    }

    private func parts(_ precision: String, topic: Int, documents: [Int]) -> [[Double]] {
        [.words, .dense(precision)].map { scores(of: $0, topic: topic, documents: documents) }
    }
}

extension ScoreFusion {
    /// The customary constant: the first of a list is worth little more than the tenth.
    static let usualDamping = 60.0

    /// The sum of 1 / (damping + rank) over the lists; equal scores share the mean of their ranks.
    static func reciprocalRanks(_ lists: [[Double]], damping: Double = usualDamping) -> [Double] {
        guard let count = lists.first?.count else { return [] }
        precondition(lists.allSatisfy { $0.count == count }, "scores of different items were to be added")
        var sums = [Double](repeating: 0, count: count)
        for list in lists {
            let order = list.indices.sorted { (list[$1], $0) < (list[$0], $1) }
            var start = 0
            while start < count {
                var end = start + 1
                while end < count, list[order[end]] == list[order[start]] { end += 1 }
                // The ranks start + 1 to end.
                let rank = Double(start + 1 + end) / 2
                for place in order[start..<end] { sums[place] += 1 / (damping + rank) }
                start = end
            }
        }
        return sums
    }
}
