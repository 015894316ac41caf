import Catalogue
import JSONDocument
import KnotDomain
import PostgresClient

/// Offers on their way into the catalogue: all of them in one statement, each column one bind.
enum CatalogueRows {
    /// What an offer says, by the columns it is kept in.
    private static let fields: [SQLQuery] = [
        "provider", "type", "title", "description", "url", "image_url", "price_cents", "currency", "merchant",
        "location_city", "location_state", "location_country", "starts_at", "rating", "review_count", "ships_in_days",
        "tags", "availability", "checked_price_cents",
    ]
    private static let names = SQLQuery.joined(fields, by: ", ")

    private static func names(of row: SQLQuery) -> SQLQuery {
        .joined(fields.map { "\(fragment: row).\(fragment: $0)" }, by: ", ")
    }

    /// A fixture's candidates, for their vault alone.
    static func insertion(_ document: FixtureDocument, vault: PostgresUUID) -> SQLQuery {
        let raws = document.candidates.map { JSONWriter.text($0.raw) }
        return """
            insert into public.catalogue_items (vault_id, source, candidate_id, \(fragment: names), raw)
            select \(vault), \(document.name), c.candidate_id, \(fragment: names(of: "c")), r.raw::pg_catalog.json
            from \(fragment: rows(document.candidates.map(\.offer))) c
            join pg_catalog.unnest(\(raws)) with ordinality as r (raw, ordinality) on r.ordinality = c.ordinality
            order by c.ordinality
            """
    }

    static func query(_ vault: PostgresUUID) -> SQLQuery {
        "select raw from public.catalogue_items where vault_id = \(vault) and raw is not null order by id"
    }

    /// What there is of everybody's offers of a source: for each offer its row, if any, and whether it says the same.
    static func look(at offers: [CatalogueOffer], of source: String) -> SQLQuery {
        """
        select i.id, i.id is not null
                and (\(fragment: names(of: "i"))) is not distinct from (\(fragment: names(of: "c"))) as is_same
        from \(fragment: rows(offers)) c
        left join public.catalogue_items i
            on i.vault_id is null and i.source = \(source) and i.candidate_id = c.candidate_id
        order by c.ordinality
        """
    }

    /// Everybody's offers of a source, put in or brought up to date.
    ///
    /// What can be had or no longer is a change to a copy, though the table's triggers number none for it.
    static func storing(_ offers: [CatalogueOffer], of source: String) -> SQLQuery {
        """
        insert into public.catalogue_items as i (source, candidate_id, \(fragment: names))
        select \(source), c.candidate_id, \(fragment: names(of: "c")) from \(fragment: rows(offers)) c
        order by c.ordinality
        on conflict (vault_id, source, candidate_id) do update
        set (\(fragment: names)) = row(\(fragment: names(of: "excluded"))),
            change = case when i.availability = excluded.availability then i.change
                else pg_catalog.pg_current_xact_id() end
        returning id
        """
    }

    /// The offers as rows, their tags joined by a control, since no text of an offer has one.
    private static func rows(_ offers: [CatalogueOffer]) -> SQLQuery {
        let candidates = offers.map(\.candidate)
        let places = candidates.map(\.location)
        return """
            (
                select r.*, pg_catalog.string_to_array(r.joined_tags, pg_catalog.chr(31)) as tags
                from rows from (
                    pg_catalog.unnest(\(candidates.map(\.id.text))),
                    pg_catalog.unnest(\(candidates.map(\.provider.rawValue))),
                    pg_catalog.unnest(\(candidates.map(\.type.rawValue))),
                    pg_catalog.unnest(\(candidates.map(\.title))), pg_catalog.unnest(\(candidates.map(\.description))),
                    pg_catalog.unnest(\(candidates.map(\.url))), pg_catalog.unnest(\(candidates.map(\.imageURL))),
                    pg_catalog.unnest(\(candidates.map(\.priceCents))),
                    pg_catalog.unnest(\(candidates.map(\.currency.code))),
                    pg_catalog.unnest(\(candidates.map(\.merchant))),
                    pg_catalog.unnest(\(places.map { $0?.city })), pg_catalog.unnest(\(places.map { $0?.state })),
                    pg_catalog.unnest(\(places.map { $0?.country })),
                    pg_catalog.unnest(\(candidates.map(\.startsAt))), pg_catalog.unnest(\(candidates.map(\.rating))),
                    pg_catalog.unnest(\(candidates.map(\.reviewCount))),
                    pg_catalog.unnest(\(candidates.map(\.shipsInDays))),
                    pg_catalog.unnest(\(candidates.map { $0.tags.joined(separator: "\u{1F}") })),
                    pg_catalog.unnest(\(offers.map(\.check))), pg_catalog.unnest(\(offers.map(\.checkedPriceCents)))
                ) with ordinality as r (
                    candidate_id, provider, type, title, description, url, image_url, price_cents, currency, merchant,
                    location_city, location_state, location_country, starts_at, rating, review_count, ships_in_days,
                    joined_tags, availability, checked_price_cents, ordinality
                )
            )
            """
    }
}

/// Recorded readings that lie beside a fixture, on their way into the database.
enum ReadingRows {
    static func insertions(_ reading: VaultReading, _ document: FixtureDocument, vault: PostgresUUID) -> [SQLQuery] {
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
