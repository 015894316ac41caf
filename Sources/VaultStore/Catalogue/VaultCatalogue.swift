import Catalogue
import Digest
import JSONDocument
import KnotDomain
import PostgresClient
import Recommendation
import TextReading
import VectorSearch

/// What the catalogue's table holds for one vault alone, read with the vault in the same round trip.
///
/// While nothing is shared by everybody, it answers every search and every look without asking the database again.
package struct VaultCatalogue: Sendable {
    /// In the table's order.
    let items: FoundItems
    /// True where the vault's own items are more than one reading takes.
    let isCut: Bool
    /// True where everybody's items are in the table, so that a search has to look at them.
    package let hasShared: Bool
    /// By item, what a look at its page would find.
    private let looks: [CandidateID: Look]

    private struct Look: Sendable {
        let provider: ProviderName
        let probe: AvailabilityProbe
    }

    /// The results of `CatalogueStatements.catalogue`.
    init(_ own: Rows, _ shared: Rows, model: String?) throws(PostgresError) {
        var items = FoundItems(model: model)
        let places = try items.addAll(own)
        var looks: [CandidateID: Look] = [:]
        for (index, place) in places.enumerated() {
            let row = own[index]
            guard let place else { continue }
            let candidate = items.candidates[place]
            looks[candidate.id] = Look(provider: candidate.provider, probe: try CatalogueChecker.probe(row))
        }
        self.items = items
        self.looks = looks
        isCut = own.count > CatalogueQuery.mostItems
        hasShared = try shared.only().decode("has_shared")
    }

    /// True where not even a broken item is the vault's own.
    var isEmpty: Bool { items.candidates.isEmpty && items.problems.isEmpty }
    /// The vault's own items.
    package var count: Int { items.candidates.count }

    /// By text as an encoder gets it: the vectors that the vault's own items have.
    var vectors: [String: Embedding] {
        var vectors: [String: Embedding] = [:]
        for (candidate, vector) in zip(items.candidates, items.vectors) {
            if let vector { vectors[MeaningText.of(candidate)] = vector }
        }
        return vectors
    }

    /// What a look at the vault's own item would find; nil for any other.
    func probe(_ candidate: Candidate) -> AvailabilityProbe? {
        guard let look = looks[candidate.id], look.provider == candidate.provider else { return nil }
        return look.probe
    }
}

/// Items as the table holds them, made candidates by the validation that files go through.
struct FoundItems: Sendable {
    /// In the order they were first met, each row once.
    private(set) var candidates: [Candidate] = []
    /// For each candidate its vector, where the rows were read with those of a model and it has one.
    private(set) var vectors: [Embedding?] = []
    /// What is wrong with rows that are no candidates; those are left out.
    private(set) var problems: [JSONProblem] = []
    /// By row: its place among the candidates, nil where it is none.
    private var places: [Int: Int?] = [:]
    private var ids: Set<CandidateID> = []
    private var problemsOfProvider: [String: [JSONProblem]] = [:]
    /// The model whose vectors the rows have with them, if any.
    let model: String?

    init(model: String? = nil) {
        self.model = model
    }

    /// Adds rows and returns their places, in their order.
    mutating func add(_ rows: Rows) throws(PostgresError) -> [Int] {
        try addAll(rows).compactMap(\.self)
    }

    /// Adds rows and returns the place of each, nil for what is no candidate.
    mutating func addAll(_ rows: Rows) throws(PostgresError) -> [Int?] {
        var found: [Int?] = []
        found.reserveCapacity(rows.count)
        for index in 0..<rows.count { found.append(try add(one: rows[index])) }
        return found
    }

    /// Adds a row and returns its place, nil for what is no candidate.
    mutating func add(one row: Row) throws(PostgresError) -> Int? {
        let number = try row.decode("id", as: Int.self)
        if let place = places[number] { return place }
        let place = try place(of: row, number)
        if place != nil { vectors.append(try vector(of: row)) }
        places[number] = .some(place)
        return place
    }

