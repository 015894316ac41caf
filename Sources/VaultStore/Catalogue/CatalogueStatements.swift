import Catalogue
import KnotDomain
import PostgresClient
import Recommendation

/// The statements that search the table `catalogue_items`; all are bounded, and each has a stable order.
enum CatalogueStatements {
    /// How many items are taken for their words, and how many of one phrase's nearest.
    static let mostByWords = 1_000
    static let mostByVector = 40
    /// Phrases searched by their vectors; each one is a look at every item.
    static let mostVectors = 12

    /// Makes the operators of pgvector known, wherever it is installed, up to the end of the transaction.
    static var vectorPath: SQLQuery {
        """
        select pg_catalog.set_config('search_path', pg_catalog.quote_ident(n.nspname), true)
        from pg_catalog.pg_extension x join pg_catalog.pg_namespace n on n.oid = x.extnamespace
        where x.extname = 'vector'
        """
    }

    /// With the vector where it is of the model that is asked for: those are most of the bytes.
    static func columns(_ model: String?) -> SQLQuery {
        guard let model else { return columns }
        return "\(fragment: columns), case when c.embedding_model = \(model) then c.embedding end as embedding"
    }

    private static var columns: SQLQuery {
        """
        c.id, c.vault_id, c.source, c.candidate_id, c.provider, c.type, c.title, c.description, c.url, c.image_url,
            \(fragment: price) as price_cents, c.currency, c.merchant, c.location_city, c.location_state, c.location_country, c.starts_at,
            c.rating, c.review_count, c.ships_in_days, c.tags
        """
    }

    /// What an item costs: of everybody's what a look at it has found, as in a file of them.
    private static let price: SQLQuery = """
        case when c.vault_id is null and c.availability = 'price_changed' then c.checked_price_cents else c.price_cents end
        """

    /// Whether an item can be had, as far as its row knows.
    ///
    /// A vault's own are what its fixture has, and are looked at before they are shown.
    static let isThere: SQLQuery = "c.availability not in ('sold_out', 'closed', 'gone')"

    /// The items that came in last, whoever they are for.
    static func newest(limit: Int) -> SQLQuery {
        "select \(fragment: columns) from public.catalogue_items c order by c.id desc limit \(limit)"
    }

    /// The items of which something holds, in the order in which they came in.
    static func items(where condition: SQLQuery, limit: Int) -> SQLQuery {
        """
        select \(fragment: columns) from public.catalogue_items c
        where \(fragment: condition) order by c.id limit \(limit)
        """
    }

    /// All that is for this vault alone with what a look at it finds, and whether there is anything for everybody.
    static func catalogue(_ vault: PostgresUUID, model: String?) -> [SQLQuery] {
        [catalogue(of: "\(vault)", model: model), hasShared(beyond: 0)]
    }

    /// The same for several vaults, each with its own items together.
    static func catalogue(_ vaults: [PostgresUUID], model: String?) -> [SQLQuery] {
        [
            """
            select s.*, v.id as of_vault
            from pg_catalog.unnest(\(vaults)) v (id)
            cross join lateral (\(fragment: catalogue(of: "v.id", model: model))) s
            order by v.id, s.id
            """,
            hasShared(beyond: 0),
        ]
    }

    private static func catalogue(of vault: SQLQuery, model: String?) -> SQLQuery {
        """
        select \(fragment: columns(model)), c.availability, c.checked_price_cents
        from public.catalogue_items c where c.vault_id = \(fragment: vault)
        order by c.id limit \(CatalogueQuery.mostItems + 1)
        """
    }

    /// Whether there are more items for everybody than so many.
    static func hasShared(beyond count: Int) -> SQLQuery {
        "select exists (select from public.catalogue_items c where c.vault_id is null offset \(count)) as has_shared"
    }

    /// Everybody's items that can be had, one more than are wanted where there are more.
    static func shared(most: Int, model: String?) -> SQLQuery {
        """
        select \(fragment: columns(model)) from public.catalogue_items c
        where c.vault_id is null and \(fragment: isThere) order by c.id limit \(most + 1)
        """
    }

    /// How many of everybody's items can be had, and how many of them have a vector of a model.
    static func sharedCounts(model: String?) -> SQLQuery {
        """
        select count(*) as items, count(*) filter (where c.embedding_model = \(model)) as vectors
        from public.catalogue_items c where c.vault_id is null and \(fragment: isThere)
        """
    }

