import Delivery
import Glibc
import PostgresClient
import Synchronization
import Worker
import WorkerScene

/// A worker in a process of its own, which ends without a warning when it comes to the named point for the n-th time.
///
/// `URL FOLDER POINT[:N] [LEASE]`: notices go into the folder; the point is one of `WorkerPoint`, `after:MICROSECONDS` or
/// `none`; the lease is in seconds. It ends by itself when nothing is due.
@main struct WorkerProbe {
    static func main() async {
        let arguments = CommandLine.arguments
        guard (4...5).contains(arguments.count) else { exit(64) }
        do {
            let scene = try WorkerScene(url: arguments[1], connections: 4)
            var settings = WorkerSettings.quick
            if arguments.count == 5, let seconds = Int(arguments[4]) {
                settings.lease = .seconds(seconds)
                settings.renewsEvery = .milliseconds(seconds * 100)
                settings.margin = .milliseconds(seconds * 100)
            }
            settings.batch = 8
            let stopping = Mutex<ReminderWorker?>(nil)
            let worker = try scene.worker(
                delivery: OutboxDelivery(folder: arguments[2]),
                settings: settings,
                points: end(at: arguments[3]) {
                    // As a second signal does, while this point's work goes on.
                    let worker = stopping.withLock { $0 }
                    Task { await worker?.abandon() }
                }
            )
            stopping.withLock { $0 = worker }
            let summary = try await worker.run(.whileDue)
            print(summary.counts.map { "\($0.key.rawValue)=\($0.value)" }.sorted().joined(separator: " "))
            exit(0)
        } catch {
            print(error)
            exit(70)
        }
    }

    private static func end(at text: String, stop: @escaping @Sendable () -> Void) -> PointWatch {
        let parts = text.split(separator: ":")
        let count = parts.count > 1 ? Int(parts[1]) ?? 1 : 1
        if parts.first == "after" {
            // An alarm of the system's own, wherever the threads are then.
            var limit = itimerval()
            limit.it_value.tv_sec = count / 1_000_000
            limit.it_value.tv_usec = max(1, count % 1_000_000)
            signal(SIGALRM) { _ in WorkerProbe.die() }
            // The value is alive for the call, which copies it.
            _ = unsafe setitimer(__itimer_which_t(ITIMER_REAL.rawValue), &limit, nil)
            return .none
        }
        guard let point = parts.first.flatMap({ WorkerPoint(rawValue: String($0)) }) else { return .none }
        let left = Countdown(from: count)
        if point.isOfStopping {
            // It is told to stop at one of the points before: the count says at which.
            return PointWatch { reached in
                if reached == point { die() }
                if reached != .beforeClaim, left.isOver() { stop() }
            }
        }
        return PointWatch { reached in
            if reached == point, left.isOver() { die() }
            // What comes with time comes to a worker that has something to do: it is kept at it until then.
            if point.isOfTime, reached == .beforeSave { try? await Task.sleep(for: .seconds(20)) }
        }
    }

    private static func die() {
        _ = kill(getpid(), SIGKILL)
        // Nothing may happen between the signal and the end.
        while true { pause() }
    }
}

/// Tells when something has happened so many times.
private final class Countdown: Sendable {
    private let left: Mutex<Int>

    init(from count: Int) { left = Mutex(count) }

    func isOver() -> Bool {
        left.withLock { left in
            left -= 1
            return left == 0
        }
    }
}
