import JSONDocument
import KnotDomain
import PostgresClient

/// A fixture's candidates on their way into the catalogue, for their vault alone.
enum CatalogueRows {
    static func insertion(_ document: FixtureDocument, vault: PostgresUUID) -> SQLQuery {
        let rows = document.candidates.map { row($0.candidate, $0.raw) }
        let raws = document.candidates.map { JSONWriter.text($0.raw) }
        return """
            insert into public.catalogue_items (
                vault_id, source, candidate_id, provider, type, title, description, url, image_url, price_cents,
                currency, merchant, location_city, location_state, location_country, starts_at, rating, review_count,
                ships_in_days, tags, availability, checked_price_cents, raw
            )
            select \(vault), \(document.name), c.candidate_id, c.provider, c.type, c.title, c.description, c.url,
                c.image_url, c.price_cents, c.currency, c.merchant, c.location_city, c.location_state,
                c.location_country, c.starts_at, c.rating, c.review_count, c.ships_in_days, c.tags, c.availability,
                c.checked_price_cents, r.raw::pg_catalog.json
            from rows from (
                pg_catalog.jsonb_to_recordset(\(.array(rows) as JSONValue)) as (
                    candidate_id text, provider text, type text, title text, description text, url text, image_url text,
                    price_cents int8, currency text, merchant text, location_city text, location_state text,
                    location_country text, starts_at timestamptz, rating float8, review_count int8, ships_in_days int4,
                    tags text[], availability text, checked_price_cents int8
                )
            ) with ordinality as c
            join pg_catalog.unnest(\(raws)) with ordinality as r (raw, ordinality) on r.ordinality = c.ordinality
            order by c.ordinality
            """
    }

    static func query(_ vault: PostgresUUID) -> SQLQuery {
        "select raw from public.catalogue_items where vault_id = \(vault) and raw is not null order by id"
    }

    private static func row(_ candidate: Candidate, _ raw: JSONValue) -> JSONValue {
        [
            "candidate_id": .string(candidate.id.text), "provider": .string(candidate.provider.rawValue),
            "type": .string(candidate.type.rawValue), "title": .string(candidate.title),
            "description": JSONValue(candidate.description), "url": .string(candidate.url),
            "image_url": JSONValue(candidate.imageURL), "price_cents": JSONValue(candidate.priceCents),
            "currency": .string(candidate.currency.code), "merchant": JSONValue(candidate.merchant),
            "location_city": JSONValue(candidate.location?.city),
            "location_state": JSONValue(candidate.location?.state),
            "location_country": JSONValue(candidate.location?.country),
            "starts_at": JSONValue(candidate.startsAt?.iso8601), "rating": JSONValue(candidate.rating),
            "review_count": JSONValue(candidate.reviewCount), "ships_in_days": JSONValue(candidate.shipsInDays),
            "tags": JSONValue(candidate.tags), "availability": raw["check"]?.string.map { .string($0) } ?? "available",
            "checked_price_cents": JSONValue(raw["checked_price_cents"]?.int),
        ]
    }
}

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
