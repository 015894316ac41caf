import JSONDocument
import KnotDomain

/// Recorded readings that lie beside a fixture, on their way into the database.
enum ReadingRows {
    static func insertions(
        _ reading: VaultReading,
        _ document: FixtureDocument,
        vault: PostgresUUID
    ) -> [SQLQuery] {
        let hints = Dictionary(document.vault.hints.map { ($0.id, $0) }) { first, _ in first }
        let rows = reading.hints.compactMap { item in hints[item.hintID].map { row(item, of: $0) } }
        return [
            """
            insert into public.hint_readings (
                vault_id, hint_id, reader, input_digest, about, stance, strength, serves, avoid, overrules, limits
            )
            select \(vault), h.hint_id, 'recorded', h.input_digest, h.about, h.stance, h.strength, h.serves, h.avoid,
                h.overrules, h.limits
            from pg_catalog.jsonb_to_recordset(\(.array(rows) as JSONValue)) as h (
                hint_id uuid, input_digest text, about text, stance text, strength float8, serves text[], avoid text[],
                overrules uuid[], limits text[]
            )
            """,
            """
            insert into public.vault_readings (vault_id, occasion_type, reader, input_digest, serves, avoid)
            values (
                \(vault), \(document.tier.rawValue), 'recorded',
                \(ReadingDigest.of(document.vault, tier: document.tier)), \(reading.serves), \(reading.avoid)
            )
            """,
        ]
    }

    private static func row(_ reading: HintReading, of hint: Hint) -> JSONValue {
        var row = reading.json.object ?? JSONObject()
        row["input_digest"] = .string(ReadingDigest.of(hint))
        return .object(row)
    }
}
