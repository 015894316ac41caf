/// Why a stage gave no result.
package struct StageFailure: Error, Sendable, Equatable, CustomStringConvertible {
    package let failureClass: FailureClass
    /// A short stable code such as `deadline` or `not_found`.
    package let code: String
    /// One sentence without hint texts, secrets or bodies.
    package let detail: String

    package init(_ failureClass: FailureClass, code: String, _ detail: String) {
        self.failureClass = failureClass
        self.code = code
        self.detail = detail
    }

    package var description: String { "\(failureClass.rawValue)/\(code): \(detail)" }
}
