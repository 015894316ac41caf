import JSONDocument

/// What was found in one pipeline.
struct PipelineReport: Sendable {
    let name: String
    /// The identity of the plan; nil when there is none because of problems.
    let hash: String?
    /// What keeps it from running.
    let problems: [CommandProblem]
    /// What is odd about it.
    let warnings: [CommandProblem]

    var json: JSONValue {
        [
            "name": .string(name), "hash": JSONValue(hash), "problems": .array(problems.map(\.json)),
            "warnings": .array(warnings.map(\.json)),
        ]
    }
}
