import JSONDocument

/// What a run came to: the result and the files that were asked for.
struct ChoiceReport: Sendable {
    /// `knot.choice/1`, printed as it is.
    let result: JSONValue
    /// Why these three, as lines for people; printed with `--explain`.
    var explanation: [String] = []
    /// Why these three, for programs; printed as the member `explanation` with `--explain --json`.
    var explanationJSON: JSONValue?
    /// The recording, when one was asked for.
    var record: [UInt8]?
    /// The trace as NDJSON, when one was asked for.
    var trace: [UInt8]?
    /// Whether it is about a vault of the database, whose files must be found again when it is forgotten.
    var isOfTheDatabase = false
    /// Whether that vault is still there; true also where nobody can tell.
    var isStillThere: (@Sendable () async -> Bool)?
    /// Things to say on standard error that belong to no result.
    var notes: [String] = []
}
