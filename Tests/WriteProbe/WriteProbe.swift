import Glibc
import InventedSets
import JSONDocument
import KnotDomain
import PostgresClient
import Recommendation
import VaultStore

/// Stores one invented set, or several together, from a process of its own, which ends without a warning at the named
/// point.
///
/// `URL VAULT REQUEST POINT [COUNT]`: the point is one of `WritePoint`, `under_commit:MICROSECONDS`, or `none`.
@main struct WriteProbe {
    static func main() async {
        let arguments = CommandLine.arguments
        guard (5...6).contains(arguments.count) else { exit(64) }
        do {
            let pool = try ConnectionPool(to: ConnectionTarget(url: arguments[1]), PoolSettings(limit: 1))
            let store = ChoiceStore(pool, reached: end(at: arguments[4]))
            if arguments.count == 6 {
                try await storeTogether(arguments, store)
                exit(0)
            }
            let set = try await store.store(
                InventedSet.record(vault: VaultID(arguments[2]), request: arguments[3]),
                until: .now + .seconds(1_200)
            )
            print(set.isNew ? "new" : "known", set.runID)
            exit(0)
        } catch {
            print(error)
            exit(70)
        }
    }

    /// Says of each set whether it was new.
    private static func storeTogether(_ arguments: [String], _ store: ChoiceStore) async throws(VaultStoreError) {
        let count = Int(arguments[5]) ?? 1
        let sets = try InventedSet.batch(vault: VaultID(arguments[2]), request: arguments[3], count: count)
        for ending in await store.store(all: sets, each: .seconds(30)) {
            let set = try ending.get()
            print(set.isNew ? "new" : "known", set.runID)
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
