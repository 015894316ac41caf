import Glibc
import JSONDocument
package import KnotDomain
import Recommendation
import TextEncoding
import TextReading
package import VectorSearch

/// An offer of a catalogue with the vector of its text, where it has one.
package struct CatalogueItem: Sendable {
    package let candidate: Candidate
    package let vector: Embedding?
    /// Whether who looked at its page was turned away, so that nobody knows if it can be had.
    package let isBlocked: Bool

    package init(_ candidate: Candidate, vector: Embedding? = nil, isBlocked: Bool = false) {
        self.candidate = candidate
        self.vector = vector
        self.isBlocked = isBlocked
    }

    /// As a file of offers would have it.
    var json: JSONValue {
        var fields = candidate.json.object ?? JSONObject()
        if isBlocked { fields["check"] = .string(CatalogueOffer.blocked) }
        return .object(fields)
    }

    /// What its vector is made of; empty where nothing of it is words.
    package var text: String { MeaningText.of(candidate) }
}

/// An item as a segment keeps it: the words it is found by, counted, and what filters ask of it.
struct IndexedItem: Sendable {
    /// A word's fingerprint and how often it counts.
    struct Term: Sendable {
        let fingerprint: UInt64
        let times: UInt32
    }

    let id: CandidateID
    let json: [UInt8]
    let candidate: Candidate
    let vector: Embedding?
    /// Each word once.
    let terms: [Term]
    /// How many words it counts, those of the title three times and those of the tags twice.
    let length: Int
    /// What it costs two people, in its currency; nil where nothing says so.
    let totalCents: Int?
    let merchant: UInt32
    /// Rises from item to item in the order in which they came; what is equal in all else is ordered by it.
    var ordinal: UInt64 = 0

    /// Of an item's description no more is read.
    static let mostWords = 400

    init(_ item: CatalogueItem, json: [UInt8]) {
        candidate = item.candidate
        id = candidate.id
        self.json = json
        vector = item.vector.flatMap { $0.norm > 0 ? $0 : nil }
        totalCents = OfferPrice(candidate).totalCents
        merchant = Self.merchantNumber(candidate.merchant)
        let fields = Self.fields(of: candidate)
        length = fields.reduce(0) { $0 + $1.times * $1.fingerprints.count }
        terms = Self.counted(fields, length: length)
    }

    /// The words of an item as `WordRanking` weighs them.
    static func fields(of candidate: Candidate) -> [BM25.Field] {
        WordRanking.fields(
            of: FieldedText(
                title: candidate.title,
                tags: candidate.tags,
                body: [candidate.merchant, candidate.description].compactMap { $0 }
            ),
            limit: mostWords
        )
    }

    private static func counted(_ fields: [BM25.Field], length: Int) -> [Term] {
        var all: [(fingerprint: UInt64, times: Int)] = []
        all.reserveCapacity(length)
        for field in fields { for fingerprint in field.fingerprints { all.append((fingerprint, field.times)) } }
        all.sort { $0.fingerprint < $1.fingerprint }
        var terms: [Term] = []
        terms.reserveCapacity(all.count)
        var index = 0
        while index < all.count {
            let fingerprint = all[index].fingerprint
            var times = 0
            while index < all.count, all[index].fingerprint == fingerprint {
                times += all[index].times
                index += 1
            }
            terms.append(Term(fingerprint: fingerprint, times: UInt32(clamping: times)))
        }
        return terms
    }

    /// 0 for no merchant.
    private static func merchantNumber(_ name: String?) -> UInt32 {
        guard let name, !name.isEmpty else { return 0 }
        return UInt32(truncatingIfNeeded: Fingerprint.of(name.lowercased())) | 1
    }
}

/// Why a catalogue on the disk cannot be used, and where.
package struct CatalogueError: Error, Sendable, Equatable, CustomStringConvertible {
    package enum Code: String, Sendable {
        /// There is nothing of that name, or no catalogue in it.
        case missing
        case notPermitted = "not_permitted"
        /// The system would not read or map something.
        case unreadable
        /// The system would not write something; what was there before is as it was.
        case unwritable
        /// The folder holds other files and no catalogue.
        case occupied
        /// Another process writes to it at this moment.
        case inUse = "in_use"
        /// It was written by a later version of this format.
        case newer
        /// What is there is not what was written.
        case damaged
        /// Its vectors are of another model than the one that is asked with.
        case otherModel = "other_model"
        case outOfMemory = "out_of_memory"
        /// The file of vectors that was named is not there.
        case noVectors = "no_vectors"
        /// That file is none of embeddings, or is not as it was written.
        case badVectors = "bad_vectors"
        /// The folder that a new one was to be in is missing, or a link leads nowhere.
        case nowhere
    }

    package let code: Code
    /// The folder or the file in it.
    package let path: String
    package let detail: String

    package init(_ code: Code, _ path: String, _ detail: String) {
        self.code = code
        self.path = path
        self.detail = detail
    }

    package var description: String { "\(path): \(detail)" }
}

/// Vectors that lie in a file of embeddings, found by their offers' ids.
package final class VectorsByID {
    private let path: String
    private let matrix: EmbeddingMatrix
    private let rows: [UInt64: Int32]
    private var used: RowBitmap

    package init(_ path: String) throws(CatalogueError) {
        self.path = path
        do throws(VectorSearchError) {
            matrix = try EmbeddingMatrix(contentsOf: path)
            // All of it now: what is damaged is told before a folder is made or changed.
            try matrix.verify()
        } catch {
            throw Self.failure(error, path)
        }
        guard matrix.dimension <= Embedding.dimension else {
            let detail = "its vectors have \(matrix.dimension) numbers, and \(Embedding.dimension) are the most"
            throw CatalogueError(.badVectors, path, detail)
        }
        var rows: [UInt64: Int32] = [:]
        rows.reserveCapacity(matrix.count)
        for row in 0..<matrix.count { rows[Fingerprint.of(matrix.id(ofRow: row))] = Int32(row) }
        self.rows = rows
        used = RowBitmap(rowCount: matrix.count)
    }

    /// It is no catalogue that cannot be used.
    private static func failure(_ error: VectorSearchError, _ path: String) -> CatalogueError {
        let known = CatalogueError(error, path)
        switch known.code {
        case .unreadable where unsafe access(path, F_OK) != 0 && errno == ENOENT:
            return CatalogueError(.noVectors, path, SystemFault.last)
        case .damaged, .unreadable, .newer: return CatalogueError(.badVectors, path, known.detail)
        default: return known
        }
    }

    /// How many there are, and how many of them an offer was given.
    package var counts: (all: Int, used: Int) { (matrix.count, used.count) }

    /// How many numbers each has.
    var dimension: Int { matrix.dimension }
    var model: String { matrix.model }

    /// Nil where there is none.
    package func vector(of id: CandidateID) throws(CatalogueError) -> Embedding? {
        guard let row = rows[Fingerprint.of(id.text)], matrix.id(ofRow: Int(row)) == id.text else { return nil }
        do throws(VectorSearchError) {
            let vector = Embedding(padding: try matrix.values(ofRow: Int(row)), model: matrix.model)
            // One that points nowhere is none.
            guard let vector, vector.norm > 0 else { return nil }
            used[Int(row)] = true
            return vector
        } catch {
            throw Self.failure(error, path)
        }
    }
}

extension Embedding {
    /// A vector whose last numbers were left away since they are 0; nil where it has too many.
    init?(padding values: [Float], model: String) {
        guard values.count <= Self.dimension else { return nil }
        self.init(values + [Float](repeating: 0, count: Self.dimension - values.count), model: model)
    }
}
