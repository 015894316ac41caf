/// Brings a database's schema up to what this binary knows.
///
/// Safe to run twice at once: each file is its own transaction under one lock, in which the history is read again.
package struct Migrator<Session: MigrationSession>: Sendable {
    private let database: MigrationDatabase<Session>
    private let migrations: [Migration]
    private let bootstrap: Migration
    private let engineVersion: String

    package init(
        _ session: Session,
        migrations: [Migration] = Migrations.all,
        bootstrap: Migration = Migrations.bootstrap,
        engineVersion: String
    ) {
        database = MigrationDatabase(session: session)
        self.migrations = migrations
        self.bootstrap = bootstrap
        self.engineVersion = engineVersion
    }

    /// Every migration and whether it is applied, where all that is applied is still there; reads only.
    package func status() async throws(MigrationError) -> [MigrationStatus] {
        let history = try await database.history()
        try history.check(against: migrations, bootstrap: bootstrap)
        try await checkObjects(of: history)
        // A program that is older than the schema does not know what else was made.
        if migrations.count == Migrations.all.count, history.highest == migrations.last?.number {
            try await database.checkParts()
        }
        let rows = Dictionary(uniqueKeysWithValues: history.applied.map { ($0.number, $0) })
        let first = rows[0].map { _ in [bootstrap] } ?? []
        return (first + migrations).map { MigrationStatus(migration: $0, applied: rows[$0.number]) }
    }

    /// What `migrate` would do now; reads only.
    package func plan(to asked: Int? = nil) async throws(MigrationError) -> MigrationPlan {
        let isAsked = asked != nil
        let target = try checked(asked)
        try await database.checkServer()
        let history = try await database.history()
        try history.check(against: migrations, bootstrap: bootstrap)
        try await checkObjects(of: history)
        // A schema that is ahead of this binary and works with it needs nothing of it.
        if !isAsked, target < history.highest {
            return MigrationPlan(steps: [], current: history.highest, target: history.highest)
        }
        guard target >= history.highest else {
            throw MigrationError(
                .goesBack,
                what: "the database is at migration \(history.highest), above \(target)",
                todo: "migrations only go forward; restore a backup to go back"
            )
        }
        var steps: [MigrationPlan.Step] = []
        var adoptable = 0
        if history.applied.isEmpty {
            do throws(MigrationError) {
                if try await isProduction() { adoptable = Migrations.productionCount }
            } catch {
                // Another migrator may have begun between the look at the history and the look at the tables.
                guard try await !database.history().applied.isEmpty else { throw error }
                return try await plan(to: asked)
            }
        }
        if try await database.needsBootstrap() { steps.append(.apply(bootstrap)) }
        let applied = history.numbers
        for migration in migrations where migration.number <= target && !applied.contains(migration.number) {
            steps.append(migration.number <= adoptable ? .adopt(migration) : .apply(migration))
        }
        try await database.checkRoles(for: steps)
        return MigrationPlan(steps: steps, current: history.highest, target: target)
    }

    /// Applies what is missing, up to a number where one is given, and returns what was done by this very call.
    ///
    /// `applied` is told of each file once it is committed.
    package func migrate(
        to target: Int? = nil,
        dryRun: Bool = false,
        applied: @Sendable (MigrationPlan.Step) -> Void = { _ in }
    ) async throws(MigrationError) -> MigrationPlan {
        let plan = try await plan(to: target)
        if dryRun || plan.isEmpty { return plan }
        var done: [MigrationPlan.Step] = []
        for step in plan.steps {
            if try await database.carryOut(step, known: migrations, bootstrap: bootstrap, by: engineVersion) {
                done.append(step)
                applied(step)
            }
        }
        return MigrationPlan(steps: done, current: plan.current, target: plan.target)
    }

    /// What somebody has to mend in a database that has all of its migrations, in sentences; reads only.
    package func notes() async throws(MigrationError) -> [String] { try await database.brokenRules() }

    /// What is not made yet is not missing.
    private func checkObjects(of history: MigrationHistory) async throws(MigrationError) {
        guard migrations.count == Migrations.all.count, history.highest >= migrations.count else { return }
        try await database.checkObjects()
    }

    /// Whether a database without a history has production's tables; throws where they are not as production has them.
    private func isProduction() async throws(MigrationError) -> Bool {
        let found = try await database.catalogue()
        guard ProductionSchema.isThere(found) else { return false }
        let differences = ProductionSchema.recorded.differences(from: found)
        guard differences.isEmpty else {
            let count = differences.count == 1 ? "one thing is" : "\(differences.count) things are"
            throw MigrationError(
                .foreignSchema,
                what: "the database has tables of ours without a history, and \(count) not as production has it",
                todo: "run the statements that mend it, or migrate an empty database",
                differences: differences
            )
        }
        return true
    }

    private func checked(_ target: Int?) throws(MigrationError) -> Int {
        let latest = migrations.last?.number ?? 0
        guard let target else { return latest }
        guard (0...latest).contains(target) else {
            throw MigrationError(
                .unknownNumber,
                what: "there is no migration \(target)",
                todo: "give a number from 0 to \(latest)"
            )
        }
        return target
    }
}

