import JSONDocument
import TestSupport
import Testing

/// A vault whose own offers are too many to come with it, so that the database is searched, which does not do it in time.
@Suite(.tags(.database), .needs(.eighteen)) struct `A search that is overdue` {
    /// More than what is read with a vault; and in the table's place a view that is as slow as the search says.
    private static func sql(slow search: String) -> String {
        """
        insert into public.catalogue_items
            (vault_id, source, candidate_id, provider, type, title, description, url, price_cents, currency,
            ships_in_days)
        select v.id, 'many', 'many-' || n, 'amazon', 'gift', 'Handmade gift box ' || n, 'with a book and tea',
            'https://shop.example/' || n, 13000 + n, 'USD', 2
        from public.partner_vaults v, generate_series(1, 2001) n;
        alter table public.catalogue_items rename to catalogue_kept;
        create function public.slow() returns boolean language sql volatile as
            $$ select case when \(search) then pg_sleep(1200) is not null else true end $$;
        create view public.catalogue_items as select * from public.catalogue_kept
            where (select public.slow())
        """
    }

    private static func json(_ outcome: BuiltCommand.Outcome) throws -> JSONValue {
        try JSONParser.parse(Array(outcome.output.utf8))
    }

    @Test func `has a set all the same, which says who fell short`() async throws {
        try await withDatabase(.eighteen, .commandStocked) { database in
            try await database.run(Self.sql(slow: "current_query() like '%ts_rank%'"))
            let outcome = try await DatabaseCommand.run(
                // Of a run that waits for services for longer than the search has.
                "\"$KNOT\" run --pipeline fixtures/pipelines/patient.json --model none --json --vault \(DatabaseCommand.first)",
                on: database.url
            )
            #expect(outcome.code == 0, "\(outcome)")
            let result = try Self.json(outcome)
            #expect(result["outcome"] == "degraded" && result["choices"]?.array?.count == 3)
            let told = result["reasons"]?.array?.filter { $0["code"] == "provider_partial" } ?? []
            let nodes = Set(told.compactMap { $0["node"]?.string })
            #expect(nodes.isSuperset(of: ["amazon", "yelp"]), "\(result)")
            #expect(told.allSatisfy { $0["detail"]?.string?.contains("did not answer in time") == true }, "\(told)")
        }
    }

    @Test func `with nothing at all for any vault ends a batch without a set and not well`() async throws {
        try await withDatabase(.eighteen, .commandStocked) { database in
            // What comes with the vaults is of a provider that no node asks.
            try await database.run(
                "delete from public.catalogue_items;" + Self.sql(slow: "current_query() like '%c.provider = %'")
                    + "; update public.catalogue_kept set provider = 'catalogue'"
            )
            let outcome = try await DatabaseCommand.run("\"$KNOT\" run --all --model none --json", on: database.url)
            #expect(outcome.code == 69 || outcome.code == 75, "\(outcome)")
            #expect(try await database.run("select count(*) from recommendation_runs") == [["0"]])
        }
    }
}
