import JSONDocument
import KnotDomain
import PostgresClient
import Recommendation
import TextEncoding
import VectorSearch

/// What the rows beside a vault say: embeddings, readings, weights, and what an import kept.
struct VaultRelatedRows {
    private let parts: [Rows]
    private(set) var problems: [JSONProblem] = []

    /// The results of `VaultStatements.all`.
    init(_ parts: [Rows]) {
        self.parts = parts
    }

    private func rows(_ part: VaultStatements.Part) -> Rows { parts[part.rawValue] }

    func layout() throws(PostgresError) -> VaultLayout {
        guard let row = rows(.imported).first else { return VaultLayout() }
        return VaultLayout(json: try row.decode("layout"))
    }

    mutating func embeddings() throws(PostgresError) -> [HintID: Embedding] {
        let rows = rows(.hints)
        var embeddings: [HintID: Embedding] = [:]
        embeddings.reserveCapacity(rows.count)
        for index in 0..<rows.count {
            guard let vector = try rows[index].decode(at: 5, as: PostgresVector?.self) else { continue }
            let id = try rows[index].decode(at: 0, as: PostgresUUID.self).description
            let model = try rows[index].decode(at: 6, as: String?.self) ?? StoredVault.unknownModel
            guard let embedding = Embedding(vector.values, model: model) else {
                let message = "has not \(Embedding.dimension) finite numbers"
                problems.append(JSONProblem(path: "hints[\(id)].hint_embedding", message: message))
                continue
            }
            embeddings[HintID(id)] = embedding
        }
        return embeddings
    }

    /// Of rows that are no good nothing is known, and their phrases are embedded anew.
    func phrases(by model: String?) throws(PostgresError) -> [TextDigest: Embedding] {
        guard let model else { return [:] }
        let rows = rows(.phrases)
        var phrases: [TextDigest: Embedding] = [:]
        phrases.reserveCapacity(rows.count)
        for index in 0..<rows.count {
            let digest = try rows[index].decode(at: 0, as: ByteString.self)
            let vector = try rows[index].decode(at: 1, as: PostgresVector.self)
            if let digest = TextDigest(bytes: digest.bytes) { phrases[digest] = vector.embedding(of: model) }
        }
        return phrases
    }

    mutating func weights() throws(PostgresError) -> StoredWeights? {
        guard let row = rows(.weights).first else { return nil }
        var weights: [String: Double] = [:]
        for member in try row.decode("weights", as: JSONValue.self).object?.members ?? [] {
            guard let weight = member.value.double, weight >= 0, weight.isFinite else {
                let message = "expected a number that is not negative, found \(member.value.kindName)"
                problems.append(
                    JSONProblem(path: "learned_weights.weights.\(member.name.prefix(60))", message: message)
                )
                continue
            }
            weights[member.name] = weight
        }
        guard let asOf = moment(row, of: "learned_weights") ?? nil else { return nil }
        return StoredWeights(
            weights: weights,
            revision: try row.decode("revision"),
            signalCount: try row.decode("signal_count"),
            halfLifeDays: try row.decode("half_life_days"),
            asOf: asOf
        )
    }

    /// The row's `as_of`; a moment that is none is a problem.
    private mutating func moment(_ row: Row, of table: String) -> Instant?? {
        do throws(PostgresError) {
            return .some(try row.decode("as_of", as: Instant?.self))
        } catch {
            problems.append(JSONProblem(unreadable: row, of: table, error))
            return nil
        }
    }

    /// A request for a milestone that was deleted since is none.
    mutating func imported(_ vault: Vault?) throws(PostgresError) -> ImportedFacts? {
        guard let row = rows(.imported).first else { return nil }
        let request = try row.decode("request", as: JSONValue?.self)
        var occasion: OccasionChoice?
        if let id = request?["milestone_id"]?.string {
            let found = vault?.milestones.first { $0.id.text.lowercased() == id.lowercased() }
            occasion = found.map { .milestone($0.id) }
        } else if let tier = request?["occasion"]?.string {
            occasion = OccasionTier(rawValue: tier).map { .tier($0) }
            if occasion == nil {
                problems.append(JSONProblem(path: "vault_imports.request.occasion", message: "is not a budget tier"))
            }
        }
        return ImportedFacts(
            name: try row.decode("name"),
            asOf: moment(row, of: "vault_imports") ?? nil,
            occasion: occasion,
            rates: try row.decode("rates"),
            fileDigest: try row.decode("file_digest")
        )
    }

