package import JSONDocument

/// Why a verb could not do what it was asked: what happened, where, and what the person can do about it.
package struct CommandError: Error, Sendable, Equatable {
    package let code: ExitCode
    /// The file, flag, node or verb that it is about.
    package let place: String
    package let what: String
    package let todo: String
    package let problems: [CommandProblem]

    package init(_ code: ExitCode, _ what: String, at place: String, todo: String, problems: [CommandProblem] = []) {
        self.code = code
        self.place = place
        self.what = what
        self.todo = todo
        self.problems = problems
    }

    /// The reader of our output has gone away, which is success and says nothing.
    package static let readerLeft = CommandError(
        .done,
        "the reader of the output has closed it",
        at: "standard output",
        todo: ""
    )

    /// `error: what, where, what to do`, then one indented line for each of several problems.
    package var text: String {
        let parts = [what, place, todo].filter { !$0.isEmpty }.map { TerminalText.escaped($0, limit: Self.partLimit) }
        let head = "error: " + parts.joined(separator: ", ")
        // A single problem that the first line tells already is not told twice; JSON keeps it with its place.
        let isTold = problems.count == 1 && problems.allSatisfy { what.contains($0.message) }
        let rest = (isTold ? [] : problems).map { "  " + TerminalText.escaped($0.line, limit: Self.problemLimit) }
        return ([head] + rest).joined(separator: "\n") + "\n"
    }

    /// One line for a list of many: what happened and the first place where.
    package var summary: String {
        let first = problems.first.map { ", \($0.line)" } ?? ""
        return "\(what)\(first), \(todo)"
    }

    /// Characters of one part of a line: what was typed may be a megabyte.
    private static let partLimit = 400
    /// A problem may hold the statement that mends it.
    private static let problemLimit = 2_000
}

/// One of several things wrong, with the file and the place in it where there are such.
package struct CommandProblem: Sendable, Equatable {
    package var file: String?
    /// A path inside the file, such as `$.stages[2].kind`.
    package var path: String?
    /// The line of the path, where it is known.
    package var fileLine: Int?
    package var message: String

    package init(file: String? = nil, path: String? = nil, _ message: String) {
        self.file = file
        self.path = path
        self.message = message
    }

    /// A problem of a JSON document that was read from a file.
    package init(file: String, _ problem: JSONProblem) {
        self.init(file: file, path: problem.path, problem.message)
    }

    /// One line for people.
    package var line: String {
        let place = file.map { $0 + (fileLine.map { ":\($0)" } ?? "") }
        return [place, path, message].compactMap(\.self).joined(separator: ": ")
    }
}

/// How the process ends; the numbers are those of sysexits.h, where it has one.
package enum ExitCode: Int32, Sendable, CaseIterable {
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

    /// The stable name that programs know it by.
    package var name: String {
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
}
