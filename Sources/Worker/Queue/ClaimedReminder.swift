import Digest
package import KnotDomain
package import Scheduling

/// A job's own name in the queue.
package struct JobID: Hashable, Sendable, Comparable, CustomStringConvertible {
    package let description: String

    package init(_ text: String) { description = text }

    package static func < (left: Self, right: Self) -> Bool { left.description < right.description }
}

/// The name of a row of the notifications that the app shows.
package struct NotificationID: Hashable, Sendable, CustomStringConvertible {
    package let description: String

    package init(_ text: String) { description = text }
}

/// One process of a worker: a fresh random name for each start, never a machine's.
package struct WorkerID: Hashable, Sendable, CustomStringConvertible {
    package let description: String

    package init(_ text: String) { description = text }
}

/// Proof that a job is held: nothing is written for a job without it.
package struct JobClaim: Hashable, Sendable {
    package let job: JobID
    /// Of this claim alone; the next claim of the job has another one.
    package let token: String

    package init(job: JobID, token: String) {
        self.job = job
        self.token = token
    }

    /// 32 hexadecimal digits that name this attempt in logs, and tell nobody the token.
    package var trace: String { String(SHA256Digest(of: "trace|\(token)").hex.prefix(32)) }
}

/// A job that this worker has claimed.
package struct ClaimedReminder: Hashable, Sendable {
    package let claim: JobClaim
    package let vault: VaultID
    package let key: ReminderKey
    package let notification: NotificationID?
    /// This one counted; the first is 1.
    package let attempt: Int
    /// How many workers died that held it.
    package let crashes: Int
    /// From when it was due to its claim, on the queue's clock.
    package let waited: Duration

    package init(
        claim: JobClaim,
        vault: VaultID,
        key: ReminderKey,
        notification: NotificationID?,
        attempt: Int,
        crashes: Int,
        waited: Duration
    ) {
        self.claim = claim
        self.vault = vault
        self.key = key
        self.notification = notification
        self.attempt = attempt
        self.crashes = crashes
        self.waited = waited
    }

    package var id: JobID { claim.job }
}

/// A reminder that a delivered notice told of, with the set that it showed.
package struct ToldReminder: Hashable, Sendable {
    package let job: JobID
    /// Nil for one that waits elsewhere and was told of before in the same notice.
    package let claim: JobClaim?
    /// The stored run.
    package let run: String

    package init(job: JobID, claim: JobClaim?, run: String) {
        self.job = job
        self.claim = claim
        self.run = run
    }
}

/// Why a job came to nothing this time.
package struct JobFailure: Error, Hashable, Sendable {
    /// Whose fault it is, as the queue keeps it.
    package enum Class: String, Sendable {
        case request
        case data
        case provider
        case stage
        case platform
        case cancelled
    }

    package let failureClass: Class
    /// Lower case words joined by underscores.
    package let code: String
    /// One sentence without any text of the vault.
    package let detail: String
    /// True where trying again is useless.
    package let isPermanent: Bool
    /// Not before that long, where somebody said so.
    package let after: Duration?

    /// False where nothing was tried, be it for want of a connection, behind a lock, or since a receiver is left alone: the
    /// job waits.
    package var spendsAttempt: Bool { !Self.waiting.contains(code) }

    private static let waiting = ["database_too_many_connections", "database_lock_timeout", "webhook_breaker_open"]

    package init(
        _ failureClass: Class,
        code: String,
        _ detail: String,
        isPermanent: Bool = false,
        after: Duration? = nil
    ) {
        self.failureClass = failureClass
        self.code = code
        self.detail = detail
        self.isPermanent = isPermanent
        self.after = after
    }
}
