import Glibc

/// Okapi BM25 over a small collection, scored for all documents at once through an inverted index.
///
/// A term weighs ln(1 + (N − n + ½) / (n + ½)); a query's repeated terms count once. Scores are exact and do not depend on
/// the order of the query's terms beyond floating point: they are added in the query's order.
package struct BM25: Sendable {
    private static let saturation = 1.2
    private static let lengthWeight = 0.75

    /// How many documents the collection holds.
    package let count: Int
    private let termNumbers: FingerprintTable
    private let termWeights: [Double]
    private let given: WordWeights?
    /// Postings of term t are at `starts[t]..<starts[t + 1]`.
    private let starts: [Int]
    private let documents: [Int32]
    private let impacts: [Double]

    /// Fingerprints that count as if they stood in their document so many times.
    package struct Field: Sendable {
        package let fingerprints: [UInt64]
        package let times: Int

        package init(_ fingerprints: [UInt64], times: Int = 1) {
            self.fingerprints = fingerprints
            self.times = times
        }
    }

    /// Indexes lists of fingerprints as they are.
    package init(fingerprints collection: [[UInt64]]) {
        self.init(fields: collection.map { [Field($0)] })
    }

    /// Indexes documents made of fields.
    ///
    /// With given weights, neither a term's weight nor what length is usual depends on the other documents.
    package init(fields collection: [[Field]], weights given: WordWeights? = nil) {
        count = collection.count
        self.given = given
        let most = collection.reduce(0) { $0 + $1.reduce(0) { $0 + $1.fingerprints.count } }
        var numbers = FingerprintTable(capacity: min(4_096, most / 2 + 16))
        var terms: [(number: Int32, document: Int32, times: Int32)] = []
        terms.reserveCapacity(most)
        var holders: [Int] = []
        var givenWeights: [Double] = []
        var lastHolder: [Int32] = []
        var sizes: [Int] = []
        for (document, fields) in collection.enumerated() {
            var size = 0
            for field in fields where field.times > 0 {
                size += field.times * field.fingerprints.count
                for fingerprint in field.fingerprints {
                    let number = numbers.number(of: fingerprint)
                    if number == holders.count {
                        holders.append(0)
                        lastHolder.append(-1)
                        if let given { givenWeights.append(given.weight(of: fingerprint)) }
                    }
                    terms.append((Int32(number), Int32(document), Int32(field.times)))
                    if lastHolder[number] != Int32(document) {
                        lastHolder[number] = Int32(document)
                        holders[number] += 1
                    }
                }
            }
            sizes.append(size)
        }
        termNumbers = numbers
        // Most terms share their number of holders with many others, and a logarithm is dear.
        var weights: [Double] = []
        let ownWeights = { [count] (held: Int) in
            while weights.count <= held { weights.append(Self.weight(holders: weights.count, of: count)) }
            return weights[held]
        }
        termWeights = given == nil ? holders.map(ownWeights) : givenWeights
        let average = given?.usualLength ?? (count == 0 ? 0 : Double(sizes.reduce(0, +)) / Double(count))
        let dampings = sizes.map { Self.damping(ofLength: $0, average: average) }
        var starts = [0]
        starts.reserveCapacity(holders.count + 1)
        for held in holders { starts.append(starts[starts.count - 1] + held) }
        let total = starts[starts.count - 1]
        // Terms come in the documents' order, so a term's last posting is the only one that can be the same document's.
        var ends = starts
        var documents = [Int32](repeating: -1, count: total)
        var impacts = [Double](repeating: 0, count: total)
        for (number, document, times) in terms {
            let term = Int(number)
            if ends[term] == starts[term] || documents[ends[term] - 1] != document {
                documents[ends[term]] = document
                ends[term] += 1
            }
            impacts[ends[term] - 1] += Double(times)
        }
        for term in holders.indices {
            for place in starts[term]..<starts[term + 1] {
                let often = impacts[place]
                let damping = often + dampings[Int(documents[place])]
                impacts[place] = Self.numerator(of: often, weight: termWeights[term]) / damping
            }
        }
        self.starts = starts
        self.documents = documents
        self.impacts = impacts
    }

    /// One score per document, in their order; 0 where no term of the query occurs.
    package func scores(ofFingerprints query: [UInt64]) -> [Double] {
        var scores = [Double](repeating: 0, count: count)
        for number in numbers(of: query) {
            for place in starts[number]..<starts[number + 1] {
                scores[Int(documents[place])] += impacts[place]
            }
        }
        return scores
    }

    /// What a document of average length with every term once would score, unknown terms included.
    ///
    /// Divide by it and clamp to 1 to compare scores of different queries: a short document or a repeated term may exceed it.
    func idealScore(ofFingerprints query: [UInt64]) -> Double {
        var sum = 0.0
        for (index, fingerprint) in query.enumerated() where !query[..<index].contains(fingerprint) {
            sum += weight(of: fingerprint)
        }
        return sum
    }

    /// Scores divided by the ideal and clamped to 0...1; an empty query scores 0 everywhere.
    package func normalizedScores(ofFingerprints query: [UInt64]) -> [Double] {
        var scores = scores(ofFingerprints: query)
        let ideal = idealScore(ofFingerprints: query)
        for place in scores.indices { scores[place] = ideal > 0 ? min(1, scores[place] / ideal) : 0 }
        return scores
    }

    /// The documents in which the term with this fingerprint occurs, in their order.
    package func holders(of fingerprint: UInt64) -> [Int] {
        guard let number = termNumbers[fingerprint] else { return [] }
        return documents[starts[number]..<starts[number + 1]].map(Int.init)
    }

    /// The weight of a term in this collection: rarer is heavier, unknown is heaviest.
    package func weight(of fingerprint: UInt64) -> Double {
        if let given { return given.weight(of: fingerprint) }
        return termNumbers[fingerprint].map { termWeights[$0] } ?? Self.weight(holders: 0, of: count)
    }

    private func numbers(of query: [UInt64]) -> [Int] {
        var numbers: [Int] = []
        for fingerprint in query {
            if let number = termNumbers[fingerprint], !numbers.contains(number) { numbers.append(number) }
        }
        return numbers
    }

    /// The weight of a term that so many of all documents hold.
    package static func weight(holders: Int, of count: Int) -> Double {
        log(1 + (Double(count - holders) + 0.5) / (Double(holders) + 0.5))
    }

    /// How much a document's length dampens its terms: what is added to a term's count to divide by.
    package static func damping(ofLength size: Int, average: Double) -> Double {
        saturation * (1 - lengthWeight + (average > 0 ? lengthWeight * Double(size) / average : 0))
    }

    /// What a term that a document holds so often adds to its score, times its count and its damping together.
    package static func numerator(of often: Double, weight: Double) -> Double { weight * often * (saturation + 1) }
}
