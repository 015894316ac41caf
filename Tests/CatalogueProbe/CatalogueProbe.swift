import Catalogue
import Glibc
import InventedOffers

/// Changes a catalogue in a process of its own, which ends without a warning at the named point.
///
/// `FOLDER build|change|merge ROUND POINT`: the point is one of `WriterPoint`, `after:MICROSECONDS`, or `none`.
@main struct CatalogueProbe {
    static func main() {
        let arguments = CommandLine.arguments
        guard arguments.count == 5, let round = Int(arguments[3]) else { exit(64) }
        do {
            let change = InventedOffers.change(arguments[2], round: round)
            let writer = try CatalogueWriter(
                folder: arguments[1],
                startsAnew: change.startsAnew,
                segmentItems: InventedOffers.segmentItems,
                reached: end(at: arguments[4])
            )
            try writer.remove(change.removed)
            try writer.add(change.added)
            if change.isSomething { try writer.commit(mark: "\(round)") }
            if let error = writer.mergeAll() { throw error }
            exit(0)
        } catch {
            print(error)
            exit(70)
        }
    }

    private static func end(at point: String) -> (@Sendable (WriterPoint) -> Void)? {
        if let point = WriterPoint(rawValue: point) {
            return { if $0 == point { die() } }
        }
        let parts = point.split(separator: ":")
        guard parts.count == 2, parts[0] == "after", let delay = Int(parts[1]) else { return nil }
        return { point in
            guard point == .locked else { return }
            // An alarm of the system's own, since this thread goes on to write.
            var limit = itimerval()
            limit.it_value.tv_usec = max(1, delay)
            signal(SIGALRM) { _ in CatalogueProbe.die() }
            _ = unsafe setitimer(__itimer_which_t(ITIMER_REAL.rawValue), &limit, nil)
        }
    }

    private static func die() {
        _ = kill(getpid(), SIGKILL)
    }
}
