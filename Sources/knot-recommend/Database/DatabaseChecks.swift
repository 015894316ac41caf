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
            _ = try await desk.open()
            return DoctorCheck("database", .fine, "\(target), its schema is this program's")
        } catch {
            return DoctorCheck("database", .failure, "\(error.what), \(error.place): \(error.todo)")
        }
    }
}
