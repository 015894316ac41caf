import Digest
package import JSONDocument
package import StageGraph
import TextEncoding
import TextReading
package import VectorSearch

/// Where a pool's offers lie in meaning: how near each is to every phrase and prototype of the run.
package struct EmbeddingFeatures: Sendable {
    /// The offers that have words to go by, with the places of their rows.
    private let table: ItemTable
    /// The row of each item, by its number.
    private let rows: [Int]
    /// The place of each text.
    private let columns: [String: Int]
    private let cosines: SimilarityTable
    /// What the cosines mean.
    private let profile: CosineProfile
    /// One vector for each row.
    package let vectors: [Embedding]

    /// Nothing is known of anything: there was no encoder, or it failed.
    package static let unknown = EmbeddingFeatures()

    private init() {
        table = ItemTable()
        rows = []
        columns = [:]
        cosines = SimilarityTable(rowCount: 0, columnCount: 0, values: [])
        profile = .reference
        vectors = []
    }

    /// `cosines` has a row for each vector and a column for each text.
    init(
        _ offers: [(item: ItemID, row: Int)],
        vectors: [Embedding],
        columns: [String: Int],
        cosines: SimilarityTable,
        profile: CosineProfile = .reference
    ) {
        precondition(
            cosines.rowCount == vectors.count && cosines.columnCount == columns.count,
            "a table of cosines needs a row for each vector and a column for each text"
        )
        var table = ItemTable(capacity: offers.count)
        var rows: [Int] = []
        for offer in offers where table.insert(offer.item).isNew { rows.append(offer.row) }
        self.table = table
        self.rows = rows
        self.columns = columns
        self.cosines = cosines
        self.profile = profile
        self.vectors = vectors
    }

    package var isKnown: Bool { !vectors.isEmpty }

    /// The row of an item; nil for one that has no words.
    package func row(of item: ItemID) -> Int? { table[item].map { rows[$0] } }

    /// The column of a text as it was given; nil for one without words.
    package func column(of text: String) -> Int? { columns[MeaningText.of(phrase: text)] }

    /// The cosine of a row with a column, on the scale that thresholds are on.
    package func cosine(_ row: Int, _ column: Int) -> Double { profile(Double(cosines[row, column])) }

    /// What a cosine of two of the vectors is on that scale.
    package func meant(_ cosine: Float) -> Double { profile(Double(cosine)) }
}

/// One call to an embedder, named by the model and a digest of the texts, which may be private.
package enum EmbedderCall {
    package static func key(of texts: [String], model: String) -> JSONValue {
        let digest = SHA256Digest(of: JSONWriter.bytes(JSONValue(texts), style: .canonical)).hex
        return ["model": .string(model), "texts": .string(digest)]
    }

    /// Reads the answer of a recording, with nil for each text that there was no time for.
    package static func vectors(in answer: JSONValue) -> [Embedding?]? {
        EffectCodec<[Embedding?]>.embeddings.decode(answer)
    }
}
