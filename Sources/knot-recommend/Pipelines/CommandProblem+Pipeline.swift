import StageGraph

extension CommandProblem {
    /// A pipeline's problem with its place.
    init(_ problem: PipelineProblem) {
        self.init(file: problem.file, path: problem.path, problem.message)
    }
}
