package import JSONDocument
package import KnotDomain
package import Recommendation
package import StageGraph

/// Why there is no set.
package enum ChoiceError: Error, Sendable {
    /// The run failed, and at which node.
    case failed(StageFailure, node: NodeID?, place: String)
    /// A run ended well and handed out no set.
    case noResult(String)
    /// The vault has no such milestone; whether it is kept or one of a file.
    case noMilestone(MilestoneID, isKept: Bool)
    /// The milestone that a stored set is for is none of its vault's any more.
    case milestoneGone(run: String, vault: VaultID)
    /// The request's name stands for another occasion.
    case requestKnown(place: String)
    /// The set was re-rolled before, for other reasons or with other choices kept.
    case refreshKnown(RefreshRequest, run: String)
    /// What is stored of a run is no result, or one of another run or vault.
    case unreadable(run: String, [JSONProblem])
    /// A set came too late to be stored, and nothing was.
    case overtaken(Overtaking, place: String)
    /// The batch was cancelled before its last request.
    case cancelled
    /// What a port could not do, in the words of its own room.
    case port(any PortError)

    /// True where another set of the vault was faster, and the request is to be chosen for again: a reminder's is by whoever
    /// holds its job.
    func asksForAnother(_ request: ChoiceRequest) -> Bool {
        if case .overtaken(.byAnotherSet, _) = self { request.reminder == nil } else { false }
    }

    /// True for what would meet every other request as well.
    package var isOfEveryRequest: Bool {
        switch self {
        case .cancelled: true
        case .failed(let failure, _, _):
            // Those that answered and had nothing for one vault may have something for the next.
            failure.failureClass == .provider && !failure.isOfTheRecording && failure.code != StageFailure.sourcesFailed
        case .port(let error): error.isOfEveryRequest
        case .noResult, .noMilestone, .milestoneGone, .requestKnown, .refreshKnown, .unreadable, .overtaken: false
        }
    }
}

/// What was faster than a set.
package enum Overtaking: Sendable, Hashable {
    /// Another set of the same vault, which may hold the same items: choose again.
    case byAnotherSet
    /// Another worker, or whoever called the job off.
    case byAnotherWorker
}

/// What a port of the service throws.
package protocol PortError: Error {
    /// True for what would meet every other request as well, such as a database that is gone.
    var isOfEveryRequest: Bool { get }
}

extension StageFailure {
    /// True where a recording lacks what the run asked it for.
    package var isOfTheRecording: Bool { code == Self.effectMissing || code == Self.effectUnreadable }
}
