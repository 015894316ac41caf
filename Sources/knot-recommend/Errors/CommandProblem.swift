import JSONDocument

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
