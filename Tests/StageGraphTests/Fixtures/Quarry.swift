import StageGraph

/// How the stages of these tests misbehave, by node; what is not listed behaves.
struct Quarry: Sendable {
    enum Mood: Sendable {
        case fails(FailureClass, times: Int)
        case delays(Duration)
        case stalls
        case spins
        case lies
    }

    var moods: [NodeID: Mood] = [:]
    var pools: [NodeID: [Pebble]] = [:]
    let visits = Visits()
    /// Raised when a run has ended: whatever spins spins until then.
    let over = Flag()

    /// Does what the node's mood is before its work.
    func enter(_ context: StageContext) async throws(StageFailure) {
        let visit = visits.count(context.node)
        switch moods[context.node] {
        case .fails(let failureClass, let times):
            if visit <= times { throw StageFailure(failureClass, code: "mood", "node \(context.node) is in a mood") }
        case .delays(let duration): try await pause(duration)
        case .stalls: try await pause(.seconds(600))
        case .spins: spin(until: over)
        case .lies, nil: break
        }
    }

    func lies(_ context: StageContext) -> Bool {
        if case .lies = moods[context.node] { return true }
        return false
    }

    private func pause(_ duration: Duration) async throws(StageFailure) {
        do {
            try await Task.sleep(for: duration)
        } catch {
            throw StageFailure(.cancelled, code: "cancelled", "woken up")
        }
    }
}
