import JSONDocument

/// One thing wrong with a pipeline, where it is written, and what would fit.
package struct PipelineProblem: Sendable, Hashable, CustomStringConvertible {
    package enum Severity: String, Sendable {
        case error
        case warning
    }

    package let file: String
    package let path: String
    package let message: String
    package let severity: Severity

    package init(file: String, path: String, message: String, severity: Severity = .error) {
        self.file = file
        self.path = path
        self.message = message
        self.severity = severity
    }

    init(_ place: SourcePlace, _ message: String, _ severity: Severity = .error) {
        self.init(file: place.file, path: place.path, message: message, severity: severity)
    }

    init(_ problem: JSONProblem, in file: String) {
        self.init(file: file, path: problem.path, message: problem.message)
    }

    package var description: String { "\(file): \(path): \(message)" }
}
