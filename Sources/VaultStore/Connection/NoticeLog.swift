import Synchronization

/// The last notices of one connection.
final class NoticeLog: Sendable {
    private static let limit = 100
    private let notices = Mutex<[PostgresNotice]>([])

    func append(_ notice: PostgresNotice) {
        notices.withLock { notices in
            if notices.count == Self.limit { notices.removeFirst() }
            notices.append(notice)
        }
    }

    /// Returns what was said since the last time, oldest first.
    func take() -> [PostgresNotice] {
        notices.withLock { notices in
            defer { notices = [] }
            return notices
        }
    }
}
