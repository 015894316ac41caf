import Catalogue
package import JSONDocument
package import KnotDomain
package import PostgresClient
package import VectorSearch

/// What changed in everybody's part of the catalogue since a copy of it was last brought up to date, page by page.
///
/// A copy that took every page stands at `mark`, and asks from there the next time. No change is left out, however late
/// its transaction commits, and what changes while pages are read is in the next reading.
package struct CatalogueChanges: Sendable {
    /// An item with its vector of the model, where it has one.
    package struct Item: Sendable {
        package let candidate: Candidate
        package let vector: Embedding?
    }

    /// Some of the changes: the copy forgets what is withdrawn, and takes the items after that.
    package struct Page: Sendable {
        /// Items that are gone or cannot be had, or are no candidates any more.
        package internal(set) var withdrawn: [CandidateID] = []
        package internal(set) var items: [Item] = []
        /// What is wrong with rows that are no candidates.
        package internal(set) var problems: [JSONProblem] = []
    }

    /// True where the copy stands nowhere in this database: all there is follows, and the copy has to be empty first.
    package let isWhole: Bool
    /// Where a copy stands that took every page.
    package let mark: String

    private let pool: ConnectionPool
    private let model: String?
    private let pageSize: Int
    private let limit: Duration
    /// The snapshots that the copy was read in and is read in now.
    private let before: String
    private let now: String
    private var phase: Phase

    /// Where the next page begins.
    private enum Phase {
        case withdrawn(after: WithdrawnPlace)
        case items(after: ItemPlace)
        case end
    }

    private struct WithdrawnPlace {
        var change = "0"
        var source = ""
        var id = ""
    }

    private struct ItemPlace {
        var change = "0"
        var id = Int64.min
    }

    /// Of a page's texts no more bytes than these are read together, save where a single item has more.
    private static let mostBytes = 16 << 20

    /// Asks for what changed since a mark; nil, or a mark of another database or model, asks for everything.
    package static func since(
        _ mark: String?,
        in pool: ConnectionPool,
        model: String?,
        pageSize: Int = 2_000,
        limit: Duration = .seconds(30)
    ) async throws(PostgresError) -> CatalogueChanges {
        let now = try await standing(in: pool, model: model, limit: limit)
        return CatalogueChanges(pool, from: mark.flatMap { CatalogueMark($0) }, to: now, pageSize, limit)
    }

    /// Where a reader of this moment stands.
    static func standing(
        in pool: ConnectionPool,
        model: String?,
        limit: Duration
    ) async throws(PostgresError) -> CatalogueMark {
        let row = try await pool.read([standing], until: .now + limit)[0].only()
        var mark = CatalogueMark(
            database: try row.decode("database"),
            model: model,
            snapshot: try row.decode("snapshot")
        )
        mark.mayLag = try row.decode("is_standby")
        return mark
    }

    private init(
        _ pool: ConnectionPool,
        from known: CatalogueMark?,
        to mark: CatalogueMark,
        _ pageSize: Int,
        _ limit: Duration
    ) {
        self.pool = pool
        self.pageSize = max(1, pageSize)
        self.limit = limit
        self.mark = mark.text
        model = mark.model
        now = mark.snapshot
        // A server that was set back on its own timeline, as by a copy of its files, gives the same numbers out again.
        if let known, known.database == mark.database, known.model == mark.model,
            mark.mayLag || !known.isAhead(of: mark)
        {
            isWhole = false
            before = known.snapshot
            phase = known.snapshot == mark.snapshot ? .end : .withdrawn(after: WithdrawnPlace())
        } else {
            isWhole = true
            before = ""
            phase = .items(after: ItemPlace())
        }
    }

    /// The next changes; nil when all of them were read.
    package mutating func next() async throws(PostgresError) -> Page? {
        if case .withdrawn(let place) = phase {
            let rows = try await pool.read([withdrawn(after: place)], until: .now + limit)[0]
            guard !rows.isEmpty else {
                phase = .items(after: ItemPlace())
                return try await next()
            }
            return try take(withdrawn: rows)
        }
        guard case .items(let place) = phase else { return nil }
        let query = isWhole ? items(after: place.id) : items(after: place)
        let rows = try await pool.read([query], until: .now + limit)[0]
        guard !rows.isEmpty else {
            phase = .end
            return nil
        }
        return try take(items: rows)
    }

    private mutating func take(withdrawn rows: Rows) throws(PostgresError) -> Page {
        var page = Page()
        var place = WithdrawnPlace()
        for index in 0..<rows.count {
            place = WithdrawnPlace(
                change: try rows[index].decode("change"),
                source: try rows[index].decode("source"),
                id: try rows[index].decode("candidate_id")
            )
            page.withdrawn.append(CandidateID(FoundItems.sharedID(of: place.id, from: place.source)))
        }
        phase = .withdrawn(after: place)
        return page
    }

    private mutating func take(items rows: Rows) throws(PostgresError) -> Page {
        var found = FoundItems(model: model)
        var page = Page()
        for index in 0..<rows.count {
            guard try rows[index].decode("is_there") else {
                page.withdrawn.append(CandidateID(try FoundItems.id(of: rows[index])))
                continue
            }
            let known = found.problems.count
            if try found.add(one: rows[index]) == nil, found.problems.count > known {
                // It may have been a candidate before.
                page.withdrawn.append(CandidateID(try FoundItems.id(of: rows[index])))
            }
        }
        page.items = zip(found.candidates, found.vectors).map { Item(candidate: $0, vector: $1) }
        page.problems = found.problems
        let last = rows[rows.count - 1]
        phase = .items(after: ItemPlace(change: try last.decode("change"), id: try last.decode("id")))
        return page
    }
}

