import KnotDomain
package import VectorSearch

/// Finds out what a model's cosines mean, by what is known without it: which prototypes belong to one interest, and which
/// interest the lexicon gives a term to.
package struct ModelCalibration: Sendable {
    /// What calibrating found.
    package struct Findings: Sendable, Equatable {
        /// How often, of a related and an unrelated pair, the related one lies nearer: 1 is always, and vectors drawn at
        /// random come to 0.7, since a term is held against the best of its interest's texts.
        package let certainty: Double
        /// Cosines below which the given shares of unrelated and of related pairs lie.
        package let unrelated: [Double]
        package let related: [Double]
        package let pairCount: Int

        /// Nil where the model cannot tell what is related from what is not.
        package var profile: CosineProfile? {
            guard certainty >= ModelCalibration.leastCertainty else { return nil }
            let marks = zip(unrelated + related, Self.reference.unrelated + Self.reference.related)
                .map { CosineProfile.Mark(own: $0, reference: $1) }
            return CosineProfile(through: marks.sorted { $0.reference < $1.reference })
        }
    }

    /// A model that is right less often would drop good offers and keep bad ones.
    package static let leastCertainty = 0.9

    /// The shares that marks stand at.
    private static let unrelatedShares = [0.05, 0.5, 0.95]
    private static let relatedShares = [0.5, 0.95]
    /// Terms of the lexicon for each interest: enough to tell, and embedded in a second or two.
    private static let termsOfEach = 10

    private let subjects: [KnownInterest]
    private let prototypes: [[String]]
    private let terms: [[String]]

    package init(prototypes: Prototypes = .shared, lexicon: Lexicon = .shared) {
        var subjects: [KnownInterest] = []
        var texts: [[String]] = []
        for (subject, range) in zip(prototypes.subjects, prototypes.ranges) {
            guard case .interest(let interest) = subject else { continue }
            subjects.append(interest)
            texts.append(Array(prototypes.texts[range]))
        }
        self.subjects = subjects
        self.prototypes = texts
        // A term that several interests share tells nothing.
        var owners: [String: Set<KnownInterest>] = [:]
        let entries = lexicon.entries
        for entry in entries {
            if case .interest(let interest) = entry.subject, entry.role != .lookAlike {
                owners[entry.phrase.text, default: []].insert(interest)
            }
        }
        terms = subjects.map { subject in
            var own: [String] = []
            for entry in entries where entry.subject == .interest(subject) && entry.role == .evidence(.strong) {
                let text = entry.phrase.text
                if own.count < Self.termsOfEach, owners[text]?.count == 1, !own.contains(text) { own.append(text) }
            }
            return own
        }
    }

    /// What is to be embedded, each text once.
    package var texts: [String] {
        var seen: Set<String> = []
        return (prototypes + terms).flatMap { $0 }.filter { seen.insert($0).inserted }
    }

    /// What the vectors of all texts say; nil when one is missing.
    package func findings(_ vectors: [String: Embedding]) -> Findings? {
        let prototypes = prototypes.map { $0.compactMap { vectors[$0] } }
        let terms = terms.map { $0.compactMap { vectors[$0] } }
        guard zip(prototypes, self.prototypes).allSatisfy({ $0.count == $1.count }),
            zip(terms, self.terms).allSatisfy({ $0.count == $1.count })
        else { return nil }
        var related: [Double] = []
        var unrelated: [Double] = []
        for (place, own) in prototypes.enumerated() {
            for (number, text) in own.enumerated() {
                for other in own[(number + 1)...] { related.append(Self.cosine(text, other)) }
                for others in prototypes[(place + 1)...] { unrelated += others.map { Self.cosine(text, $0) } }
            }
            for term in terms[place] {
                for (subject, texts) in prototypes.enumerated() {
                    let cosines = texts.map { Self.cosine(term, $0) }
                    if subject == place {
                        // One of an interest's texts is what the term is about; the others may be about something else in it.
                        related.append(cosines.max() ?? 0)
                    } else {
                        unrelated += cosines
                    }
                }
            }
        }
        related.sort()
        unrelated.sort()
        guard let first = related.first, first.isFinite, let lowest = unrelated.first, lowest.isFinite else {
            return nil
        }
        return Findings(
            certainty: Self.certainty(related, over: unrelated),
            unrelated: Self.unrelatedShares.map { Self.value(at: $0, of: unrelated) },
            related: Self.relatedShares.map { Self.value(at: $0, of: related) },
            pairCount: related.count + unrelated.count
        )
    }

    private static func cosine(_ left: Embedding, _ right: Embedding) -> Double {
        var product = 0.0
        for (one, other) in zip(left.values, right.values) { product += Double(one) * Double(other) }
        let norms = Double(left.norm) * Double(right.norm)
        return norms > 0 ? product / norms : 0
    }

    /// The share of pairs of pairs that stand in the right order, ties counting half; both lists rise.
    private static func certainty(_ related: [Double], over unrelated: [Double]) -> Double {
        var (below, same, wins) = (0, 0, 0.0)
        for value in related {
            while below < unrelated.count, unrelated[below] < value { below += 1 }
            same = max(same, below)
            while same < unrelated.count, unrelated[same] <= value { same += 1 }
            wins += Double(below) + Double(same - below) / 2
        }
        return wins / (Double(related.count) * Double(unrelated.count))
    }

    private static func value(at share: Double, of rising: [Double]) -> Double {
        rising[Int((share * Double(rising.count - 1)).rounded())]
    }
}

extension ModelCalibration.Findings {
    /// What the reference model's own calibration finds.
    static let reference = ModelCalibration.Findings(
        certainty: 0.982,
        unrelated: [-0.022, 0.103, 0.289],
        related: [0.526, 0.797],
        pairCount: 0
    )
}
