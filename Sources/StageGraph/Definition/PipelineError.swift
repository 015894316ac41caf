/// A pipeline that cannot be used, with every problem it has.
package struct PipelineError: Error, Sendable, Equatable, CustomStringConvertible {
    /// True when a file that was asked for does not exist, as opposed to being wrong.
    package let isMissingFile: Bool
    package let problems: [PipelineProblem]

    package init(_ problems: [PipelineProblem], isMissingFile: Bool = false) {
        self.problems = problems
        self.isMissingFile = isMissingFile
    }

    package var description: String { problems.map(\.description).joined(separator: "\n") }
}
