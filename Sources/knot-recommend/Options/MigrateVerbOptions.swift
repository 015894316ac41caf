/// What `migrate` was asked to do.
struct MigrateVerbOptions: Sendable, Equatable {
    let shared: SharedOptions
    /// Nil: all there are.
    let target: Int?
    let isDryRun: Bool
    let wantsStatus: Bool

    init(_ arguments: TypedArguments, _ settings: Settings) throws(CommandError) {
        shared = SharedOptions(arguments, settings)
        target = arguments.text(.to).flatMap { Int($0) }
        isDryRun = arguments.has(.dryRun)
        wantsStatus = arguments.has(.status)
        guard !wantsStatus || (target == nil && !isDryRun) else {
            throw .usage(.migrate, "--status changes nothing", todo: "leave out --to and --dry-run")
        }
    }
}