// MARK: Statements

extension CatalogueChanges {
    /// Which database and table this is, and what is to be seen of it now.
    ///
    /// A server that was set back to an earlier moment is on another timeline. A standby does not say which transactions
    /// are under way, so that all from the first of them on count as unseen.
    private static var standing: SQLQuery {
        """
        select (select system_identifier from pg_catalog.pg_control_system()) || '-'
                || (select timeline_id from pg_catalog.pg_control_checkpoint()) || '-'
                || (select oid from pg_catalog.pg_database where datname = pg_catalog.current_database()) || '-'
                || 'public.catalogue_items'::pg_catalog.regclass::pg_catalog.oid as database,
            pg_catalog.pg_is_in_recovery() as is_standby,
            case when pg_catalog.pg_is_in_recovery()
                then x.xmin || ':' || x.xmin || ':' else s.snapshot::text end as snapshot
        from pg_catalog.pg_current_snapshot() s (snapshot),
            pg_catalog.pg_snapshot_xmin(s.snapshot) x (xmin)
        """
    }

    /// What the copy has not seen and this reading sees; the lower bound is for the index.
    private func isNew(_ change: SQLQuery) -> SQLQuery {
        """
        \(fragment: change) >= pg_catalog.pg_snapshot_xmin(\(before)::pg_catalog.pg_snapshot)
            and not pg_catalog.pg_visible_in_snapshot(\(fragment: change), \(before)::pg_catalog.pg_snapshot)
            and pg_catalog.pg_visible_in_snapshot(\(fragment: change), \(now)::pg_catalog.pg_snapshot)
        """
    }

    /// What is there was not withdrawn, or came back: its own change says what is so, unless another server numbered both.
    private func withdrawn(after place: WithdrawnPlace) -> SQLQuery {
        """
        select w.source, w.candidate_id, w.change::text as change from public.catalogue_withdrawn w
        where \(fragment: isNew("w.change"))
            and (w.change, w.source, w.candidate_id) > (\(place.change)::pg_catalog.xid8, \(place.source), \(place.id))
            and not exists (
                select 1 from public.catalogue_items i
                where i.vault_id is null and i.source = w.source and i.candidate_id = w.candidate_id
            )
        order by w.change, w.source, w.candidate_id limit \(pageSize)
        """
    }

    private func items(after place: ItemPlace) -> SQLQuery {
        items(
            where: """
                \(fragment: isNew("i.change"))
                    and (i.change, i.id) > (\(place.change)::pg_catalog.xid8, \(place.id))
                """,
            by: "i.change, i.id"
        )
    }

    private func items(after id: Int64) -> SQLQuery {
        items(where: "i.id > \(id)", by: "i.id")
    }

    /// The next of everybody's items of which something holds.
    private func items(where condition: SQLQuery, by order: SQLQuery) -> SQLQuery {
        """
        with page as (
            select i.id, pg_catalog.row_number() over w as place,
                pg_catalog.sum(i.size) over w - i.size as before
            from (
                select i.id, i.change,
                    pg_catalog.octet_length(i.title) + coalesce(pg_catalog.octet_length(i.description), 0) as size
                from public.catalogue_items i
                where i.vault_id is null and \(fragment: condition)
                order by \(fragment: order) limit \(pageSize)
            ) i
            window w as (order by \(fragment: order))
        )
        select \(fragment: CatalogueStatements.columns(model)), c.change::text as change,
            \(fragment: CatalogueStatements.isThere) as is_there
        from page p join public.catalogue_items c on c.id = p.id
        where p.before < \(Self.mostBytes) order by p.place
        """
    }
}
