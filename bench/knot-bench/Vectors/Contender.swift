import JSONDocument

/// One way of doing a workload, timed against the others round by round.
struct Contender {
    /// Unique in its race.
    let name: String
    /// The kernels' name.
    let kernel: String
    /// What the kernels read: codes or floats.
    let path: String
    let threads: Int
    let work: Work
    /// The contender this one's times are divided by, round by round.
    let reference: String?
    let role: ContenderRole?
    let run: () throws -> Void
    /// Facts known only after a run, such as how many rows got a second look.
    let facts: () -> [(String, JSONValue)]

    init(
        name: String,
        kernel: String,
        path: String,
        threads: Int,
        work: Work,
        reference: String? = nil,
        role: ContenderRole? = nil,
        facts: @escaping () -> [(String, JSONValue)] = { [] },
        run: @escaping () throws -> Void
    ) {
        self.name = name
        self.kernel = kernel
        self.path = path
        self.threads = threads
        self.work = work
        self.reference = reference
        self.role = role
        self.facts = facts
        self.run = run
    }
}
