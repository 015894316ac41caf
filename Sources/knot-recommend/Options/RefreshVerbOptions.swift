import Recommendation
import VaultStore

/// What `refresh` was asked to do.
struct RefreshVerbOptions: Sendable, Equatable {
    /// The set to re-roll.
    enum Source: Sendable, Equatable {
        /// The path of a result, and the fixture it was made from.
        case result(String, FixtureOptions)
        /// A stored run.
        case run(String, VaultOptions)
    }

    let shared: SharedOptions
    let source: Source
    let reason: RefreshReason
    /// Sorted positions of the rejected choices, each once; empty: all that the result has.
    let rejected: [Int]
    let output: OutputOptions

    init(_ arguments: TypedArguments, _ settings: Settings) throws(CommandError) {
        if let run = arguments.text(.run) {
            let foreign = [FlagName.from, .fixture].filter(arguments.has)
            guard foreign.isEmpty else {
                let flags = foreign.map(\.typed).joined(separator: " and ")
                throw .usage(.refresh, "a stored run needs no \(flags)", todo: "leave it out or leave --run out")
            }
            guard PostgresUUID(run) != nil else { throw .noRun(run) }
            source = .run(run, VaultOptions(arguments, settings))
        } else {
            guard let from = arguments.text(.from) else { throw .missing(.from, .refresh) }
            guard let path = arguments.text(.fixture) else { throw .missing(.fixture, .refresh) }
            source = .result(from, FixtureOptions(path: path, arguments, settings))
        }
        guard let reason = arguments.text(.reason).flatMap(RefreshReason.init) else {
            throw .missing(.reason, .refresh)
        }
        shared = SharedOptions(arguments, settings)
        self.reason = reason
        rejected = Set(arguments.all(.reject).compactMap { Int($0) }).sorted()
        output = try OutputOptions(arguments, .refresh)
    }
}
