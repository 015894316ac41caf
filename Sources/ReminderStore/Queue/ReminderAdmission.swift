package import ChoiceService
package import PostgresClient
import Recommendation
package import VaultStore

/// What lets a reminder's set in, in the transaction that stores it: its job is held, and no other set came between.
package struct ReminderAdmission: Sendable {
    private static let ofOthersJob = "KN001"
    private static let afterAnotherSet = "KN002"

    /// Fails where the set must not be stored.
    package let statement: SQLQuery

    package init(of record: SetRecord, _ reminder: ChoiceRequest.Reminder) throws(VaultStoreError) {
        guard let job = PostgresUUID(reminder.job), let token = PostgresUUID(reminder.token),
            let run = PostgresUUID(record.identity.runID)
        else { throw VaultStoreError(.unrepresentable, "the job, its token or the run is no UUID") }
        statement = "select knot.admit_set(\(job), \(token), \(run), \(reminder.history))"
    }

    /// What was faster than the set, where that is why it was not stored.
    package static func overtaking(_ error: VaultStoreError) -> Overtaking? {
        switch error.code {
        case .database(let error) where error.sqlState == ofOthersJob: .byAnotherWorker
        case .database(let error) where error.sqlState == afterAnotherSet: .byAnotherSet
        // The reminder has a set under another identity: its milestone's tier was edited between two attempts.
        case .identityTaken: .byAnotherSet
        default: nil
        }
    }
}
