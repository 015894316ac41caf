import Catalogue
import KnotDomain
import TextEncoding
import VectorSearch

/// A set's documents as a catalogue on the disk, which is searched for its topics as a run searches it.
struct CatalogueFolder {
    private let snapshot: CatalogueSnapshot
    /// As deep as a run ranks for a phrase.
    private static let usualDepth = SnapshotQuery([]).depth

    /// Makes the catalogue anew in a folder.
    init(_ set: RetrievalSet, vectors: [Embedding], in folder: String) throws(CatalogueError) {
        let writer = try CatalogueWriter(folder: folder, startsAnew: true)
        try writer.add(zip(set.documents, vectors).map { CatalogueItem(Self.offer($0), vector: $1) })
        try writer.commit()
        snapshot = try CatalogueSnapshot(folder: folder)
    }

    /// The scores of what is found for a query, by the documents' ids; what is to be ranked in full is found in full.
    func scores(of topic: RetrievalTopic, vector: Embedding) throws(CatalogueError) -> [String: Double] {
        var query = SnapshotQuery([CatalogueIndex.Phrase(text: topic.query, vector: vector)])
        query.depth = topic.candidates == nil ? Self.usualDepth : snapshot.count
        query.limit = 2 * query.depth
        let hits = try snapshot.search(query).hits
        let ids = try snapshot.offers(hits).map(\.item.candidate.id.text)
        return Dictionary(zip(ids, hits.map(\.score))) { first, _ in first }
    }

    /// An offer has a title: the whole text where a document has none.
    private static func offer(_ document: RetrievalDocument) -> Candidate {
        let body = document.body.filter { !$0.isEmpty }.joined(separator: ". ")
        let hasTitle = !document.title.isEmpty
        return Candidate(
            id: CandidateID(document.id),
            provider: .catalogue,
            type: .gift,
            title: hasTitle ? document.title : body,
            description: hasTitle ? body : nil,
            url: "https://offers.example/",
            imageURL: nil,
            priceCents: nil,
            currency: .usd,
            merchant: nil,
            location: nil,
            startsAt: nil,
            rating: nil,
            reviewCount: nil,
            shipsInDays: nil,
            tags: document.tags
        )
    }
}
