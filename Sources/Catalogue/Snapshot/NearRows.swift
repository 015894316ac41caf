import TextEncoding
import VectorSearch

/// The vectors of a query's phrases, cut to the numbers that a segment keeps.
struct AskedVectors: Sendable {
    /// One vector after the other, without padding.
    private(set) var packed: [Float] = []
    /// The kept numbers' length as a share of the whole vector's, for each phrase; `nil` for a phrase without a vector.
    private(set) var shares: [Float?] = []

    init(_ query: SnapshotQuery, _ matrix: EmbeddingMatrix) {
        let dimension = matrix.dimension
        for phrase in query.phrases {
            guard let vector = phrase.vector, vector.model == matrix.model, vector.norm > 0 else {
                shares.append(nil)
                continue
            }
            let isWhole = !vector.values[dimension...].contains { $0 != 0 }
            let share = isWhole ? 1 : vector.share(ofFirst: dimension)
            if share > 0 { packed += vector.values[..<dimension] }
            shares.append(share)
        }
    }

    /// The least cosine to look for, which says nothing about vectors that were cut.
    func floor(_ least: Float) -> Float { shares.allSatisfy { $0 ?? 1 == 1 } ? least : -.infinity }

    /// Assigns what was found for each vector to its phrase, scaled by its share.
    func byPhrase<Found>(_ found: [[Found]], scaled: (Found, Float) -> Found) -> [[Found]?] {
        var found = found[...]
        return shares.map { share in
            guard let share else { return nil }
            guard share > 0, let own = found.popFirst() else { return [] }
            return share == 1 ? own : own.map { scaled($0, share) }
        }
    }
}

/// The rows of one segment that may be among the nearest of the whole catalogue.
///
/// Byte codes rank rows nearly as well as the rows themselves, in a quarter of the bytes. Each segment first bounds its rows
/// by codes. The bounds of all segments together rule out most rows, and a search reads only the others.
struct NearRows: Sendable {
    /// The rows that may be among the nearest, for each phrase.
    private let suspects: [[Suspect]?]

    /// So few rows are all searched: their bounds rule out hardly any.
    static func areFew(_ rows: Int, _ query: SnapshotQuery) -> Bool { rows <= 8 * query.depth }

    /// Returns `nil` for a segment that has no codes, or few allowed rows.
    init?(
        _ segment: CatalogueSegment,
        _ allowed: RowBitmap,
        _ query: SnapshotQuery,
        above floors: inout SearchFloors
    ) throws(CatalogueError) {
        guard let index = segment.vectors, index.readsFewRows else { return nil }
        let asked = AskedVectors(query, index.matrix)
        let rows = allowed.prefix(segment.layout.vectorCount)
        guard !asked.packed.isEmpty, !Self.areFew(rows.count, query) else { return nil }
        do throws(VectorSearchError) {
            let floor = asked.floor(floors.cosine)
            let found = try index.suspects(asked.packed.span, limit: query.depth, atLeast: floor, among: rows)
            suspects = asked.byPhrase(found) { $0.times($1) }
        } catch {
            throw CatalogueError(error, segment.path)
        }
        floors.rise(byMeaning: suspects.map { $0?.map { Double($0.least) } })
    }

    /// Returns the rows that reach the cut of any phrase.
    func rows(of count: Int, atLeast cuts: [Float]) -> RowBitmap {
        var rows = RowBitmap(rowCount: count)
        for (suspects, cut) in zip(suspects, cuts) {
            for suspect in suspects ?? [] where suspect.most >= cut { rows[suspect.row] = true }
        }
        return rows
    }
}

extension Embedding {
    /// The length of the first numbers as a share of the whole length.
    fileprivate func share(ofFirst count: Int) -> Float {
        Float(values[..<count].reduce(0.0) { $0 + Double($1) * Double($1) }.squareRoot() / norm)
    }
}
