import Fixtures
import HintRules
import KnotDomain
import LocalPostgres
import PostgresClient
import Recommendation
import StageGraph
import TestSupport
import Testing

@testable import VaultStore

@Suite("Stored readings", .tags(.database)) struct StoredReadingsTests {
    private static let asOf = Instant(millisecondsSinceEpoch: 1_772_000_000_000)

    /// The insert of one hint's reading; every other is of the same shape.
    private static func insert(
        _ hint: Hint,
        of vault: Vault,
        digest: String? = nil,
        reader: String = "model",
        serves: String = "{kept phrase}",
        overrules: String = "{}",
        daysAgo: Int = 0
    ) -> String {
        """
        insert into public.hint_readings
            (vault_id, hint_id, reader, input_digest, about, stance, strength, serves, overrules, created_at)
            values ('\(vault.id)', '\(hint.id)', '\(reader)', '\(digest ?? ReadingDigest.of(hint))', 'partner', 'wants',
            0.75, '\(serves)', '\(overrules)', now() - \(daysAgo) * interval '1 day');
        """
    }

    private static func read(_ source: PostgresVaultSource, _ vault: Vault) async throws -> VaultReading {
        try await readings(source, vault).reading(of: vault, tier: .minorOccasion, asOf: asOf)
    }

    private static func readings(_ source: PostgresVaultSource, _ vault: Vault) async throws -> StoredReadings {
        StoredReadings(of: try await source.load(vault.id), fallback: RulesReader())
    }

    @Test func `that are not there leave the hints to the rules`() async throws {
        try await VaultDatabase.withVault { _, fixture, source in
            let reading = try await Self.read(source, fixture.vault)
            #expect(reading.hints.isEmpty)
            let rules = RulesReader().read(fixture.vault, tier: .minorOccasion, asOf: Self.asOf)
            #expect(reading.serves == rules.serves && reading.avoid == rules.avoid)
        }
    }

    @Test func `of another text are not used`() async throws {
        try await VaultDatabase.withVault { database, fixture, source in
            let hints = fixture.vault.hints
            try await database.run(
                Self.insert(hints[0], of: fixture.vault)
                    + Self.insert(hints[1], of: fixture.vault, digest: String(repeating: "a", count: 64))
                    + Self.insert(hints[2], of: fixture.vault, serves: "{old}", daysAgo: 2)
                    + Self.insert(hints[2], of: fixture.vault, reader: "newer", serves: "{new}", daysAgo: 1)
                    + Self.insert(hints[3], of: fixture.vault, reader: "rules")
            )
            let reading = try await Self.read(source, fixture.vault)
            #expect(reading.hints.map(\.hintID) == [hints[0].id, hints[2].id])
            #expect(reading.hints.map(\.serves) == [["kept phrase"], ["new"]])
            // The text is edited: what was read of it before says nothing of it now.
            try await database.run("update public.hints set hint_text = 'wants a kite' where id = '\(hints[0].id)'")
            let edited = try await source.load(fixture.vault.id).vault
            #expect(try await Self.read(source, edited).hints.map(\.hintID) == [hints[2].id])
        }
    }

    @Test func `of overruled hints serve nothing, and deleted ones take nothing away`() async throws {
        try await VaultDatabase.withVault { database, fixture, source in
            let hints = fixture.vault.hints
            try await database.run(
                Self.insert(hints[0], of: fixture.vault)
                    + Self.insert(
                        hints[1],
                        of: fixture.vault,
                        overrules: "{\(hints[0].id),00000000-0000-4000-8000-000000000001}"
                    )
            )
            let reading = try await Self.read(source, fixture.vault)
            #expect(reading.hints.map(\.strength) == [0, 0.75])
            #expect(reading.hints.map(\.serves) == [[], ["kept phrase"]])
            #expect(reading.hints[1].overrules == [hints[0].id])
        }
    }

    @Test func `of the whole vault serve their tier while no hint has changed`() async throws {
        try await VaultDatabase.withVault { database, fixture, source in
            let vault = fixture.vault
            let digest = ReadingDigest.of(vault, tier: .minorOccasion)
            try await database.run(
                """
                insert into public.vault_readings (vault_id, occasion_type, reader, input_digest, serves, avoid)
                    values ('\(vault.id)', 'minor_occasion', 'model', '\(digest)',
                        array['a map', E' \\u202E ', E'a \\t globe'], '{a clock}')
                """
            )
            let reading = try await Self.read(source, vault)
            #expect(reading.serves == ["a map", "a globe"] && reading.avoid == ["a clock"])
            let other = try await Self.readings(source, vault).reading(
                of: vault,
                tier: .justBecause,
                asOf: Self.asOf
            )
            #expect(other.serves != reading.serves)
        }
    }

    @Test func `are kept to the last phrase, and one that is too long is an error that names it`() async throws {
        try await VaultDatabase.withVault { database, fixture, source in
            let vault = fixture.vault
            let digest = ReadingDigest.of(vault, tier: .minorOccasion)
            for count in [TextLimit.listItems, TextLimit.listItems + 1] {
                try await database.run(
                    """
                    delete from public.vault_readings;
                    insert into public.vault_readings (vault_id, occasion_type, reader, input_digest, serves, avoid)
                        select '\(vault.id)', 'minor_occasion', 'model', '\(digest)', '{}',
                            array_agg('phrase ' || i order by i) from generate_series(1, \(count)) i
                    """
                )
                guard count > TextLimit.listItems else {
                    let reading = try await Self.read(source, vault)
                    #expect(reading.avoid.count == count && reading.avoid.last == "phrase \(count)")
                    continue
                }
                let failure = await #expect(throws: StageFailure.self) { try await Self.read(source, vault) }
                #expect(failure?.code == "reading_unreadable" && failure?.failureClass == .data)
                #expect(failure?.detail.contains(vault.id.text) == true)
            }
        }
    }

    @Test func `say of a run which hints the rules read`() async throws {
        let fixtureCase = try #require(try JudgedFixtures.all().first)
        let fixture = fixtureCase.fixture
        try await withDatabase(.eighteen, .migrated) { database in
            let hints = fixture.vault.hints
            try await database.run(StoredFixture(fixture).sql + Self.insert(hints[0], of: fixture.vault))
            let source = try PostgresVaultSource(VaultDatabase.pool(database))
            var ports = StagePorts(
                fixtureCase,
                asOf: nil,
                zones: ZoneDirectory(),
                clock: FixtureClock(fixture.asOf ?? Self.asOf)
            )
            ports.vaults = source
            ports.reader = try await Self.readings(source, fixture.vault)
            let plan = try Scene.plan("choice-of-three")
            let run = await Scene.engine.report(plan, ports: ports, options: RunOptions())
            let note = run.report.reasons.first { $0.code == "reading_rules" }
            #expect(note?.detail.hasPrefix("\(hints.count - 1) of \(hints.count) hints had no reading") == true)
        }
    }

    @Test func `come with the vault in its round trip`() async throws {
        let fixture = try #require(try JudgedFixtures.all().first).fixture
        try await withDatabase(.eighteen, .migrated) { database in
            try await database.run(StoredFixture(fixture).sql)
            let proxy = try WireProxy(to: database.server.running.socketFolder + "/.s.PGSQL.5432")
            let target = try ConnectionTarget(url: proxy.url(database: database.name, user: "knot_worker"))
            let source = PostgresVaultSource(ConnectionPool(to: target, PoolSettings(limit: 1)))
            _ = try await source.vaultIDs(limit: 1)
            let before = proxy.counts
            _ = try await Self.read(source, fixture.vault)
            #expect((proxy.counts - before).roundTrips == 1)
        }
    }
}
