import TestSupport
import Testing

@testable import Migrations
@testable import VaultStore

/// When a device's token was registered: what decides whether word that it is gone is older.
@Suite(.tags(.database)) struct DeviceRegistrationTests {
    private static let user = "'\(SchemaSeed.id(SchemaSeed.userKind, of: 1))'"
    private static let moment = "select device_registered_at from public.users where id = \(user)"

    @Test func `a token has the moment at which it was written, and no edit beside it another`() async throws {
        try await SchemaDatabase.with { database in
            let session = try database.connect()
            try await session.run(script: SchemaSeed.script(people: 1...1))
            #expect(try await session.value(Self.moment) == nil)
            try await session.run(script: "update public.users set device_token = 'abc', device_platform = 'ios'")
            let first = try #require(try await session.value(Self.moment))
            try await session.run(script: "update public.users set quiet_hours_end = 7, timezone = 'Europe/London'")
            #expect(try await session.value(Self.moment) == first)
            // A telephone that says its token once more has it: that is what Apple asks for.
            try await session.run(script: "update public.users set device_token = 'abc'")
            let second = try #require(try await session.value(Self.moment))
            #expect(second != first)
            try await session.run(script: "update public.users set device_token = 'def'")
            #expect(try await session.value(Self.moment) != second)
            try await session.run(script: "update public.users set device_token = null")
            #expect(try await session.value(Self.moment) == nil)
        }
    }

    @Test func `a token from before the column counts from its person's beginning, and no row looks edited`()
        async throws
    {
        try await SchemaDatabase.with(isMigrated: false) { database in
            let session = try database.connect()
            let migrator = Migrator(session, engineVersion: "test")
            _ = try await migrator.migrate(to: 42)
            try await session.run(script: SchemaSeed.script(people: 1...2, hasFiles: false))
            try await session.run(
                script: "update public.users set device_token = 'abc', device_platform = 'ios' where id = \(Self.user)"
            )
            let before = try await session.column("select updated_at from public.users order by id")
            _ = try await migrator.migrate()
            #expect(try await session.column("select updated_at from public.users order by id") == before)
            let found = try await session.column(
                "select device_registered_at is not distinct from case when device_token is not null then created_at end "
                    + "from public.users"
            )
            #expect(found == ["t", "t"])
            // The trigger that tells of edits is at work again.
            try await session.run(script: "update public.users set quiet_hours_end = 7")
            #expect(try await session.column("select updated_at from public.users order by id") != before)
        }
    }
}
