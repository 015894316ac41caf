import Digest
package import PostgresClient
import Synchronization

/// A reply of a provider as the database has it.
package struct StoredReply: Sendable, Equatable {
    package let status: Int
    package let body: [UInt8]
    /// What the provider tells it from a later one by.
    package let tag: String?
    /// In seconds since 1970.
    package let since: Int64

    package init(status: Int, body: [UInt8], tag: String?, since: Int64) {
        self.status = status
        self.body = body
        self.tag = tag
        self.since = since
    }
}

/// Providers' replies in the database, which all processes share: each until it expires, the latest first where there are
/// too many.
///
/// A call is known by a digest alone, so that no row says what was asked, or for whom.
package struct ReplyStore: Sendable {
    package struct Limits: Sendable {
        /// Of all bodies together.
        package var bytes = 64 << 20
        package var replies = 2_000
        /// Of one body; a larger one is not kept.
        package var bodyBytes = 2 << 20
        /// What is too old or too much is removed once in so many writes.
        package var sweep = 64
        /// For one statement: a run does not wait for what only may help it.
        package var patience = Duration.milliseconds(500)

        package init() {}
    }

    private let pool: ConnectionPool
    private let limits: Limits
    private let writes: Writes

    /// Counts the writes of all copies.
    private final class Writes: Sendable {
        let count = Atomic(0)
    }

    package init(_ pool: ConnectionPool, limits: Limits = Limits()) {
        self.pool = pool
        self.limits = limits
        writes = Writes()
    }

    /// What is kept of a call, unless it has expired at this time of day.
    package func reply(
        of provider: String,
        to call: String,
        at now: Int64
    ) async throws(PostgresError) -> StoredReply? {
        let rows = try await pool.read(
            [
                """
                select r.status, r.body, r.etag, extract(epoch from r.fetched_at)::int8 as since
                from public.provider_responses r
                where r.provider = \(provider) and r.request_digest = \(Self.digest(call))
                    and r.expires_at > to_timestamp(\(Double(now)))
                """
            ],
            until: .now + limits.patience
        )
        guard let row = rows.first?.first else { return nil }
        return StoredReply(
            status: Int(try row.decode("status", as: Int32.self)),
            body: try row.decode("body", as: ByteString.self).bytes,
            tag: try row.decode("etag", as: String?.self),
            since: try row.decode("since", as: Int64.self)
        )
    }

    /// Keeps a reply for so many seconds from the time it came, in place of an older one of the same call.
    package func keep(
        _ reply: StoredReply,
        of provider: String,
        to call: String,
        for life: Int64
    ) async throws(PostgresError) {
        guard reply.body.count <= limits.bodyBytes else { return try await remove(call, of: provider) }
        try await change(
            """
            insert into public.provider_responses as r
                (provider, request_digest, status, body, etag, fetched_at, expires_at)
            values (
                \(provider), \(Self.digest(call)), \(Int32(clamping: reply.status)), \(ByteString(reply.body)), \(reply.tag),
                to_timestamp(\(Double(reply.since))), to_timestamp(\(Double(reply.since + max(0, life))))
            )
            on conflict (provider, request_digest) do update
            set status = excluded.status, body = excluded.body, etag = excluded.etag,
                fetched_at = excluded.fetched_at, expires_at = excluded.expires_at
            where r.fetched_at <= excluded.fetched_at
            """
        )
        let number = writes.count.wrappingAdd(1, ordering: .relaxed).oldValue
        if number % max(1, limits.sweep) == 0 { try await sweep(at: reply.since) }
    }

    package func remove(_ call: String, of provider: String) async throws(PostgresError) {
        try await change(
            """
            delete from public.provider_responses r
            where r.provider = \(provider) and r.request_digest = \(Self.digest(call))
            """
        )
    }

    /// Removes what has expired, and the oldest of what is too much.
    package func sweep(at now: Int64) async throws(PostgresError) {
        try await change(
            """
            delete from public.provider_responses r
            using (
                select o.provider, o.request_digest, row_number() over latest as place,
                    sum(octet_length(o.body)) over latest as bytes
                from public.provider_responses o
                window latest as (order by o.fetched_at desc, o.provider, o.request_digest)
            ) k
            where k.provider = r.provider and k.request_digest = r.request_digest
                and (
                    r.expires_at <= to_timestamp(\(Double(now))) or k.place > \(Int64(limits.replies))
                    or k.bytes > \(Int64(limits.bytes))
                )
            """
        )
    }

    private func change(_ statement: SQLQuery) async throws(PostgresError) {
        try await pool.write(until: .now + limits.patience) { transaction throws(PostgresError) in
            _ = try await transaction.run(statement)
            return .written((), .byRepeating)
        }
    }

    private static func digest(_ call: String) -> ByteString { ByteString(SHA256Digest(of: call).bytes) }
}
