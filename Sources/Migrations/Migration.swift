import Digest
import EmbeddedFiles

/// One numbered change of the database, applied once and never edited afterwards.
package struct Migration: Sendable, Hashable {
    /// 1 and up; 0 is the bootstrap of a server that is not Supabase.
    package let number: Int
    /// The file's name without its ending, such as `003_partner_vaults`.
    package let name: String
    package let sql: String
    /// SHA-256 of the file's bytes, as hexadecimal text.
    package let checksum: String
    /// The highest number that a program has to know to work with a database that has this one; its own number unless
    /// it only adds.
    package let worksFrom: Int

    package init(number: Int, name: String, sql: String, worksFrom: Int? = nil) {
        self.worksFrom = worksFrom ?? number
        self.number = number
        self.name = name
        self.sql = sql
        checksum = SHA256Digest(of: sql).hex
    }

    /// The file as people know it.
    package var fileName: String { "\(name).sql" }
}

/// All migrations this binary knows, embedded in it.
package enum Migrations {
    /// What Supabase provides; applied only where it is missing.
    package static let bootstrap = migration(0, "000_bootstrap")

    /// In order, without gaps, from 1.
    package static let all: [Migration] = [
        migration(1, "001_vector"),
        migration(2, "002_users"),
        migration(3, "003_partner_vaults"),
        migration(4, "004_partner_interests"),
        migration(5, "005_partner_milestones"),
        migration(6, "006_partner_vibes"),
        migration(7, "007_partner_budgets"),
        migration(8, "008_partner_love_languages"),
        migration(9, "009_hints"),
        migration(10, "010_recommendations"),
        migration(11, "011_recommendation_feedback"),
        migration(12, "012_notification_queue"),
        migration(13, "013_production_columns"),
        migration(14, "014_supporting_indexes"),
        migration(15, "015_recommendation_runs"),
        migration(16, "016_recommendation_jobs"),
        migration(17, "017_readings"),
        migration(18, "018_caches"),
        migration(19, "019_learned_weights"),
        migration(20, "020_catalogue"),
        migration(21, "021_vault_imports"),
        migration(22, "022_roles"),
        migration(23, "023_queue_functions"),
        migration(24, "024_hint_embeddings"),
        migration(25, "025_catalogue_embeddings"),
        migration(26, "026_function_paths"),
        migration(27, "027_owners_of_rows"),
        migration(28, "028_run_identities"),
        migration(29, "029_worker_columns"),
        migration(30, "030_sequence_rights"),
        migration(31, "031_worker_explains"),
        migration(32, "032_queue_laws", worksFrom: 31),
        migration(33, "033_moments", worksFrom: 31),
        migration(34, "034_learned_imports", worksFrom: 31),
        migration(35, "035_requests", worksFrom: 31),
        migration(36, "036_forgotten_readings", worksFrom: 31),
        migration(37, "037_import_files", worksFrom: 31),
        migration(38, "038_provider_names", worksFrom: 31),
        migration(39, "039_catalogue_changes", worksFrom: 31),
        migration(40, "040_notices", worksFrom: 31),
        migration(41, "041_worker_batches", worksFrom: 31),
        migration(42, "042_run_timings", worksFrom: 31),
        migration(43, "043_device_registrations", worksFrom: 31),
        migration(44, "044_queue_indexes", worksFrom: 31),
        migration(45, "045_suspect_jobs", worksFrom: 31),
        migration(46, "046_phrase_vectors", worksFrom: 31),
        migration(47, "047_restored_triggers", worksFrom: 31),
        migration(48, "048_notice_names", worksFrom: 31),
        migration(49, "049_worker_connections", worksFrom: 31),
        migration(50, "050_lasting_reminders", worksFrom: 31),
        migration(51, "051_fair_claims_and_kept_notices", worksFrom: 31),
        migration(52, "052_vault_turns", worksFrom: 31),
    ]

    /// The first twelve are the schema in production, which a database may have without our history of it.
    package static let productionCount = 12

    /// One that only adds, so that a program that knows no more than `worksFrom` works beside it, says so; of all others
    /// a program has to know them.
    private static func migration(_ number: Int, _ name: String, worksFrom: Int? = nil) -> Migration {
        Migration(number: number, name: name, sql: EmbeddedFile.text(named: "\(name).sql"), worksFrom: worksFrom)
    }
}

/// A row of the history that a database keeps of its migrations.
package struct AppliedMigration: Sendable, Hashable {
    package let number: Int
    package let name: String
    package let checksum: String
    /// As the server writes it.
    package let appliedAt: String
    /// Its tables were there already, so it was noted and not run.
    package let isAdopted: Bool
    /// Up to which number a program has to know migrations to work with a database that has this one.
    package let worksFrom: Int
}

/// How one migration stands in a database.
package struct MigrationStatus: Sendable, Hashable {
    package let migration: Migration
    /// Nil while it is pending.
    package let applied: AppliedMigration?

    package var isPending: Bool { applied == nil }
}

/// What a migration would do to a database as it is now.
package struct MigrationPlan: Sendable, Hashable {
    package enum Step: Sendable, Hashable {
        case apply(Migration)
        /// Noted without being run: production made these tables before there was a history.
        case adopt(Migration)

        package var migration: Migration {
            switch self {
            case .apply(let migration), .adopt(let migration): migration
            }
        }
    }

    /// In the order they are done.
    package let steps: [Step]
    /// The highest number applied before.
    package let current: Int
    /// The highest number afterwards.
    package let target: Int

    package init(steps: [Step], current: Int, target: Int) {
        self.steps = steps
        self.current = current
        self.target = target
    }

    package var isEmpty: Bool { steps.isEmpty }
}

/// What a database says was applied to it, held against what this binary knows.
struct MigrationHistory: Sendable {
    /// By number.
    let applied: [AppliedMigration]

    var highest: Int { applied.last?.number ?? 0 }

    var numbers: Set<Int> { Set(applied.map(\.number)) }

    /// Throws for a history that this binary must not build upon: newer, with a gap, or of files that have changed.
    func check(against known: [Migration], bootstrap: Migration) throws(MigrationError) {
        let latest = known.last?.number ?? 0
        // What only adds may be there before this binary knows it.
        if let needed = applied.filter({ $0.number > latest }).max(by: { $0.worksFrom < $1.worksFrom }),
            needed.worksFrom > latest
        {
            throw MigrationError(
                .databaseNewer,
                what: "the database has migration \(needed.name), and this binary knows only up to \(latest)",
                todo: "update knot-recommend to a version that knows migration \(needed.worksFrom)"
            )
        }
        let byNumber = Dictionary(uniqueKeysWithValues: ([bootstrap] + known).map { ($0.number, $0) })
        for row in applied where row.number <= latest {
            guard let migration = byNumber[row.number] else {
                throw MigrationError(
                    .historyGap,
                    what: "the database has migration \(row.name), which this binary does not know",
                    todo: "use the knot-recommend that made this database"
                )
            }
            guard row.checksum == migration.checksum else {
                throw MigrationError(
                    .checksumChanged,
                    what: "\(migration.fileName) was applied on \(row.appliedAt) with other contents",
                    todo: "use the knot-recommend that applied it, or one that has not edited it"
                )
            }
        }
        let here = numbers
        for migration in known where migration.number < highest && !here.contains(migration.number) {
            throw MigrationError(
                .historyGap,
                what: "the database has migration \(highest) but not \(migration.fileName)",
                todo: "its history was edited by hand; restore the row of knot.knot_migrations"
            )
        }
    }
}
