import KnotDomain
import Recommendation
import VaultStore

/// What `run` was asked to do.
struct RunVerbOptions: Sendable, Equatable {
    let shared: SharedOptions
    let subject: RunSubject
    let occasion: OccasionRequest
    let output: OutputOptions
    /// The identity of the request; nil: a fresh one, or for a fixture the digest of its inputs.
    let request: String?
    /// The three of the set and as many more.
    let cards: Int

    init(_ arguments: TypedArguments, _ settings: Settings) throws(CommandError) {
        occasion = try OccasionRequest(arguments)
        subject = try Self.subject(arguments, settings)
        shared = SharedOptions(arguments, settings)
        output = try OutputOptions(arguments, .run)
        request = arguments.text(.request)
        cards = arguments.text(.cards).flatMap { Int($0) } ?? RunRequest.ofOneSet
    }

    private static func subject(_ arguments: TypedArguments, _ settings: Settings) throws(CommandError) -> RunSubject {
        let named = [FlagName.fixture, .vault, .all].filter(arguments.has)
        guard named.count == 1 else {
            let todo = "give one of --fixture FILE, --vault ID and --all"
            let flags = named.map(\.typed).joined(separator: " and ")
            throw .usage(
                .run,
                named.isEmpty ? "there is no vault to choose for" : "\(flags) exclude one another",
                todo: todo
            )
        }
        if let path = arguments.text(.fixture) {
            guard !arguments.has(.asUser) else {
                throw .usage(.run, "--as-user is for the database", todo: "leave it out or use --vault ID")
            }
            return .fixture(FixtureOptions(path: path, arguments, settings))
        }
        let options = VaultOptions(arguments, settings)
        if let id = arguments.text(.vault) {
            // Of another form it names nothing that a database holds.
            guard PostgresUUID(id) != nil else { throw .noVault(id) }
            return .vault(id, options)
        }
        // These are of one vault and one run.
        let foreign = [FlagName.milestone, .record, .trace, .explain, .cards].filter(arguments.has)
        guard foreign.isEmpty else {
            let flags = foreign.map(\.typed).joined(separator: ", ")
            throw .usage(.run, "\(flags) is for one vault", todo: "leave it out or use --vault ID")
        }
        return .everyVault(options)
    }
}