    /// Items whatever they say, in the order in which they came in: a vault's own were put there for it.
    static func some(
        _ wanted: CatalogueQuery,
        among whose: SQLQuery,
        model: String?,
        byRules: Bool = false
    ) -> SQLQuery {
        """
        select \(fragment: columns(model)) from public.catalogue_items c
        where (\(fragment: whose)) and c.provider = \(wanted.provider.rawValue)
            and c.type = any (\(types(wanted))) and \(fragment: allowed(by: byRules ? wanted.rules : nil))
        order by c.id limit \(CatalogueQuery.mostItems)
        """
    }

    /// The items that a search looks at: a vault's own, and everybody's where they are not searched elsewhere.
    static func whose(_ vault: PostgresUUID?, withShared: Bool) -> SQLQuery {
        withShared ? "c.vault_id is null and \(fragment: isThere) or c.vault_id = \(vault)" : "c.vault_id = \(vault)"
    }

    /// The items that share a word with any phrase, those with the most first.
    ///
    /// Lexemes are quoted one by one, so that no character of a phrase is an operator of the search.
    static func byWords(_ wanted: CatalogueQuery, among whose: SQLQuery, model: String?) -> SQLQuery {
        """
        with wanted as (
            select pg_catalog.array_to_string(
                array(
                    select distinct
                        '''' || pg_catalog.replace(pg_catalog.replace(l.lexeme, '\\', '\\\\'), '''', '''''') || ''''
                    from pg_catalog.unnest(\(wanted.phrases)) p (phrase),
                        pg_catalog.unnest(
                            pg_catalog.tsvector_to_array(pg_catalog.to_tsvector('pg_catalog.english', p.phrase))
                        ) l (lexeme)
                ),
                ' | '
            )::pg_catalog.tsquery as query
        )
        select \(fragment: columns(model)) from wanted w join public.catalogue_items c on c.words @@ w.query
        where (\(fragment: whose)) and c.provider = \(wanted.provider.rawValue) and c.type = any (\(types(wanted)))
            and \(fragment: allowed(by: wanted.rules))
        order by pg_catalog.ts_rank(c.words, w.query) desc, c.id limit \(mostByWords)
        """
    }

    /// The items nearest to a vector, exactly: the table has no approximate index.
    static func byVector(
        _ wanted: CatalogueQuery,
        among whose: SQLQuery,
        _ vector: PostgresVector,
        model: String
    ) -> SQLQuery {
        """
        select \(fragment: columns(model)) from public.catalogue_items c
        where (\(fragment: whose)) and c.provider = \(wanted.provider.rawValue)
            and c.type = any (\(types(wanted))) and c.embedding_model = \(model) and vector_norm(c.embedding) > 0
            and \(fragment: allowed(by: wanted.rules))
        order by c.embedding <=> \(vector)::vector, c.id limit \(mostByVector)
        """
    }

    /// What of the run's rules columns can say; never stricter than they are.
    ///
    /// A price may be per head, which its texts say, so that twice of it may be within the budget as well.
    private static func allowed(by rules: OfferRules?) -> SQLQuery {
        guard let rules else { return "true" }
        let windows = rules.currencies.compactMap { currency in
            rules.totals(in: currency).map { (currency.code, $0.lowerBound, $0.upperBound) }
        }
        // The server knows no day as late as some milestone may be.
        let until = rules.lastStarts?.upperBound.beforeYear10000
        return """
            (c.ships_in_days is null or \(rules.mostShippingDays)::bigint is null
                or c.ships_in_days <= \(rules.mostShippingDays)::bigint)
            and not (
                \(rules.needsShippingDays) and c.type = 'gift' and c.ships_in_days is null and c.location_city is null
                and c.location_state is null and c.location_country is null
            )
            and (c.starts_at is null or \(rules.asOf)::timestamptz is null or c.starts_at > \(rules.asOf)::timestamptz)
            and (
                c.starts_at is null or \(until)::timestamptz is null
                or c.starts_at <= \(until)::timestamptz
            )
            and not exists (
                select from rows from (
                    pg_catalog.unnest(\(windows.map(\.0))), pg_catalog.unnest(\(windows.map(\.1))),
                    pg_catalog.unnest(\(windows.map(\.2)))
                ) w (currency, low, high)
                where w.currency = c.currency and \(fragment: price) <= \(OfferRules.largestTotal)
                    and \(fragment: price) not between w.low and w.high
                    and \(fragment: price) not between (w.low + 1) / 2 and w.high / 2
            )
            and (case when c.vault_id is null then c.source || ':' else '' end || c.candidate_id)
                <> all (\(rules.shownBefore.map(\.text)))
            """
    }

    private static func types(_ wanted: CatalogueQuery) -> [String] { wanted.types.map(\.rawValue).sorted() }
}

extension Instant {
    fileprivate var beforeYear10000: Instant? { millisecondsSinceEpoch < 253_402_300_800_000 ? self : nil }
}
