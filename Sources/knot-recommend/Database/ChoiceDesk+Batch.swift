import JSONDocument
import Recommendation
import VaultStore

extension ChoiceDesk {
    /// Keeps a finished run's set and says how it ended, without the result that nobody prints.
    func ending(
        _ run: EngineRun,
        of job: ChoiceJob
    ) async throws(CommandError) -> (outcome: String, isStored: Bool) {
        if case .database(let sink, _) = job.keeping, case .success = run.result {
            let set: StoredSet?
            do throws(ChoiceStoreError) {
                let budget = job.budget ?? .unlimited
                set = try await sink.finish(run, until: budget.until(.seconds(30), atLeast: TimeBudget.storing))
            } catch {
                throw CommandError(error, input: job.input)
            }
            guard let set, !set.isNew else { return (run.outcome.rawValue, set != nil) }
            let (result, _) = try Self.stored(set)
            return (result["outcome"]?.string ?? "", true)
        }
        let (result, _) = try await kept(run, of: job)
        return (result["outcome"]?.string ?? "", result["stored"]?.bool ?? false)
    }
}
