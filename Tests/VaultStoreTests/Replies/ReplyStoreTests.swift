import PostgresClient
import TestSupport
import Testing

@testable import VaultStore

/// Providers' replies in the database, as the worker's role and others may keep them.
@Suite(.tags(.database)) struct ReplyStoreTests {
    private static let now: Int64 = 1_795_000_000

    private static func reply(_ text: String = "{}", since: Int64 = now, tag: String? = "\"v1\"") -> StoredReply {
        StoredReply(status: 200, body: Array(text.utf8), tag: tag, since: since)
    }

    /// Without the bounds of time that a run has: these tests are about what is kept.
    private static func store(
        _ database: TestDatabase,
        as user: String? = "knot_worker",
        _ change: (inout ReplyStore.Limits) -> Void = { _ in }
    ) throws -> ReplyStore {
        var limits = ReplyStore.Limits()
        limits.patience = .seconds(30)
        change(&limits)
        let url = user.map { database.url(user: $0) } ?? database.url
        return ReplyStore(ConnectionPool(to: try ConnectionTarget(url: url), PoolSettings(limit: 1)), limits: limits)
    }

    @Test(arguments: ServerVersion.serving)
    func `keeps a reply byte for byte for whoever asks the same, over another connection too`(
        on server: ServerVersion
    ) async throws {
        try await withDatabase(server, .migrated) { database in
            let (one, other) = (try Self.store(database), try Self.store(database))
            let odd = StoredReply(status: 200, body: (0...255).map { UInt8($0) }, tag: nil, since: Self.now)
            try await one.keep(odd, of: "yelp", to: "call", for: 60)
            #expect(try await other.reply(of: "yelp", to: "call", at: Self.now + 59) == odd)
            #expect(try await other.reply(of: "yelp", to: "another", at: Self.now) == nil)
            #expect(try await other.reply(of: "amazon", to: "call", at: Self.now) == nil)
            try await other.keep(Self.reply("new", since: Self.now + 5), of: "yelp", to: "call", for: 60)
            #expect(try await one.reply(of: "yelp", to: "call", at: Self.now + 5)?.body == Array("new".utf8))
            // Who is slow does not put an older reply over a newer one.
            try await one.keep(odd, of: "yelp", to: "call", for: 60)
            #expect(try await one.reply(of: "yelp", to: "call", at: Self.now + 5)?.body == Array("new".utf8))
            try await one.remove("call", of: "yelp")
            #expect(try await other.reply(of: "yelp", to: "call", at: Self.now) == nil)
        }
    }

    @Test func `has a reply no longer than it may, to the second`() async throws {
        try await withDatabase(.eighteen, .migrated) { database in
            let store = try Self.store(database)
            try await store.keep(Self.reply(), of: "yelp", to: "call", for: 86_400)
            #expect(try await store.reply(of: "yelp", to: "call", at: Self.now + 86_399) == Self.reply())
            #expect(try await store.reply(of: "yelp", to: "call", at: Self.now + 86_400) == nil)
        }
    }

    @Test func `removes what has expired, and the oldest of what is too much`() async throws {
        try await withDatabase(.eighteen, .migrated) { database in
            let store = try Self.store(database) { limits in
                (limits.replies, limits.sweep, limits.bodyBytes, limits.bytes) = (5, 1, 1_000, 3_000)
            }
            try await store.keep(Self.reply(since: Self.now - 100), of: "yelp", to: "old", for: 50)
            for number in 0..<10 {
                let reply = Self.reply(since: Self.now + Int64(number))
                try await store.keep(reply, of: "yelp", to: "call-\(number)", for: 3_600)
            }
            let count = "select count(*)::text from public.provider_responses"
            #expect(try await database.run(count) == [["5"]])
            #expect(try await store.reply(of: "yelp", to: "call-4", at: Self.now) == nil)
            #expect(try await store.reply(of: "yelp", to: "call-5", at: Self.now) != nil)
            // Three bodies of that size are as much as all may have together.
            for number in 0..<6 {
                let large = Self.reply(String(repeating: "x", count: 1_000), since: Self.now + 20 + Int64(number))
                try await store.keep(large, of: "amazon", to: "large-\(number)", for: 3_600)
            }
            #expect(try await database.run(count) == [["3"]])
            let huge = Self.reply(String(repeating: "x", count: 1_001), since: Self.now + 30)
            try await store.keep(huge, of: "amazon", to: "large-5", for: 3_600)
            #expect(try await store.reply(of: "amazon", to: "large-5", at: Self.now) == nil)
        }
    }

    @Test func `says neither what was asked nor for whom`() async throws {
        try await withDatabase(.eighteen, .migrated) { database in
            let store = try Self.store(database)
            try await store.keep(Self.reply(), of: "yelp", to: "https://a.example/?near=Springfield", for: 60)
            let rows = try await database.run("select r::text from public.provider_responses r")
            #expect(rows.count == 1 && !(rows[0][0] ?? "").contains("Springfield"))
        }
    }

    @Test func `is closed to people, and to whoever has not signed in`() async throws {
        try await withDatabase(.eighteen, .migrated) { database in
            try await Self.store(database).keep(Self.reply(), of: "yelp", to: "call", for: 60)
            for role in ["anon", "authenticated", "knot_person"] {
                for statement in [
                    "select * from public.provider_responses", "delete from public.provider_responses",
                    "insert into public.provider_responses (provider, request_digest, status, body, expires_at) "
                        + "values ('yelp', sha256('x'), 200, '', now() + interval '1 hour')",
                ] {
                    await #expect("\(role): \(statement)") {
                        try await database.run("set role \(role); \(statement)")
                    } throws: { error in
                        "\(error)".contains("permission denied for table provider_responses")
                    }
                }
            }
        }
    }

    @Test func `is written by several at once`() async throws {
        try await withDatabase(.eighteen, .migrated) { database in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for writer in 0..<4 {
                    group.addTask {
                        let store = try Self.store(database) { $0.sweep = 1 }
                        for number in 0..<25 {
                            let reply = Self.reply("\(writer)", since: Self.now + Int64(number))
                            try await store.keep(reply, of: "yelp", to: "call-\(number % 5)", for: 60)
                        }
                    }
                }
                try await group.waitForAll()
            }
            let rows = try await database.run("select count(*)::text from public.provider_responses")
            #expect(rows == [["5"]])
        }
    }
}
