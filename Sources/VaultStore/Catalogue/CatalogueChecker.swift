package import JSONDocument
package import KnotDomain
package import PostgresClient
package import Recommendation
package import StageGraph

/// What the table says a look at an item's page would find: the outside world of items that have no live page.
///
/// An item that is no longer in it was withdrawn since it was found, and is gone.
package struct CatalogueChecker: AvailabilityChecker {
    private let pool: ConnectionPool
    private let vault: PostgresUUID?
    private let catalogue: VaultCatalogue?
    private let limit: Duration

    package init(
        _ pool: ConnectionPool,
        vault: VaultID?,
        catalogue: VaultCatalogue? = nil,
        limit: Duration = .seconds(3)
    ) {
        self.pool = pool
        self.vault = vault.flatMap { PostgresUUID($0.text) }
        self.catalogue = catalogue
        self.limit = limit
    }

    package func probe(_ candidate: Candidate) async throws(StageFailure) -> AvailabilityProbe {
        if let known = catalogue?.probe(candidate) { return known }
        do throws(PostgresError) {
            let rows = try await pool.read([statement(candidate)], until: .now + limit)
            if let row = rows.first?.first { return try Self.probe(row) }
            // It was there when it was found, or nobody would ask.
            if !FoundItems.isDigest(candidate.id) {
                return AvailabilityProbe(status: 404, signal: .none, price: .notLooked)
            }
        } catch {
            throw error.stageFailure
        }
        throw StageFailure(.provider, code: "no_page", "the catalogue tells nothing of item \(candidate.id)")
    }

    private func statement(_ candidate: Candidate) -> SQLQuery { Self.statement(candidate, vault: vault) }

    /// The vault's own item by its id; everybody's by the source's name before it, wherever that ends.
    ///
    /// Each is looked up by an index of its own, which one condition for both would keep from being used.
    static func statement(_ candidate: Candidate, vault: PostgresUUID?) -> SQLQuery {
        let id = candidate.id.text
        let colons = id.indices.filter { id[$0] == ":" }
        let sources = colons.map { String(id[..<$0]) }
        let ids = colons.map { String(id[id.index(after: $0)...]) }
        return """
            select e.availability, e.checked_price_cents
            from (
                select c.vault_id, c.id, c.availability, c.checked_price_cents from public.catalogue_items c
                where c.vault_id = \(vault) and c.candidate_id = \(id)
                    and c.provider = \(candidate.provider.rawValue)
                union all
                select c.vault_id, c.id, c.availability, c.checked_price_cents
                from rows from (pg_catalog.unnest(\(sources)), pg_catalog.unnest(\(ids))) as n (source, id)
                join public.catalogue_items c on c.source = n.source and c.candidate_id = n.id
                where c.vault_id is null and c.provider = \(candidate.provider.rawValue)
            ) e
            order by e.vault_id nulls last, e.id limit 1
            """
    }

    /// What an item's row says.
    static func probe(_ row: Row) throws(PostgresError) -> AvailabilityProbe {
        let price = try row.decode("checked_price_cents", as: Int?.self)
        return switch try row.decode("availability", as: String.self) {
        case "sold_out": AvailabilityProbe(status: 200, signal: .outOfStock, price: .notLooked)
        case "closed": AvailabilityProbe(status: 200, signal: .permanentlyClosed, price: .notLooked)
        case "gone": AvailabilityProbe(status: 404, signal: .none, price: .notLooked)
        case "blocked": AvailabilityProbe(status: 403, signal: .none, price: .notLooked)
        case "price_changed":
            AvailabilityProbe(status: 200, signal: .inStock, price: price.map { .minorUnits($0) } ?? .unknown)
        default: AvailabilityProbe(status: 200, signal: .inStock, price: .notLooked)
        }
    }
}

/// A look at the catalogue's table for items that no search can offer, because they are no candidates.
package struct CatalogueAudit: Sendable {
    /// How many items were looked at: the newest, at most this many.
    package static let mostItems = 2_000

    package let looked: Int
    /// By item and column, in the table's order.
    package let problems: [JSONProblem]

    /// Reads the newest items of everybody's and of all vaults.
    package static func look(
        _ pool: ConnectionPool,
        until deadline: ContinuousClock.Instant
    ) async throws(PostgresError) -> CatalogueAudit {
        let parts = try await pool.read(
            [CatalogueStatements.newest(limit: mostItems)],
            until: deadline
        )
        var looked = 0
        var problems: [JSONProblem] = []
        for index in 0..<parts[0].count {
            var items = FoundItems()
            // Alone, since ids are unique in one vault's part of the catalogue only.
            _ = try items.add(one: parts[0][index])
            problems += items.problems
            looked += 1
        }
        return CatalogueAudit(looked: looked, problems: problems)
    }
}
