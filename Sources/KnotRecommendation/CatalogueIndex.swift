import Catalogue
import KnotDomain
import VectorSearch

/// Offers made ready to be searched, by words and by meaning, by any number of callers at once.
///
/// Words and vectors lie in a folder, which is mapped into memory; no search changes anything.
public struct CatalogueIndex: Sendable {
    private let offers: [Offer]
    private let snapshot: CatalogueSnapshot
    private let format: VectorFormat?

    /// So many are ranked for each phrase at least, by words and by meaning.
    private static let usualDepth = 200
    private static let mostFound = 1_000
    private static let mostPhrases = 64

    /// Builds an index of offers in a folder, in place of the one that is there; its parent folder has to exist.
    ///
    /// Throws where there are no offers, two have one id, vectors do not fit each other, or the folder holds anything else.
    public init(_ offers: [IndexedOffer], folder: String, threads: Int = 1) throws(RecommenderError) {
        guard !offers.isEmpty else {
            throw RecommenderError(.offer, "offers: there are none; give at least one, or remove the folder \(folder)")
        }
        var places: [CandidateID: Int] = [:]
        var format: VectorFormat?
        var items: [CatalogueItem] = []
        for (place, indexed) in offers.enumerated() {
            let candidate = indexed.offer.candidate
            if let first = places.updateValue(place, forKey: candidate.id) {
                throw RecommenderError(
                    .offer,
                    "offers[\(place)].id: \"\(candidate.id.text)\" is the id of offers[\(first)]; give each its own"
                )
            }
            guard let vector = indexed.vector else {
                items.append(CatalogueItem(candidate))
                continue
            }
            let own = format ?? VectorFormat(count: vector.values.count, model: vector.model)
            format = own
            items.append(CatalogueItem(candidate, vector: try own.embedding(vector, .offer, "offers[\(place)].vector")))
        }
        self.offers = offers.map(\.offer)
        self.format = format
        do throws(CatalogueError) {
            let writer = try CatalogueWriter(folder: folder, startsAnew: true, threads: max(1, threads))
            try writer.add(items)
            try writer.commit()
            // As long as there is a writer no other index can be built there, whose numbers are those of other offers.
            snapshot = try withExtendedLifetime(writer) { () throws(CatalogueError) in
                try CatalogueSnapshot(folder: folder)
            }
        } catch {
            throw RecommenderError(.catalogue, error.description)
        }
    }

    /// How many offers there are.
    public var count: Int { offers.count }

    /// What a search finds, the best first, equal ones in the offers' order.
    ///
    /// For each phrase, the scores by words and by meaning are stretched to 0...1 and averaged; an offer has its best.
    public func search(_ search: OfferSearch) throws(RecommenderError) -> [OfferHit] {
        try self.search([search]).first ?? []
    }

    /// What each of several searches finds, as it finds it alone.
    ///
    /// Those with one filter are compared with the offers in one pass.
    public func search(_ batch: [OfferSearch], threads: Int = 1) throws(RecommenderError) -> [[OfferHit]] {
        var passes: [Pass: [Int]] = [:]
        var phrases: [[Phrase]] = []
        for (number, search) in batch.enumerated() {
            phrases.append(try self.phrases(of: search, "searches[\(number)]"))
            let pass = Pass(filter: search.filter, depth: max(Self.usualDepth, search.limit))
            passes[pass, default: []].append(number)
        }
        var hits = [[OfferHit]](repeating: [], count: batch.count)
        for (pass, numbers) in passes {
            var query = SnapshotQuery(numbers.flatMap { phrases[$0] })
            query.filter = try pass.filter.catalogueFilter(of: snapshot.providers, "searches[\(numbers[0])]")
            query.depth = pass.depth
            query.threads = max(1, threads)
            var rankings: ArraySlice<PhraseRanking>
            do throws(CatalogueError) {
                rankings = try snapshot.rankings(query)[...]
            } catch {
                throw RecommenderError(.catalogue, error.description)
            }
            for number in numbers {
                let own = Array(rankings.prefix(phrases[number].count))
                rankings = rankings.dropFirst(own.count)
                hits[number] = joined(own, phrases[number], limit: batch[number].limit)
            }
        }
        return hits
    }

    private typealias Phrase = Catalogue.CatalogueIndex.Phrase

    /// Searches that go through the offers together.
    private struct Pass: Hashable {
        let filter: OfferFilter
        let depth: Int
    }

