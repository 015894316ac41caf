import KnotDomain
import VaultStore

/// What `explain` was asked to tell.
struct ExplainVerbOptions: Sendable, Equatable {
    /// The run that is explained.
    enum Source: Sendable, Equatable {
        case fixture(FixtureOptions)
        /// The path of a recording.
        case record(String)
        /// A stored run.
        case run(String, VaultOptions)
    }

    let shared: SharedOptions
    let source: Source
    let occasion: OccasionRequest
    /// Nil: why these three.
    let candidate: CandidateID?

    init(_ arguments: TypedArguments, _ settings: Settings) throws(CommandError) {
        let named = [FlagName.fixture, .record, .run].filter(arguments.has)
        guard named.count == 1 else {
            let todo = "give one of --fixture FILE, --record FILE and --run ID"
            let what = named.isEmpty ? "there is no run to explain" : "only one run can be explained"
            throw .usage(.explain, what, todo: todo)
        }
        occasion = try OccasionRequest(arguments)
        if let path = arguments.text(.fixture) {
            source = .fixture(FixtureOptions(path: path, arguments, settings))
        } else if let path = arguments.text(.record) {
            // The recording holds its own world: what would change it must not be passed over in silence.
            try Self.refuse([.milestone, .occasion, .readings, .rates, .asOf], arguments, "a recording")
            source = .record(path)
        } else {
            try Self.refuse([.milestone, .occasion, .asOf], arguments, "a stored run")
            let id = arguments.text(.run) ?? ""
            guard PostgresUUID(id) != nil else { throw .noRun(id) }
            source = .run(id, VaultOptions(arguments, settings))
        }
        shared = SharedOptions(arguments, settings)
        candidate = arguments.text(.candidate).map { CandidateID($0) }
    }

    private static func refuse(
        _ flags: [FlagName],
        _ arguments: TypedArguments,
        _ source: String
    ) throws(CommandError) {
        let foreign = flags.filter(arguments.has).map(\.typed).joined(separator: ", ")
        guard foreign.isEmpty else {
            throw .usage(.explain, "\(source) has its own \(foreign)", todo: "leave it out or use --fixture FILE")
        }
    }
}
