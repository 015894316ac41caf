import Foundation
import Synchronization

#if canImport(Glibc)
import Glibc
#endif

/// Measures how late this machine wakes a thread while a test runs, so that a limit can be stated beyond it.
///
/// A thread that wakes often may be lucky when another is not: threads that are watched by name tell themselves how long they
/// waited for a processor.
package final class DelayWatch: Sendable {
    private struct Waiting: Sendable {
        var worst = Duration.zero
        /// When the sleep under way should be over.
        var due = ContinuousClock.now
    }

    private let waiting = Mutex(Waiting())
    private let isStopped = Atomic(false)
    private let name: String?
    private let before: [String: Duration]

    private init(_ name: String?) {
        self.name = name
        before = name.map(Self.waits) ?? [:]
    }

    /// Starts a thread that keeps asking for short sleeps and notes how much longer they took.
    package static func start(watching name: String? = nil) -> DelayWatch {
        let watch = DelayWatch(name)
        var thread = pthread_t()
        let context = unsafe Unmanaged.passRetained(watch).toOpaque()
        // The thread takes over the reference made above.
        _ = unsafe pthread_create(
            &thread,
            nil,
            { context in
                if let context = unsafe context {
                    unsafe Unmanaged<DelayWatch>.fromOpaque(context).takeRetainedValue().watch()
                }
                return nil
            },
            context
        )
        pthread_detach(thread)
        return watch
    }

    /// Stops measuring and returns the longest delay seen, the one under way among them.
    package func stop() -> Duration {
        isStopped.store(true, ordering: .releasing)
        // The thread may be waiting at this very moment.
        let worst = waiting.withLock { max($0.worst, $0.due.duration(to: .now)) }
        let waits = (name.map(Self.waits) ?? [:]).map { $0.value - (before[$0.key] ?? .zero) }
        return max(worst, waits.max() ?? .zero)
    }

    /// How long each thread of this name has been ready to run without a processor, by its number.
    private static func waits(ofThreadsNamed name: String) -> [String: Duration] {
        let tasks = "/proc/self/task"
        var waits: [String: Duration] = [:]
        // A thread that has ended meanwhile has nothing to say.
        for thread in (try? FileManager.default.contentsOfDirectory(atPath: tasks)) ?? [] {
            func text(_ file: String) -> String? {
                try? String(contentsOfFile: "\(tasks)/\(thread)/\(file)", encoding: .utf8)
            }
            guard text("comm")?.split(whereSeparator: \.isNewline).first.map(String.init) == name,
                let fields = text("schedstat")?.split(separator: " "), fields.count > 1, let wait = Int(fields[1])
            else { continue }
            waits[thread] = .nanoseconds(wait)
        }
        return waits
    }

    private func watch() {
        while !isStopped.load(ordering: .acquiring) {
            waiting.withLock { $0.due = .now + .milliseconds(2) }
            usleep(2_000)
            waiting.withLock { waiting in
                let now = ContinuousClock.now
                waiting.worst = max(waiting.worst, waiting.due.duration(to: now))
                waiting.due = now
            }
        }
    }
}