/// Whether a database has a schema this binary can work with: its own, or one that only adds to it; every command asks
/// before it does anything.
package enum SchemaCheck {
    /// Throws for an older schema, one that this binary is too old for, one whose files have changed, or one of which
    /// somebody has dropped a part.
    package static func verify(_ session: some MigrationSession) async throws(MigrationError) {
        try await verify(session, migrations: Migrations.all, bootstrap: Migrations.bootstrap)
        try await MigrationDatabase(session: session).checkObjects()
    }

    static func verify(
        _ session: some MigrationSession,
        migrations: [Migration],
        bootstrap: Migration
    ) async throws(MigrationError) {
        let history = try await MigrationDatabase(session: session).history()
        try history.check(against: migrations, bootstrap: bootstrap)
        let latest = migrations.last?.number ?? 0
        guard history.highest >= latest else {
            let found = history.applied.isEmpty ? "has no schema yet" : "is at migration \(history.highest)"
            throw MigrationError(
                .databaseOlder,
                what: "the database \(found), and this command needs migration \(latest)",
                todo: "run: knot-recommend migrate"
            )
        }
    }
}

/// What a server has, held against what we need of it.
struct ServerRequirements: Sendable {
    /// Such as 160004 for 16.4.
    let versionNumber: Int
    let version: String
    /// pgvector's version, installed or on offer; nil when the server does not offer it.
    let vector: String?

    func check() throws(MigrationError) {
        let isOld = versionNumber < 160_000
        let short = version.split(separator: " ").first.map(String.init) ?? version
        guard let vector else {
            let package = "postgresql-\(isOld ? 16 : versionNumber / 10_000)-pgvector"
            throw MigrationError(
                .extensionMissing,
                what: "the server (PostgreSQL \(short)) does not offer the extension \"vector\" (pgvector)"
                    + (isOld ? " and is older than PostgreSQL 16" : ""),
                todo: (isOld ? "use PostgreSQL 16 or later and " : "")
                    + "install pgvector on the server (apt.postgresql.org has it as \(package); see "
                    + "https://github.com/pgvector/pgvector), or use: knot-recommend dev-db start"
            )
        }
        guard !isOld else {
            throw MigrationError(
                .serverTooOld,
                what: "the server is PostgreSQL \(short)",
                todo: "use PostgreSQL 16 or later, or: knot-recommend dev-db start"
            )
        }
        let parts = vector.split(separator: ".").map { Int($0) ?? 0 }
        guard let major = parts.first, (major, parts.dropFirst().first ?? 0) >= (0, 7) else {
            throw MigrationError(
                .extensionTooOld,
                what: "the server's pgvector is \(vector)",
                todo: "install pgvector 0.7 or later, then: alter extension vector update"
            )
        }
    }
}
