import Foundation

/// A flaw put into the schema on purpose, to see that the tests notice: `make mutants` runs them with each in turn.
enum SchemaMutant: String, CaseIterable {
    /// Everybody reads everybody's hints.
    case openHints = "open_hints"
    /// A job is ended by whoever knows its number.
    case completeWithoutToken = "complete_without_token"
    /// The queue's functions are everybody's.
    case openQueue = "open_queue"
    /// A vault may have the same vibe twice.
    case doubleVibes = "double_vibes"
    /// A complete set may have fewer than three rows.
    case tornRuns = "torn_runs"
    /// The worst hints come first.
    case worstHintsFirst = "worst_hints_first"
    /// The worker reads addresses.
    case readableEmail = "readable_email"

    /// The one that this process was asked to put in.
    static var asked: Self? { ProcessInfo.processInfo.environment["KNOT_SCHEMA_MUTANT"].flatMap(Self.init) }

    var sql: String {
        switch self {
        case .openHints: "alter policy hints_select_own on public.hints using (true)"
        case .completeWithoutToken: Self.edited("api.complete(uuid, uuid, uuid)", " and j.claim_token = token", "")
        case .openQueue:
            """
            grant usage on schema api to public;
            grant execute on all functions in schema api to public
            """
        case .doubleVibes:
            """
            do $$
            declare
                name text;
            begin
                select conname into strict name from pg_catalog.pg_constraint
                where conrelid = 'public.partner_vibes'::regclass and contype = 'u';
                execute pg_catalog.format('alter table public.partner_vibes drop constraint %I', name);
            end
            $$
            """
        case .tornRuns: "drop trigger recommendation_runs_are_whole on public.recommendation_runs"
        case .worstHintsFirst:
            Self.edited(
                "public.match_hints(public.vector, uuid, double precision, integer)",
                "similarity DESC",
                "similarity"
            )
        case .readableEmail: "grant select (email) on public.users to knot_worker"
        }
    }

    /// A function with a part of its text replaced; it is an error where that part is not there.
    private static func edited(_ function: String, _ part: String, _ replacement: String) -> String {
        """
        do $$
        declare
            was text := pg_catalog.pg_get_functiondef('\(function)'::pg_catalog.regprocedure);
            text text := pg_catalog.replace(was, '\(part)', '\(replacement)');
        begin
            if text = was then
                raise exception 'the part is not there';
            end if;
            execute text;
        end
        $$
        """
    }
}