    private func phrases(of search: OfferSearch, _ place: String) throws(RecommenderError) -> [Phrase] {
        guard (1...Self.mostFound).contains(search.limit) else {
            throw RecommenderError(
                .search,
                "\(place).limit: \(search.limit) is out of range; give 1 to \(Self.mostFound)"
            )
        }
        guard (1...Self.mostPhrases).contains(search.phrases.count) else {
            throw RecommenderError(
                .search,
                "\(place).phrases: there are \(search.phrases.count); give 1 to \(Self.mostPhrases)"
            )
        }
        var phrases: [Phrase] = []
        for (number, phrase) in search.phrases.enumerated() {
            var embedding: Embedding?
            if let vector = phrase.vector {
                let position = "\(place).phrases[\(number)].vector"
                guard let format else {
                    throw RecommenderError(.search, "\(position): no offer has one to compare it with; leave it out")
                }
                embedding = try format.embedding(vector, .search, position)
            }
            phrases.append(Phrase(text: phrase.text, vector: embedding))
        }
        return phrases
    }

    /// One ranking of what phrases found.
    private func joined(_ rankings: [PhraseRanking], _ phrases: [Phrase], limit: Int) -> [OfferHit] {
        var finds: [Int: OfferFind] = [:]
        for (number, ranking) in rankings.enumerated() {
            let weight = 1 - 0.5 * Double(number) / Double(rankings.count)
            for (place, find) in OfferFind.ofPhrase(ranking, hasMeaning: phrases[number].vector != nil) {
                finds[place, default: OfferFind()].take(find, weight: weight)
            }
        }
        let order = finds.sorted { ($1.value.score, $0.key) < ($0.value.score, $1.key) }
        return order.prefix(limit).map { place, find in
            OfferHit(
                offer: offers[place],
                score: find.score,
                isFoundByWords: find.isByWords,
                isFoundByMeaning: find.isByMeaning
            )
        }
    }
}

/// What a search knows of an offer.
private struct OfferFind {
    var score = 0.0
    var isByWords = false
    var isByMeaning = false

    mutating func take(_ find: OfferFind, weight: Double) {
        score = max(score, weight * find.score)
        isByWords = isByWords || find.isByWords
        isByMeaning = isByMeaning || find.isByMeaning
    }

    /// By the number of the offer, what a phrase finds; an offer's ordinal is its number, since all came at once.
    static func ofPhrase(_ ranking: PhraseRanking, hasMeaning: Bool) -> [Int: OfferFind] {
        var finds: [Int: OfferFind] = [:]
        let share = hasMeaning ? 0.5 : 1
        if let most = ranking.words.first?.score, most > 0 {
            for rank in ranking.words {
                finds[Int(rank.ordinal)] = OfferFind(score: share * rank.score / most, isByWords: true)
            }
        }
        guard let most = ranking.near.first?.score, let least = ranking.near.last?.score else { return finds }
        for rank in ranking.near {
            let isNear = rank.score > 0
            // Nothing is related by chance alone: what points another way is found by its words or not at all.
            guard isNear || finds[Int(rank.ordinal)] != nil else { continue }
            let score = most > least ? (rank.score - least) / (most - least) : 1
            finds[Int(rank.ordinal), default: OfferFind()].score += share * score
            if isNear { finds[Int(rank.ordinal)]?.isByMeaning = true }
        }
        return finds
    }
}

/// What all vectors of an index have in common.
private struct VectorFormat: Sendable {
    let count: Int
    let model: String

    /// A vector as the kernels take it; throws, with its place, where it is none of this index.
    func embedding(
        _ vector: MeaningVector,
        _ code: RecommenderError.Code,
        _ place: String
    ) throws(RecommenderError) -> Embedding {
        guard vector.model == model else {
            throw RecommenderError(code, "\(place): is of model \(vector.model); make it by \(model) as the others")
        }
        guard vector.values.count == count, (1...Embedding.dimension).contains(count) else {
            let limit = Embedding.dimension
            throw RecommenderError(
                code,
                "\(place): has \(vector.values.count) numbers; give \(count) as the others have, at most \(limit)"
            )
        }
        let padded = vector.values + [Float](repeating: 0, count: Embedding.dimension - count)
        guard let embedding = Embedding(padded, model: model), embedding.norm > 0 else {
            throw RecommenderError(code, "\(place): is nowhere; give finite numbers, not all of them 0")
        }
        return embedding
    }
}
