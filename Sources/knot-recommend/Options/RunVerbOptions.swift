import KnotDomain

/// What `run` was asked to do.
struct RunVerbOptions: Sendable, Equatable {
    let shared: SharedOptions
    let fixture: FixtureOptions
    let occasion: OccasionRequest
    let output: OutputOptions
    /// The identity of the request; nil: a fresh one, or for a fixture the digest of its inputs.
    let request: String?

    init(_ arguments: TypedArguments, _ settings: Settings) throws(CommandError) {
        let occasion = try OccasionRequest(arguments)
        switch (arguments.text(.fixture), arguments.text(.vault)) {
        case (.some, .some):
            throw .usage(.run, "--fixture and --vault exclude one another", todo: "give one of them")
        case (nil, nil):
            throw .usage(.run, "there is no vault to choose for", todo: "add --fixture FILE or --vault ID")
        case (nil, .some):
            throw .noDatabase(.vault)
        case (let path?, nil):
            guard !arguments.has(.asUser) else {
                throw .usage(.run, "--as-user is for the database", todo: "leave it out or use --vault ID")
            }
            fixture = FixtureOptions(path: path, arguments, settings)
        }
        shared = SharedOptions(arguments, settings)
        self.occasion = occasion
        output = OutputOptions(arguments)
        request = arguments.text(.request)
    }
}
