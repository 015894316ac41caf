/// The job a scheduled set is made for; it ends in the same transaction, or nothing is stored.
package struct ClaimedJob: Sendable, Hashable {
    package let id: PostgresUUID
    /// Proof that the lease is still ours.
    package let token: PostgresUUID
    /// The notification to end, by whoever really sent it; nil leaves it pending.
    package let settlement: Settlement?

    /// One notification and the state it ends in.
    package struct Settlement: Sendable, Hashable {
        package enum Status: String, Sendable {
            case sent
            case failed
            case cancelled
        }

        package let notification: PostgresUUID
        package let status: Status

        package init(notification: PostgresUUID, status: Status) {
            self.notification = notification
            self.status = status
        }
    }

    package init(id: PostgresUUID, token: PostgresUUID, settlement: Settlement? = nil) {
        self.id = id
        self.token = token
        self.settlement = settlement
    }
}
