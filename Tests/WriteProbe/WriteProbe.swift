import Glibc
import JSONDocument
import KnotDomain
import Recommendation
import VaultStore

/// Stores one invented set from a process of its own, which ends without a warning at the named point.
///
/// `URL VAULT REQUEST POINT`: the point is one of `WritePoint`, `under_commit:MICROSECONDS`, or `none`.
@main struct WriteProbe {
    static func main() async {
        let arguments = CommandLine.arguments
        guard arguments.count == 5 else { exit(64) }
        do {
            let pool = try ConnectionPool(to: ConnectionTarget(url: arguments[1]), PoolSettings(limit: 1))
            let store = ChoiceStore(pool, reached: end(at: arguments[4]))
            let set = try await store.store(
                InventedSet.record(vault: VaultID(arguments[2]), request: arguments[3]),
                until: .now + .seconds(30)
            )
            print(set.isNew ? "new" : "known", set.runID)
            exit(0)
        } catch {
            print(error)
            exit(70)
        }
    }

    private static func end(at point: String) -> (@Sendable (WritePoint) -> Void)? {
        if let point = WritePoint(rawValue: point) {
            return { if $0 == point { die() } }
        }
        let parts = point.split(separator: ":")
        guard parts.count == 2, parts[0] == "under_commit", let delay = UInt32(parts[1]) else { return nil }
        return { point in
            guard point == .beforeCommit else { return }
            // An alarm of the system's own, since this thread goes on to send COMMIT.
            var limit = itimerval()
            limit.it_value.tv_usec = Int(max(1, delay))
            signal(SIGALRM) { _ in WriteProbe.die() }
            _ = unsafe setitimer(__itimer_which_t(ITIMER_REAL.rawValue), &limit, nil)
        }
    }

    private static func die() {
        _ = kill(getpid(), SIGKILL)
    }
}
