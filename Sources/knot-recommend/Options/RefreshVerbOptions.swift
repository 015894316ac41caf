import Recommendation

/// What `refresh` was asked to do.
struct RefreshVerbOptions: Sendable, Equatable {
    let shared: SharedOptions
    let fixture: FixtureOptions
    /// The path of the result to re-roll.
    let from: String
    let reason: RefreshReason
    /// Sorted positions of the rejected choices, each once; empty: all that the result has.
    let rejected: [Int]
    let output: OutputOptions

    init(_ arguments: TypedArguments, _ settings: Settings) throws(CommandError) {
        if arguments.has(.run) { throw .noDatabase(.run) }
        guard let from = arguments.text(.from) else { throw .missing(.from, .refresh) }
        guard let path = arguments.text(.fixture) else { throw .missing(.fixture, .refresh) }
        guard let reason = arguments.text(.reason).flatMap(RefreshReason.init) else {
            throw .missing(.reason, .refresh)
        }
        shared = SharedOptions(arguments, settings)
        fixture = FixtureOptions(path: path, arguments, settings)
        self.from = from
        self.reason = reason
        rejected = Set(arguments.all(.reject).compactMap { Int($0) }).sorted()
        output = OutputOptions(arguments)
    }
}
