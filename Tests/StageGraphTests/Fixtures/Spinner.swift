import StageGraph

/// Starts work at once and lets its result be awaited later.
struct Spinner: Sendable {
    private let task: Task<Result<Void, StageFailure>, Never>

    init(_ work: @escaping @Sendable () async -> Result<Void, StageFailure>) {
        task = Task { await work() }
    }

    func result() async -> Result<Void, StageFailure> { await task.value }
}
