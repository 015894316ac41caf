import JSONDocument

/// Why a verb could not do what it was asked: what happened, where, and what the person can do about it.
struct CommandError: Error, Sendable, Equatable {
    let code: ExitCode
    /// The file, flag, node or verb that it is about.
    let place: String
    let what: String
    let todo: String
    let problems: [CommandProblem]

    init(_ code: ExitCode, _ what: String, at place: String, todo: String, problems: [CommandProblem] = []) {
        self.code = code
        self.place = place
        self.what = what
        self.todo = todo
        self.problems = problems
    }

    /// The reader of our output has gone away, which is success and says nothing.
    static let readerLeft = CommandError(
        .done,
        "the reader of the output has closed it",
        at: "standard output",
        todo: ""
    )

    /// `error: what, where, what to do`, then one indented line for each of several problems.
    var text: String {
        let parts = [what, place, todo].filter { !$0.isEmpty }.map { TerminalText.escaped($0, limit: Self.partLimit) }
        let head = "error: " + parts.joined(separator: ", ")
        // A single problem that the first line tells already is not told twice; JSON keeps it with its place.
        let isTold = problems.count == 1 && problems.allSatisfy { what.contains($0.message) }
        let rest = (isTold ? [] : problems).map { "  " + TerminalText.escaped($0.line, limit: Self.problemLimit) }
        return ([head] + rest).joined(separator: "\n") + "\n"
    }

    /// One line for a list of many: what happened and the first place where.
    var summary: String {
        let first = problems.first.map { ", \($0.line)" } ?? ""
        return "\(what)\(first), \(todo)"
    }

    /// `knot.error/1`.
    var json: JSONValue {
        [
            "schema": "knot.error/1",
            "code": .string(code.name),
            "where": .string(place),
            "what": .string(what),
            "todo": .string(todo),
            "problems": .array(problems.map(\.json)),
        ]
    }

    /// Characters of one part of a line: what was typed may be a megabyte.
    private static let partLimit = 400
    /// A problem may hold the statement that mends it.
    private static let problemLimit = 2_000
}
