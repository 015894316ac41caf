import JSONDocument
import KnotDomain

/// What a fixture says beside its vault and its candidates.
struct FixtureFacts: Sendable {
    let name: String
    let story: String?
    let asOf: Instant?
    let request: JSONValue
    let judgments: JSONValue
    var layout: JSONValue = [:]
    var extra: JSONValue = [:]

    init(_ document: FixtureDocument) {
        name = document.name
        story = document.original["story"]?.string?.withoutZeros
        asOf = document.asOf
        request = document.original["request"] ?? .null
        judgments = document.original["judgments"] ?? .null
    }

    /// A vault that was never imported is named by its id.
    init(vault: PostgresUUID) {
        name = "vault-\(vault.description.prefix(8))"
        story = nil
        asOf = nil
        request = .null
        judgments = .null
        layout = ["absent": ["story", "as_of", "request", "candidates", "judgments"]]
    }

    init(_ row: Row) throws(PostgresError) {
        name = try row.decode("name")
        story = try row.decode("story")
        asOf = try row.decode("as_of")
        request = try row.decode("request", as: JSONValue?.self) ?? .null
        judgments = try row.decode("judgments", as: JSONValue?.self) ?? .null
        layout = try row.decode("layout")
        extra = try row.decode("extra")
    }

    static func query(_ vault: PostgresUUID) -> SQLQuery {
        """
        select name, story, as_of, request, judgments, layout, extra from public.vault_imports
        where vault_id = \(vault)
        """
    }

    /// When the vault was imported, to the microsecond.
    static func moment(of vault: PostgresUUID) -> SQLQuery {
        """
        select extract(epoch from i.imported_at)::text as moment from public.vault_imports i
        where i.vault_id = \(vault)
        """
    }

    func insertion(vault: PostgresUUID, _ written: FixtureLayout, rates: JSONValue, digest: String) -> SQLQuery {
        """
        insert into public.vault_imports
            (vault_id, name, story, as_of, request, judgments, rates, layout, extra, file_digest)
        values (
            \(vault), \(name), \(story), \(asOf), \(Self.json(request))::text::pg_catalog.json,
            \(Self.json(judgments))::text::pg_catalog.json, \(Self.json(rates))::text::pg_catalog.json,
            \(JSONWriter.text(written.layout))::text::pg_catalog.json,
            \(JSONWriter.text(written.extra))::text::pg_catalog.json, \(digest)
        )
        """
    }

    /// Text on its way to `json`, which keeps what `jsonb` would change; null for null.
    private static func json(_ value: JSONValue) -> String? { value.isNull ? nil : JSONWriter.text(value) }
}
