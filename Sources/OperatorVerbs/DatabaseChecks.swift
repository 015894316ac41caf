import ChoiceService
import Composition
import Console
import Migrations
import PostgresClient
import ReminderStore
import VaultStore
import Verbs

/// What `doctor` says of the database: whether it is there, what it has, what this role may, and what time it thinks it is.
enum DatabaseChecks {
    private static let limit = Duration.seconds(10)

    static func all(_ context: CommandContext) async -> [DoctorCheck] {
        let server = CommandDatabase(context)
        do throws(CommandError) {
            guard let target = try await server.configuredTarget() else {
                let hint = "none set up; fixtures need none, and knot-recommend dev-db start makes one"
                return [DoctorCheck("database", .fine, hint)]
            }
            let connection = try await server.connect()
            let health = try await reporting {
                try await DatabaseHealth.look(connection, against: MachineClock(), until: .now + limit)
            }
            let schema = await schema(connection)
            await connection.close()
            let found = [database(health, target.description), vector(health), rights(health), clock(health)]
            return found + (await contents(server, schema))
        } catch {
            return [DoctorCheck("database", error)]
        }
    }

    static func database(_ health: DatabaseHealth, _ target: String) -> DoctorCheck {
        guard health.versionNumber >= 160_000 else {
            let old = "\(target) is PostgreSQL \(health.version): use 16 or later, or knot-recommend dev-db start"
            return DoctorCheck("database", .failure, old)
        }
        let found = "\(target), PostgreSQL \(health.version)"
        guard let flaw = health.flaw else { return DoctorCheck("database", .fine, found) }
        return DoctorCheck("database", .warning, "\(found): \(flaw)")
    }

    static func vector(_ health: DatabaseHealth) -> DoctorCheck {
        let name = "pgvector"
        guard let version = health.vector else {
            let todo = "install it on the server and run knot-recommend migrate, or: create extension vector"
            return DoctorCheck(name, .failure, "the database has not the extension \"vector\": \(todo)")
        }
        let parts = version.split(separator: ".").map { Int($0) ?? 0 }
        guard let major = parts.first, (major, parts.dropFirst().first ?? 0) >= (0, 7) else {
            let todo = "install 0.7 or later on the server, then: alter extension vector update"
            return DoctorCheck(name, .failure, "\(version) is too old: \(todo)")
        }
        return DoctorCheck(name, .fine, version)
    }

    static func rights(_ health: DatabaseHealth) -> DoctorCheck {
        let name = "rights"
        guard let first = health.missingRights.first else {
            return DoctorCheck(name, .fine, "\(health.role) may do what a worker does")
        }
        let more = health.missingRights.count == 1 ? "" : " and \(health.missingRights.count - 1) more"
        let lacks = TerminalText.safe("\(health.role) lacks \(first)\(more)", limit: 200)
        return DoctorCheck(name, .failure, "\(lacks): connect as knot_worker, or: grant knot_worker to \(health.role)")
    }

    /// Reminders go by the server's clock, signatures and certificates by this machine's.
    static func clock(_ health: DatabaseHealth) -> DoctorCheck {
        let name = "clock"
        let off = abs(health.clockAhead.inSeconds) - health.clockError.inSeconds
        let words = "\(tenths(abs(health.clockAhead.inSeconds))) s \(health.clockAhead < .zero ? "behind" : "ahead")"
        let found = "the server's is \(words) of this machine's"
        if off <= 2 { return DoctorCheck(name, .fine, found) }
        let todo = "set both by NTP; reminders go by the server's, signatures and certificates by this machine's"
        return DoctorCheck(name, off > 60 ? .failure : .warning, "\(found): \(todo)")
    }

    /// Needs the schema of this program.
    private static func contents(_ server: CommandDatabase, _ schema: DoctorCheck) async -> [DoctorCheck] {
        let pool: ConnectionPool
        do throws(CommandError) {
            pool = try await server.open()
        } catch {
            return [DoctorCheck("schema", error)]
        }
        do throws(CommandError) {
            let audit = try await reporting { try await CatalogueAudit.look(pool, until: .now + limit) }
            await pool.close()
            guard let problem = audit.problems.first else {
                return [schema, DoctorCheck("catalogue", .fine, "\(audit.looked) items looked at")]
            }
            let more = audit.problems.count == 1 ? "" : " and \(audit.problems.count - 1) more like it"
            let item = TerminalText.safe("\(problem)", limit: 200)
            return [schema, DoctorCheck("catalogue", .warning, "items that are never offered: repair \(item)\(more)")]
        } catch {
            return [schema, DoctorCheck("catalogue", error)]
        }
    }

    /// Whether it is there with all that migrations have made.
    private static func schema(_ connection: PostgresConnection) async -> DoctorCheck {
        do throws(CommandError) {
            let migrator = Migrator(connection.forMigrations(until: .now + limit), engineVersion: "")
            _ = try await reporting(about: connection.target.description) { try await migrator.status() }
            return DoctorCheck("schema", .fine, "this program's")
        } catch {
            return DoctorCheck("schema", error)
        }
    }

    private static func tenths(_ seconds: Double) -> String {
        let tenths = Int((seconds * 10).rounded())
        return "\(tenths / 10).\(tenths % 10)"
    }
}

extension Duration {
    fileprivate var inSeconds: Double { self / .seconds(1) }
}