    /// The same with only the candidates that a wanted allows, in their order.
    func allowed(by wanted: CatalogueQuery) -> FoundItems {
        var items = FoundItems(model: model)
        for (candidate, vector) in zip(candidates, vectors) where wanted.allows(candidate) {
            items.candidates.append(candidate)
            items.vectors.append(vector)
        }
        items.problems = problemsOfProvider[wanted.provider.rawValue] ?? []
        return items
    }

    private mutating func place(of row: Row, _ number: Int) throws(PostgresError) -> Int? {
        let document: JSONValue
        do throws(PostgresError) {
            document = try Self.document(row)
        } catch {
            // Everybody's items lie in this table: one that cannot be read is left out like one that says nonsense.
            let column = error.place.replacing("column ", with: ".")
            let problem = JSONProblem(path: "catalogue_items[\(number)]\(column)", message: error.detail ?? error.what)
            problems.append(problem)
            problemsOfProvider[try row.decode("provider"), default: []].append(problem)
            return nil
        }
        let reader = JSONReader(document, path: "catalogue_items[\(number)]")
        let candidate = Candidate(reading: reader)
        if !reader.problems.list.isEmpty {
            problems += reader.problems.list
            problemsOfProvider[try row.decode("provider"), default: []] += reader.problems.list
        }
        guard let candidate, ids.insert(candidate.id).inserted else { return nil }
        candidates.append(candidate)
        return candidates.count - 1
    }

    private func vector(of row: Row) throws(PostgresError) -> Embedding? {
        guard let model, let vector = try row.decode("embedding", as: PostgresVector?.self) else { return nil }
        return Embedding(vector.values, model: model)
    }

    private static func document(_ row: Row) throws(PostgresError) -> JSONValue {
        let place = try ["city", "state", "country"].map { name throws(PostgresError) in
            JSONObject.Member(name: name, value: JSONValue(try row.decode("location_\(name)", as: String?.self)))
        }
        return [
            "id": .string(try id(of: row)), "provider": .string(try row.decode("provider")),
            "type": .string(try row.decode("type")), "title": .string(try row.decode("title")),
            "description": JSONValue(try row.decode("description", as: String?.self)),
            "url": .string(try row.decode("url")),
            "image_url": JSONValue(try row.decode("image_url", as: String?.self)),
            "price_cents": JSONValue(try row.decode("price_cents", as: Int?.self)),
            "currency": .string(try row.decode("currency")),
            "merchant": JSONValue(try row.decode("merchant", as: String?.self)),
            "location": place.allSatisfy(\.value.isNull) ? .null : .object(JSONObject(place)),
            "starts_at": JSONValue(try row.decode("starts_at", as: Instant?.self)?.iso8601),
            "rating": JSONValue(try row.decode("rating", as: Double?.self)),
            "review_count": JSONValue(try row.decode("review_count", as: Int?.self)),
            "ships_in_days": JSONValue(try row.decode("ships_in_days", as: Int?.self)),
            "tags": JSONValue(
                try row.decode("tags", as: [String?].self).compactMap { $0 }
                    .filter { !BoundaryText.clean($0, limit: TextLimit.tag).isEmpty }
            ),
        ]
    }

    /// An item of the vault's own keeps its id; everybody's bear their source's name, since ids are unique in a source.
    static func id(of row: Row) throws(PostgresError) -> String {
        let id: String = try row.decode("candidate_id")
        guard try row.decode("vault_id", as: PostgresUUID?.self) == nil else { return id }
        return sharedID(of: id, from: try row.decode("source"))
    }

    /// The id under which everybody's item is offered.
    static func sharedID(of id: String, from source: String) -> String {
        let whole = "\(source):\(id)"
        return whole.utf8.count <= TextLimit.identifier ? whole : SHA256Digest(of: whole).hex
    }

    /// Whether an id may stand for one that was too long to be offered under it, by which no row is found.
    static func isDigest(_ id: CandidateID) -> Bool {
        id.text.utf8.count == 64 && id.text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    }
}
