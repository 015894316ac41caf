import JSONDocument
import KnotDomain
import PostgresClient
import TestSupport
import Testing

@testable import VaultStore

@Suite("Importing a vault", .tags(.database)) struct VaultImporterTests {
    private struct Flaw: Sendable, CustomTestStringConvertible {
        let path: String
        let value: JSONValue?
        let problem: String
        var testDescription: String { path }
    }

    private static let flaws = [
        Flaw(path: "schema", value: "knot.fixture/2", problem: "$.schema"),
        Flaw(path: "name", value: nil, problem: "$.name"),
        Flaw(path: "vault.id", value: "7", problem: "$.vault.id"),
        Flaw(path: "vault.vibes", value: [], problem: "$.vault.vibes"),
        Flaw(path: "vault.hints.0.source", value: "rumour", problem: "$.vault.hints[0].source"),
        Flaw(
            path: "vault.budgets.just_because.min_cents",
            value: -1,
            problem: "$.vault.budgets.just_because.min_cents"
        ),
        Flaw(
            path: "vault.budgets.major_milestone.max_cents",
            value: 3_000_000_000,
            problem: "$.vault.budgets.major_milestone.max_cents"
        ),
        Flaw(path: "request", value: ["milestone_id": "none"], problem: "$.request.milestone_id"),
        Flaw(path: "candidates.0.check", value: "perhaps", problem: "$.candidates[0].check"),
        Flaw(path: "candidates.1.price_cents", value: "12", problem: "$.candidates[1].price_cents"),
        Flaw(path: "judgments.0.grade", value: 9, problem: "$.judgments[0].grade"),
    ]

    @Test(arguments: flaws)
    private func `a flaw is said with its place before anything is written`(flaw: Flaw) throws {
        let value = try ImportedWorld.value("dev-01").setting(flaw.value, at: flaw.path)
        do throws(VaultStoreError) {
            _ = try FixtureDocument(parsing: JSONWriter.bytes(value))
            Issue.record("it was taken")
        } catch {
            #expect(error.code == .invalid)
            #expect(error.problems.map(\.path).contains(flaw.problem), "\(error.problems)")
        }
    }

    @Test func `what is no JSON is said with its line`() {
        #expect(throws: VaultStoreError.self) { try FixtureDocument(parsing: Array("{\n \"a\": }".utf8)) }
    }

    @Test(arguments: ServerVersion.serving)
    func `a statement that fails leaves nothing of the vault`(version: ServerVersion) async throws {
        try await ImportedWorld.with(version) { world in
            // The last statement of an import meets a rule of the test's own.
            try await world.database.run("alter table public.catalogue_items add check (candidate_id <> 'c05')")
            let document = try FixtureDocument(parsing: ImportedWorld.bytes("dev-01"))
            let error = await ImportedWorld.refusal { () async throws(VaultStoreError) in
                try await world.importer.add(document, until: ImportedWorld.limit)
            }
            #expect(error?.code == .invalid)
            #expect(try await world.count("public.partner_vaults") == 0)
            #expect(try await world.count("auth.users") == 0)
        }
    }

    @Test func `another content under a known id is refused, and replaces it where that is asked for`() async throws {
        try await ImportedWorld.with { world in
            let first = try FixtureDocument(parsing: ImportedWorld.bytes("dev-01"))
            #expect(try await world.importer.add(first, until: ImportedWorld.limit).change == .added)
            #expect(try await world.importer.add(first, until: ImportedWorld.limit).change == .unchanged)
            let changed = try ImportedWorld.value("dev-01").setting("Dorothea", at: "vault.partner_name")
            let second = try FixtureDocument(parsing: JSONWriter.bytes(changed))
            let error = await ImportedWorld.refusal { () async throws(VaultStoreError) in
                try await world.importer.add(second, until: ImportedWorld.limit)
            }
            #expect(error?.code == .vaultThere)
            #expect(try await world.count("public.partner_vaults where partner_name = 'Dorothea'") == 0)
            #expect(
                try await world.importer.add(second, replaces: true, until: ImportedWorld.limit).change == .replaced
            )
            #expect(try await world.count("public.partner_vaults where partner_name = 'Dorothea'") == 1)
            #expect(try await world.count("public.catalogue_items") == second.candidates.count)
        }
    }

    @Test func `the same content in other words of JSON changes nothing, with the same files beside it`() async throws {
        try await ImportedWorld.with { world in
            let bytes = try ImportedWorld.bytes("dev-01")
            let rates = JSONWriter.bytes(Rates.embedded.json)
            let first = try FixtureDocument(parsing: bytes, rates: rates)
            #expect(try await world.importer.add(first, until: ImportedWorld.limit).change == .added)
            let canonical = JSONWriter.bytes(try JSONParser.parse(bytes), style: .canonical)
            try #require(canonical != bytes)
            let again = try FixtureDocument(parsing: canonical, rates: rates)
            #expect(try await world.importer.add(again, until: ImportedWorld.limit).change == .unchanged)
            let alone = try FixtureDocument(parsing: canonical)
            let error = await ImportedWorld.refusal { () async throws(VaultStoreError) in
                try await world.importer.add(alone, until: ImportedWorld.limit)
            }
            #expect(error?.code == .vaultThere)
        }
    }

    @Test(arguments: ["milestones", "hints"])
    func `a file with another vault's ids is told which those are, and not to replace anything`(
        list: String
    ) async throws {
        try await ImportedWorld.with { world in
            let first = try FixtureDocument(parsing: try ImportedWorld.bytes("dev-01"))
            _ = try await world.importer.add(first, until: ImportedWorld.limit)
            let value = try ImportedWorld.value("dev-02").setting(["occasion": "just_because"], at: "request")
            let id = try #require(try ImportedWorld.value("dev-01")["vault"]?[list]?.array?.first?["id"])
            let taken = try FixtureDocument(parsing: JSONWriter.bytes(value.setting(id, at: "vault.\(list).0.id")))
            for replaces in [false, true] {
                let error = await ImportedWorld.refusal { () async throws(VaultStoreError) in
                    try await world.importer.add(taken, replaces: replaces, until: ImportedWorld.limit)
                }
                #expect(error?.code == .invalid && error?.detail.contains(list) == true, "\(error?.detail ?? "")")
                // With a vault of its own in the database it is no other.
                _ = try await world.importer.add(
                    try FixtureDocument(parsing: JSONWriter.bytes(value)),
                    replaces: true,
                    until: ImportedWorld.limit
                )
            }
        }
    }

    @Test func `a person keeps one vault`() async throws {
        try await ImportedWorld.with { world in
            let first = try FixtureDocument(parsing: ImportedWorld.bytes("dev-01"))
            _ = try await world.importer.add(first, until: ImportedWorld.limit)
            let other = try ImportedWorld.value("dev-02").setting(.string(first.vault.userID.text), at: "vault.user_id")
            let second = try FixtureDocument(parsing: JSONWriter.bytes(other))
            let error = await ImportedWorld.refusal { () async throws(VaultStoreError) in
                try await world.importer.add(second, until: ImportedWorld.limit)
            }
            #expect(error?.code == .personHasVault)
        }
    }

    @Test func `a role that does not own the tables may not import`() async throws {
        try await withDatabase(.eighteen, .migrated) { database in
            let target = try ConnectionTarget(url: database.url(user: "knot_worker"))
            let importer = VaultImporter(ConnectionPool(to: target, PoolSettings(limit: 1)))
            let document = try FixtureDocument(parsing: ImportedWorld.bytes("dev-01"))
            let error = await ImportedWorld.refusal { () async throws(VaultStoreError) in
                try await importer.add(document, until: ImportedWorld.limit)
            }
            guard case .database(let cause) = error?.code else {
                return #expect(Bool(false), "\(String(describing: error))")
            }
            #expect(cause.code == .notPermitted)
        }
    }

    @Test func `eight imports of one file at once add it once`() async throws {
        try await ImportedWorld.with(limit: 8) { world in
            let document = try FixtureDocument(parsing: ImportedWorld.bytes("dev-03"))
            let importer = world.importer
            let changes = try await withThrowingTaskGroup(of: ImportOutcome.Change.self) { group in
                for _ in 1...8 { group.addTask { try await importer.add(document, until: ImportedWorld.limit).change } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(changes.filter { $0 == .added }.count == 1)
            #expect(changes.filter { $0 == .unchanged }.count == 7)
        }
    }

    @Test func `many files come in side by side, and a wrong one stops nobody`() async throws {
        try await ImportedWorld.with { world in
            var sources = try ImportedWorld.stems.map { ImportSource(name: $0, bytes: try ImportedWorld.bytes($0)) }
            sources.insert(ImportSource(name: "broken", bytes: Array("{".utf8)), at: 3)
            var rest = sources[...]
            var steps: [Int] = []
            let summary = await world.importer.addAll(
                lanes: 4,
                next: { rest.popFirst() },
                progress: { steps.append($0.done) }
            )
            #expect(summary.progress.added == 28 && summary.progress.failed == 1)
            #expect(summary.failures.map(\.name) == ["broken"])
            #expect(steps == Array(1...29))
            #expect(summary.stoppedBy == nil)
            #expect(try await world.count("public.partner_vaults") == 28)
        }
    }
}
