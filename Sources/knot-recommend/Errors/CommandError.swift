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

/// One of several things wrong, with the file and the place in it where there are such.
struct CommandProblem: Sendable, Equatable {
    var file: String?
    /// A path inside the file, such as `$.stages[2].kind`.
    var path: String?
    var message: String

    init(file: String? = nil, path: String? = nil, _ message: String) {
        self.file = file
        self.path = path
        self.message = message
    }

    /// A problem of a JSON document that was read from a file.
    init(file: String, _ problem: JSONProblem) {
        self.init(file: file, path: problem.path, problem.message)
    }

    /// One line for people.
    var line: String {
        [file, path, message].compactMap(\.self).joined(separator: ": ")
    }

    var json: JSONValue {
        ["file": JSONValue(file), "path": JSONValue(path), "message": .string(message)]
    }
}

/// An error as the one JSON object that `--json` promises.
enum ErrorDocument {
    static func bytes(_ error: CommandError) -> [UInt8] {
        JSONWriter.bytes(error.json, style: .pretty) + [0x0A]
    }
}

/// How the process ends; the numbers are part of the contract.
enum ExitCode: Int32, Sendable, CaseIterable {
    case done = 0
    case degradedUnderStrict = 10
    case short = 11
    case usage = 64
    case badInput = 65
    case notFound = 66
    case unavailable = 69
    case internalFault = 70
    case inputOutput = 74
    case tryAgain = 75
    case notPermitted = 77
    case configuration = 78
    case interrupted = 130
    case terminated = 143

    /// The stable name that `knot.error/1` carries as its `code`.
    var name: String {
        switch self {
        case .done: "done"
        case .degradedUnderStrict: "degraded"
        case .short: "short"
        case .usage: "usage"
        case .badInput: "bad_input"
        case .notFound: "not_found"
        case .unavailable: "unavailable"
        case .internalFault: "internal"
        case .inputOutput: "io"
        case .tryAgain: "try_again"
        case .notPermitted: "not_permitted"
        case .configuration: "configuration"
        case .interrupted: "interrupted"
        case .terminated: "terminated"
        }
    }

    /// What help says about it.
    var meaning: String {
        switch self {
        case .done: "done (complete or degraded)"
        case .degradedUnderStrict: "degraded, under --strict"
        case .short: "fewer than three choices"
        case .usage: "the command line is wrong"
        case .badInput: "an input file has bad contents"
        case .notFound: "no such vault, milestone or file"
        case .unavailable: "something it depends on is unavailable"
        case .internalFault: "a fault of this program"
        case .inputOutput: "reading or writing failed"
        case .tryAgain: "out of time: try again"
        case .notPermitted: "not permitted"
        case .configuration: "a pipeline or the configuration is wrong"
        case .interrupted: "interrupted (Ctrl-C)"
        case .terminated: "told to stop (SIGTERM)"
        }
    }
}
