import Evaluation
import StageGraph

extension CommandError {
    /// A fixture, its readings or its rates cannot be used: missing is 66, unreadable 74, malformed 65.
    init(_ error: FixtureError) {
        let problems = error.problems.map { CommandProblem(file: error.file, $0) }
        switch error.code {
        case .missing: self.init(.notFound, error.message, at: error.file, todo: "check the path")
        case .notPermitted:
            self.init(.notPermitted, error.message, at: error.file, todo: "check its permissions")
        case .unreadable: self.init(.inputOutput, error.message, at: error.file, todo: "check its permissions")
        case .malformed:
            self.init(
                .badInput,
                "the file \(error.message)",
                at: error.file,
                todo: "repair the file",
                problems: problems
            )
        }
    }

    /// A run failed: whose failure it is decides the code.
    init(_ failure: StageFailure, at node: NodeID?, input: String) {
        let place = node.map { "node \($0)" } ?? input
        if failure.code == StageFailure.effectMissing || failure.code == StageFailure.effectUnreadable {
            self.init(.badInput, failure.detail, at: place, todo: "record the run again with this pipeline")
            return
        }
        switch failure.failureClass {
        case .request where failure.code == "no_milestone":
            self.init(.notFound, failure.detail, at: input, todo: "ask for one that is there")
        case .request: self.init(.badInput, failure.detail, at: input, todo: "correct the request")
        case .data where failure.code == "no_vault":
            self.init(.notFound, failure.detail, at: input, todo: "ask for one that is there")
        case .data: self.init(.badInput, failure.detail, at: input, todo: "repair the input")
        case .provider: self.init(.unavailable, failure.detail, at: place, todo: "try again when it is back")
        case .platform where failure.isDeadline:
            // A node's own time is the pipeline's to give; a longer run would not help it.
            let todo =
                node == nil
                ? "try again, or allow more with --deadline"
                : "try again, or give the node a longer life in the pipeline"
            self.init(.tryAgain, failure.detail, at: place, todo: todo)
        case .platform: self.init(.tryAgain, failure.detail, at: place, todo: "try again when the machine has room")
        case .stage:
            self.init(
                .internalFault,
                "\(failure.detail) (\(failure.code))",
                at: place,
                todo: "report it with the input"
            )
        case .cancelled: self.init(.interrupted, "the run was cancelled", at: place, todo: "run it again")
        }
    }
}
