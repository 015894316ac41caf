/// One thing wrong with a document, at a path such as `$.vault.likes[2]`.
package struct JSONProblem: Sendable, Hashable, CustomStringConvertible {
    package let path: String
    package let message: String

    package init(path: String, message: String) {
        self.path = path
        self.message = message
    }

    package var description: String { "\(path): \(message)" }
}
