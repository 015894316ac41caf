import StageGraph

/// One way in which a single node or service can go wrong.
enum Mishap: Sendable, Hashable, CustomStringConvertible {
    case fails(FailureClass)
    /// The call outlives the node's life.
    case outlivesItsLife
    /// The call outlives the whole run.
    case outlivesTheRun
    case answersNothing
    case answersNonsense
    case answersTwice

    static let all: [Mishap] =
        FailureClass.allCases.map(Mishap.fails)
        + [.outlivesItsLife, .outlivesTheRun, .answersNothing, .answersNonsense, .answersTwice]

    var description: String {
        switch self {
        case .fails(let failureClass): "fails with class \(failureClass.rawValue)"
        case .outlivesItsLife: "outlives its life"
        case .outlivesTheRun: "outlives the run"
        case .answersNothing: "answers nothing"
        case .answersNonsense: "answers nonsense"
        case .answersTwice: "answers twice"
        }
    }

    var isStall: Bool { self == .outlivesItsLife || self == .outlivesTheRun }

    /// Throws what a failing service throws.
    func failIfMeant(_ name: String) throws(StageFailure) {
        if case .fails(let failureClass) = self {
            throw StageFailure(failureClass, code: "made_to_fail", "\(name) was made to fail")
        }
    }
}
