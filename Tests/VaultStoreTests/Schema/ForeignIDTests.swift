import TestSupport
import Testing

@testable import VaultStore

/// A function of the queue that is called with ids of several persons changes nothing, and with those of one person only
/// what is that person's.
@Suite(.onOwnThreads, .tags(.database)) struct ForeignIDTests {
    /// Whose id stands in a place of a call.
    private enum Place: CaseIterable {
        case milestone
        case job
        case token
        case worker
        case run
        case notification

        func id(of person: Int) -> String {
            switch self {
            case .milestone: SchemaSeed.id(3, of: person)
            case .job: SchemaSeed.id(6, of: person)
            case .token: SchemaSeed.id(7, of: person)
            case .worker: SchemaSeed.id(8, of: person)
            case .run: SchemaSeed.run(of: person).id
            case .notification: SchemaSeed.id(5, of: person)
            }
        }
    }

    /// A call of one function; each `?` is an id of the place of the same number.
    private struct Call {
        let text: String
        let places: [Place]
    }

    /// By signature: a function without calls here fails the test, so that a new one is held to the law as well.
    private static let calls: [String: [Call]] = [
        "api.check_count(text,integer,integer)": [Call(text: "api.check_count('x', 1, 2)", places: [])],
        "api.check_moment(text,timestamp with time zone)": [Call(text: "api.check_moment('x', now())", places: [])],
        "api.enqueue(uuid[],date[],integer[],timestamp with time zone[],integer)": [
            Call(text: "api.enqueue('{?}', '{2027-05-06}', '{7}', '{2027-04-29 10:00Z}')", places: [.milestone]),
            Call(text: "api.enqueue('{?}', '{2026-05-06}', '{7}', '{2026-04-29 11:00Z}')", places: [.milestone]),
        ],
        "api.claim_jobs(uuid,integer,integer)": [Call(text: "api.claim_jobs('?', 1, 60)", places: [.worker])],
        "api.renew(uuid[],uuid[],integer)": [Call(text: "api.renew('{?}', '{?}', 3600)", places: [.job, .token])],
        "api.complete(uuid,uuid,uuid)": [
            Call(text: "api.complete('?', '?', '?')", places: [.job, .token, .run]),
            Call(text: "api.complete('?', '?')", places: [.job, .token]),
        ],
        "api.end_notification(uuid,text)": [
            Call(text: "api.end_notification('?', 'failed')", places: [.notification])
        ],
        "api.fail(uuid,uuid,text,text,text,boolean,double precision)": [
            Call(text: "api.fail('?', '?', 'stage', 'x')", places: [.job, .token]),
            Call(text: "api.fail('?', '?', 'data', 'x', null, true)", places: [.job, .token]),
        ],
        "api.snooze(uuid,uuid,timestamp with time zone)": [
            Call(text: "api.snooze('?', '?', '2027-01-01 10:00Z')", places: [.job, .token])
        ],
        "api.held_jobs(uuid[],uuid[])": [Call(text: "api.held_jobs('{?}', '{?}')", places: [.job, .token])],
        "api.claim_notification(uuid,uuid,integer)": [
            Call(
                text: "api.claim_notification('00000000-0000-4000-8000-00000000000a', '?', 60)",
                places: [.notification]
            )
        ],
        "api.begin_notice(uuid,uuid[],uuid[])": [
            Call(text: "api.begin_notice('?', '{?}', '{?}')", places: [.notification, .job, .token])
        ],
        "api.finish_notice(uuid,uuid[],uuid[],uuid[])": [
            Call(text: "api.finish_notice('?', '{?}', '{?}', '{?}')", places: [.notification, .job, .token, .run]),
            Call(text: "api.finish_notice('?', '{?}', '{null}', '{?}')", places: [.notification, .job, .run]),
        ],
        "api.begin_notices(uuid[],uuid[],uuid[])": [
            Call(text: "api.begin_notices('{?}', '{?}', '{?}')", places: [.notification, .job, .token])
        ],
        "api.begin_notices(uuid[],uuid[],uuid[],uuid[],text[])": [
            Call(
                text: "api.begin_notices('{?}', '{?}', '{?}', '{?}', array['{}'])",
                places: [.notification, .job, .token, .notification]
            )
        ],
        "api.finish_notices(uuid[],uuid[],uuid[],uuid[])": [
            Call(text: "api.finish_notices('{?}', '{?}', '{?}', '{?}')", places: [.notification, .job, .token, .run]),
            Call(text: "api.finish_notices('{?}', '{?}', '{null}', '{?}')", places: [.notification, .job, .run]),
        ],
        "api.call_off(uuid,uuid,text)": [Call(text: "api.call_off('?', '?', 'x')", places: [.job, .token])],
        "api.devices(uuid[],uuid[])": [Call(text: "api.devices('{?}', '{?}')", places: [.job, .token])],
        "api.forget_device(uuid,uuid,text,timestamp with time zone)": [
            Call(text: "api.forget_device('?', '?', 'x')", places: [.job, .token])
        ],
        "api.release(uuid)": [Call(text: "api.release('?')", places: [.worker])],
        "api.rescue(integer)": [Call(text: "api.rescue(1)", places: [])],
        "api.cancel(uuid)": [Call(text: "api.cancel('?')", places: [.job])],
        "api.replay(uuid)": [Call(text: "api.replay('?')", places: [.job])],
        "api.settle_notification(uuid,text)": [
            Call(text: "api.settle_notification('?', 'sent')", places: [.notification])
        ],
    ]

    /// Who may take any due job, whosever it is, by design.
    private static let everybodys = ["api.claim_jobs(uuid,integer,integer)", "api.rescue(integer)"]

    /// Every row that is a person's, as one digest for each person.
    private static let picture = """
        select p.id::text, md5(string_agg(r.line, '|' order by r.line))
        from public.users p cross join lateral (
            select n::text as line from public.notification_queue n where n.user_id = p.id
            union all select j::text from public.recommendation_jobs j
                join public.partner_vaults v on v.id = j.vault_id where v.user_id = p.id
            union all select s::text from public.recommendation_runs s
                join public.partner_vaults v on v.id = s.vault_id where v.user_id = p.id
            union all select f::text from public.recommendation_feedback f where f.user_id = p.id
            union all select h::text from public.hints h
                join public.partner_vaults v on v.id = h.vault_id where v.user_id = p.id
        ) r
        group by p.id
        """

    private static func persons(_ session: SchemaSession) async throws -> [String: String] {
        Dictionary(uniqueKeysWithValues: try await session.rows(picture).map { ($0[0] ?? "", $0[1] ?? "") })
    }

    /// Jobs in a state, each claimed by its own worker; with forged links, each on a notification of the other person's.
    private static func prepare(_ session: SchemaSession, state: String, isForged: Bool) async throws {
        for person in 1...2 {
            let milestone = Place.milestone.id(of: person)
            let notice = SchemaSeed.id(9, of: person)
            try await session.run(
                script: """
                    set session_replication_role = replica;
                    delete from public.recommendation_jobs where milestone_id = '\(milestone)';
                    delete from public.notification_queue where id = '\(notice)';
                    insert into public.notification_queue (id, user_id, milestone_id, scheduled_for, days_before)
                        values ('\(notice)', '\(SchemaSeed.id(1, of: 3 - person))', '\(milestone)', '2026-04-29 10:00Z', 7);
                    insert into public.recommendation_jobs (id, vault_id, milestone_id, occurrence_date, days_before,
                        notification_id, run_at, state, attempt, claim_token, claimed_by, lease_until, finished_at)
                        values ('\(Place.job.id(of: person))', '\(SchemaSeed.id(2, of: person))', '\(milestone)',
                        '2026-05-06', 7, '\(isForged ? notice : Place.notification.id(of: person))',
                        '2026-04-29 10:00Z', '\(state)', \(state == "available" ? 0 : 1),
                        '\(Place.token.id(of: person))', '\(Place.worker.id(of: person))', now() - interval '1 hour',
                        \(state == "dead" ? "now()" : "null"));
                    set session_replication_role = origin;
                    """
            )
        }
    }

    @Test func `every function has a call`() async throws {
        try await SchemaDatabase.with { database in
            let found = try await database.connect().column(
                "select p.oid::regprocedure::text from pg_proc p where p.pronamespace = 'api'::regnamespace"
            )
            #expect(Set(found) == Set(Self.calls.keys))
        }
    }

    @Test(arguments: ["running", "available", "dead"], [false, true])
    func `changes nobody's row by another's id`(state: String, isForged: Bool) async throws {
        try await SchemaDatabase.with { database in
            let session = try database.connect()
            try await session.run(script: SchemaSeed.script(people: 1...2))
            try await Self.prepare(session, state: state, isForged: isForged)
            let before = try await Self.persons(session)
            for role in ["knot_worker", "knot_queue", "knot", "anon", "authenticated", "knot_person"] {
                for (signature, calls) in Self.calls where !Self.everybodys.contains(signature) {
                    for call in calls {
                        for people in Self.assignments(call.places.count) {
                            let text = Self.filled(call, people)
                            try await session.run(script: "begin; set local role \(role)")
                            let refusal = session.refusal(of: "select * from \(text)")
                            let isPerson = ["anon", "authenticated", "knot_person"].contains(role)
                            if isPerson { #expect(refusal?.state == "42501", "\(role): \(text)") }
                            if refusal == nil {
                                try await session.run(script: "reset role")
                                let after = try await Self.persons(session)
                                let changed = Set(before.keys.filter { before[$0] != after[$0] })
                                let own = Set(people).count == 1 ? Set(people.map { SchemaSeed.id(1, of: $0) }) : []
                                #expect(changed.subtracting(own).isEmpty, "\(role), \(state): \(text)")
                            }
                            try await session.run(script: "rollback")
                        }
                    }
                }
            }
        }
    }

    /// Every way to give so many places to two persons.
    private static func assignments(_ count: Int) -> [[Int]] {
        (0..<(1 << count)).map { bits in (0..<count).map { 1 + (bits >> $0) & 1 } }
    }

    private static func filled(_ call: Call, _ people: [Int]) -> String {
        var pieces = call.text.split(separator: "?", omittingEmptySubsequences: false).map(String.init)
        for (place, (kind, person)) in zip(call.places, people).enumerated() { pieces[place] += kind.id(of: person) }
        return pieces.joined()
    }
}