    func hintReadings() throws(PostgresError) -> [StoredHintReading] {
        try rows(.hintReadings).map { row throws(PostgresError) in
            let id = try row.decode("hint_id", as: PostgresUUID.self).description
            return StoredHintReading(
                hintID: HintID(id),
                reader: try row.decode("reader"),
                inputDigest: try row.decode("input_digest"),
                json: [
                    "hint_id": .string(id), "about": .string(try row.decode("about")),
                    "stance": .string(try row.decode("stance")), "strength": .number(try row.decode("strength")),
                    "serves": JSONValue(try Self.phrases(row, "serves")),
                    "avoid": JSONValue(try Self.phrases(row, "avoid")),
                    "overrules": JSONValue(
                        try row.decode("overrules", as: [PostgresUUID?].self).compactMap { $0?.description }
                    ),
                    "limits": JSONValue(try Self.phrases(row, "limits")),
                ]
            )
        }
    }

    func vaultReadings() throws(PostgresError) -> [StoredVaultReading] {
        var readings: [StoredVaultReading] = []
        let rows = rows(.vaultReadings)
        for index in 0..<rows.count {
            let row = rows[index]
            guard let tier = OccasionTier(rawValue: try row.decode("occasion_type")) else { continue }
            readings.append(
                StoredVaultReading(
                    tier: tier,
                    reader: try row.decode("reader"),
                    inputDigest: try row.decode("input_digest"),
                    serves: try Self.phrases(row, "serves"),
                    avoid: try Self.phrases(row, "avoid")
                )
            )
        }
        return readings
    }

    /// As they were written, blank ones left out: whoever reads the reading refuses what is too long or too many.
    private static func phrases(_ row: Row, _ column: String) throws(PostgresError) -> [String] {
        let texts = try row.decode(column, as: [String?].self).compactMap(\.self)
        return texts.filter { !BoundaryText.clean($0, limit: TextLimit.phrase).isEmpty }
    }
}

/// Makes a stored vault from the results of `VaultStatements.all`, away from the connection.
enum VaultDecoding {
    static func stored(
        _ parts: [Rows],
        id: VaultID,
        identity: ActingIdentity,
        model: String?
    ) throws(VaultStoreError) -> StoredVault {
        guard let row = parts.first?.first else { throw .noVault(id) }
        let (stored, problems): (StoredVault?, [JSONProblem])
        do throws(PostgresError) {
            try identity.check(role: row.decode("role"), session: row.decode("session"))
            (stored, problems) = try all(parts, mark: row.decode("history_mark"), model: model)
        } catch {
            // A row that cannot be read is this vault's alone.
            guard error.code == .unexpectedValue else { throw .database(error) }
            throw .unusable(id, [JSONProblem(path: error.place, message: error.detail ?? error.what)])
        }
        guard let stored else { throw .unusable(id, problems) }
        return stored
    }

    private static func all(
        _ parts: [Rows],
        mark: String,
        model: String?
    ) throws(PostgresError) -> (StoredVault?, [JSONProblem]) {
        var beside = VaultRelatedRows(parts)
        let (vault, problems) = try VaultRowDecoder(parts, layout: try beside.layout()).decode()
        let embeddings = try beside.embeddings()
        let weights = try beside.weights()
        let imported = try beside.imported(vault)
        guard let vault, beside.problems.isEmpty else { return (nil, problems + beside.problems) }
        let catalogue = parts.dropFirst(VaultStatements.Part.allCases.count)
        let stored = StoredVault(
            vault: weights?.taste.map { vault.with(learned: $0) } ?? vault,
            hintEmbeddings: embeddings,
            phraseEmbeddings: try beside.phrases(by: model),
            hintReadings: try beside.hintReadings(),
            vaultReadings: try beside.vaultReadings(),
            weights: weights,
            imported: imported,
            catalogue: catalogue.count == 2
                ? try VaultCatalogue(catalogue[catalogue.startIndex], catalogue[catalogue.startIndex + 1], model: model)
                : nil,
            historyMark: mark
        )
        return (stored, [])
    }
}
