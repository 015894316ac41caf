import TestSupport
import Testing

@testable import VaultStore

/// A set is stored whole, by those who may, for the vault it is of.
@Suite(.onOwnThreads, .tags(.database)) struct StoredSetTests {
    private static func set(of person: Int, rows: Int = 3) -> String {
        SchemaSeed.set(of: person, run: SchemaSeed.run(of: person, request: "another"), rows: rows)
    }

    private static func withPeople(_ body: (SchemaSession) async throws -> Void) async throws {
        try await SchemaDatabase.with { database in
            let session = try database.connect()
            try await session.run(script: SchemaSeed.script(people: 1...2))
            try await body(session)
        }
    }

    /// Runs a script in one transaction as somebody and returns what the server refused it with.
    private static func refusal(
        _ session: SchemaSession,
        role: String,
        person: Int?,
        _ script: String
    ) async throws -> String? {
        let claims = person.map { "{\"sub\": \"\(SchemaSeed.id(SchemaSeed.userKind, of: $0))\"}" } ?? ""
        let refusal = session.refusal(
            of:
                "begin; set local role \(role); select set_config('request.jwt.claims', '\(claims)', true); \(script); commit"
        )
        try await session.run(script: "rollback")
        return refusal?.state
    }

    @Test func `the worker stores a set of any vault`() async throws {
        try await Self.withPeople { session in
            let set = Self.set(of: 2)
            #expect(try await Self.refusal(session, role: "knot_worker", person: nil, set) == nil)
            let rows = try await session.value(
                "select count(*) from public.recommendations where run_id = '\(SchemaSeed.run(of: 2, request: "another").id)'"
            )
            #expect(rows == "3")
        }
    }

    @Test func `a person stores a set of their own vault and of no other`() async throws {
        try await Self.withPeople { session in
            let foreign = Self.set(of: 2)
            let refused = try await Self.refusal(session, role: "authenticated", person: 1, foreign)
            #expect(refused == "42501")
            let own = Self.set(of: 1)
            #expect(try await Self.refusal(session, role: "authenticated", person: 1, own) == nil)
            #expect(try await Self.refusal(session, role: "anon", person: 1, own) == "42501")
        }
    }

    /// Somebody who knows another's request would otherwise answer it beforehand, with titles and links of their own.
    @Test(arguments: ["authenticated", "knot_worker", "knot"])
    func `nobody puts another vault's identity on a run`(role: String) async throws {
        try await Self.withPeople { session in
            let theirs = SchemaSeed.run(of: 2, request: "another")
            let forged = SchemaSeed.set(of: 1, run: theirs)
            #expect(try await Self.refusal(session, role: role, person: 1, forged) == "23514")
            // Nor with any part of the request changed.
            let own = SchemaSeed.run(of: 1, request: "another")
            for (part, other) in [
                ("'on_demand'", "'refresh'"), ("'another'", "'an other'"), ("'major_milestone'", "'minor_occasion'"),
                ("'\(SchemaSeed.id(3, of: 1))'", "null"),
            ] {
                let changed = SchemaSeed.set(of: 1, run: own).replacing(part, with: other)
                let refused = try await Self.refusal(session, role: role, person: 1, changed)
                #expect(refused == "23514", "\(part)")
            }
            let runs = try await session.value("select count(*) from public.recommendation_runs")
            #expect(runs == "2")
        }
    }

    @Test func `a person says nothing of when their run came in`() async throws {
        try await Self.withPeople { session in
            let own = Self.set(of: 1).replacing("outcome, result)", with: "outcome, result, created_at)")
                .replacing("'complete', '{}')", with: "'complete', '{}', 'infinity')")
            let refused = try await Self.refusal(session, role: "authenticated", person: 1, own)
            #expect(refused == "42501")
        }
    }

    @Test(arguments: [0, 2])
    func `fewer than three rows cannot be committed as complete`(rows: Int) async throws {
        try await Self.withPeople { session in
            let set = Self.set(of: 1, rows: rows)
            #expect(try await Self.refusal(session, role: "knot_worker", person: nil, set) == "23514")
            let runs = try await session.value("select count(*) from public.recommendation_runs")
            #expect(runs == "2")
        }
    }

    @Test func `the same identity a second time is refused by its key`() async throws {
        try await Self.withPeople { session in
            let set = Self.set(of: 1)
            let first = try await Self.refusal(session, role: "knot_worker", person: nil, set)
            let second = try await Self.refusal(session, role: "knot_worker", person: nil, set)
            #expect(first == nil && second == "23505")
        }
    }

    @Test func `the result comes back byte for byte`() async throws {
        try await Self.withPeople { session in
            let text = #"{"b": 1.50, "a": [ 1e2,-0 ],"b":2}"#
            let found = try await session.value(
                "update public.recommendation_runs set result = '\(text)' returning result"
            )
            #expect(found == text)
        }
    }
}
