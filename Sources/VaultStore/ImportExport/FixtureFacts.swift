import Digest
import JSONDocument
import KnotDomain
import PostgresClient

/// What a fixture says beside its vault and its candidates, and the file itself.
struct FixtureFacts: Sendable {
    let name: String
    let story: String?
    let asOf: Instant?
    let request: JSONValue
    let judgments: JSONValue
    let layout: VaultLayout
    /// The file as it was imported, and the digest of the document that its rows made then.
    private var file: (bytes: [UInt8], document: String)?

    init(_ document: FixtureDocument, _ rows: VaultRows) {
        name = document.name
        story = document.original["story"]?.string?.withoutZeros
        asOf = document.asOf
        request = document.original["request"] ?? .null
        judgments = document.original["judgments"] ?? .null
        layout = rows.layout
        let canonical = canonical(rows, candidates: document.candidates.map(\.raw))
        file = (document.bytes, Self.digest(canonical))
    }

    /// A vault that was never imported is named by its id.
    init(vault: PostgresUUID) {
        name = "vault-\(vault.description.prefix(8))"
        story = nil
        asOf = nil
        request = .null
        judgments = .null
        layout = VaultLayout()
    }

    init(_ row: Row) throws(PostgresError) {
        name = try row.decode("name")
        story = try row.decode("story")
        asOf = try row.decode("as_of")
        request = try row.decode("request", as: JSONValue?.self) ?? .null
        judgments = try row.decode("judgments", as: JSONValue?.self) ?? .null
        layout = VaultLayout(json: try row.decode("layout"))
        let bytes = try row.decode("file", as: ByteString?.self)
        let digest = try row.decode("document_digest", as: String?.self)
        if let bytes, let digest { file = (bytes.bytes, digest) }
    }

    /// The imported file where the rows still say what they said then, else what they say now.
    func document(_ rows: VaultRows, candidates: [JSONValue]) -> JSONValue {
        let canonical = canonical(rows, candidates: candidates)
        guard let file, file.document == Self.digest(canonical) else { return canonical }
        return (try? JSONParser.parse(file.bytes)) ?? canonical
    }

    /// The rows as a fixture, without what there is none of.
    private func canonical(_ rows: VaultRows, candidates: [JSONValue]) -> JSONValue {
        let members: [(String, JSONValue)] = [
            ("schema", "knot.fixture/1"), ("name", .string(name)), ("story", JSONValue(story)),
            ("as_of", JSONValue(asOf?.iso8601)), ("request", request(of: rows)), ("vault", rows.document(layout)),
            ("candidates", candidates.isEmpty ? .null : .array(candidates)), ("judgments", judgments),
        ]
        return .object(JSONObject(members.filter { !$0.1.isNull }.map { .init(name: $0.0, value: $0.1) }))
    }

    /// What the file asks for; of a milestone that the vault has no more, no reader could make anything.
    private func request(of rows: VaultRows) -> JSONValue {
        guard let id = request["milestone_id"]?.string.flatMap({ PostgresUUID($0) }), !rows.milestoneIDs.contains(id)
        else { return request }
        return ["occasion": .string(OccasionTier.justBecause.rawValue)]
    }

    private static func digest(_ document: JSONValue) -> String {
        SHA256Digest(of: JSONWriter.bytes(document, style: .canonical)).hex
    }
}

extension FixtureFacts {
    static func query(_ vault: PostgresUUID) -> SQLQuery {
        """
        select i.name, i.story, i.as_of, i.request, i.judgments, i.layout, f.file, f.document_digest
        from public.vault_imports i left join public.vault_import_files f on f.vault_id = i.vault_id
        where i.vault_id = \(vault)
        """
    }

    /// The file as it was imported.
    static func file(of vault: PostgresUUID) -> SQLQuery {
        "select f.file from public.vault_import_files f where f.vault_id = \(vault)"
    }

    /// When the vault was imported, to the microsecond.
    static func moment(of vault: PostgresUUID) -> SQLQuery {
        """
        select extract(epoch from i.imported_at)::text as moment from public.vault_imports i
        where i.vault_id = \(vault)
        """
    }

    /// Keeps the facts and the file; `digest` is that of the file and of what lies beside it.
    func insertions(vault: PostgresUUID, rates: JSONValue, digest: String) -> [SQLQuery] {
        let facts: SQLQuery = """
            insert into public.vault_imports (vault_id, name, story, as_of, request, judgments, rates, layout, file_digest)
            values (
                \(vault), \(name), \(story), \(asOf), \(Self.json(request))::text::pg_catalog.json,
                \(Self.json(judgments))::text::pg_catalog.json, \(Self.json(rates))::text::pg_catalog.json,
                \(JSONWriter.text(layout.json))::text::pg_catalog.json, \(digest)
            )
            """
        guard let file else { return [facts] }
        return [
            facts,
            """
            insert into public.vault_import_files (vault_id, file, digest, document_digest)
            values (\(vault), \(ByteString(file.bytes)), \(SHA256Digest(of: file.bytes).hex), \(file.document))
            """,
        ]
    }

    /// Text on its way to `json`, which keeps what `jsonb` would change; null for null.
    private static func json(_ value: JSONValue) -> String? { value.isNull ? nil : JSONWriter.text(value) }
}

extension LearnedTaste {
    /// Writes what an imported vault brings along, for a vault that was added just now.
    func insertion(for vault: PostgresUUID) -> SQLQuery {
        """
        insert into public.learned_weights (vault_id, weights, signal_count, half_life_days, as_of, imported)
        values (
            \(vault), \(json["weights"] ?? [:]), \(Int32(clamping: signalCount)), \(halfLifeDays), \(asOf), \(json)
        )
        """
    }
}
