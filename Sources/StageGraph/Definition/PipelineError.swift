/// A pipeline that cannot be used, with every problem it has.
package struct PipelineError: Error, Sendable, Equatable, CustomStringConvertible {
    /// Why a file that was asked for could not be read; nil when what was read is wrong.
    package let unread: DefinitionSourceError.Code?
    package let problems: [PipelineProblem]

    package init(_ problems: [PipelineProblem], unread: DefinitionSourceError.Code? = nil) {
        self.problems = problems
        self.unread = unread
    }

    package var description: String { problems.map(\.description).joined(separator: "\n") }
}
