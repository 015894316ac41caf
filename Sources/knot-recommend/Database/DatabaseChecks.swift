import VaultStore

/// What `doctor` says of the database.
enum DatabaseChecks {
    static func check(_ context: CommandContext) async -> DoctorCheck {
        let desk = DatabaseDesk(context)
        do throws(CommandError) {
            guard let target = try await desk.configuredTarget() else {
                let hint = "none set up; fixtures need none, and knot-recommend dev-db start makes one"
                return DoctorCheck("database", .fine, hint)
            }
            let pool = try await desk.open()
            let audit: CatalogueAudit
            do throws(PostgresError) {
                audit = try await CatalogueAudit.look(pool, until: .now + .seconds(10))
            } catch {
                throw CommandError(error)
            }
            let schema = "\(target), its schema is this program's"
            guard let problem = audit.problems.first else { return DoctorCheck("database", .fine, schema) }
            let more = audit.problems.count == 1 ? "" : " and \(audit.problems.count - 1) more like it"
            let item = TerminalText.safe("\(problem)", limit: 200)
            return DoctorCheck(
                "database",
                .warning,
                "\(schema), but items of its catalogue are never offered: repair \(item)\(more)"
            )
        } catch {
            return DoctorCheck("database", .failure, "\(error.what), \(error.place): \(error.todo)")
        }
    }
}
