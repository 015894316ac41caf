import Synchronization

/// The path of one call through an executor: its jobs carry its name, so that a thread it never gives back can be told.
final class ExecutorLane: TaskExecutor, Sendable {
    private let crew: ExecutorCrew
    private let condemned = Atomic(false)

    init(crew: ExecutorCrew) {
        self.crew = crew
    }

    var isCondemned: Bool { condemned.load(ordering: .acquiring) }

    func enqueue(_ job: consuming ExecutorJob) {
        crew.enqueue(UnownedJob(job), on: self)
    }

    /// Gives the call up: threads it holds are replaced, and what it still wants to do is done aside.
    func condemn() {
        guard !condemned.exchange(true, ordering: .acquiringAndReleasing) else { return }
        crew.condemn(self)
    }
}
