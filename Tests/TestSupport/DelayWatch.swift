import Foundation
import Synchronization

#if canImport(Glibc)
import Glibc
#endif

/// Measures how late this machine wakes a thread while a test runs, so that a limit can be stated beyond it.
///
/// A thread that wakes often may be lucky when another is not: threads that are watched by name tell themselves how long they
/// waited for a processor. Who awaits an answer waits for a thread of the pool on top of that, as a task that sleeps does.
package final class DelayWatch: Sendable {
    private struct Waiting: Sendable {
        var worst = Duration.zero
        var sum = Duration.zero
        /// When the sleep under way should be over.
        var due = ContinuousClock.now

        mutating func wake() {
            let now = ContinuousClock.now
            let late = due.duration(to: now)
            worst = max(worst, late)
            sum += max(.zero, late)
            due = now
        }
    }

    private let waiting = Mutex(Waiting())
    private let pooled = Mutex(Waiting())
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
        Task { await watch.watchPool() }
        return watch
    }

    /// Stops measuring and returns the longest delay seen of a thread and all those of the pool together, those under way
    /// among them: whoever awaits something may wait for the pool more than once.
    package func stop() -> Duration {
        isStopped.store(true, ordering: .releasing)
        // The thread may be waiting at this very moment.
        let worst = waiting.withLock { max($0.worst, $0.due.duration(to: .now)) }
        let waits = (name.map(Self.waits) ?? [:]).map { $0.value - (before[$0.key] ?? .zero) }
        let inPool = pooled.withLock { $0.sum + max(.zero, $0.due.duration(to: .now)) }
        return max(worst, waits.max() ?? .zero) + inPool
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
            waiting.withLock { $0.wake() }
        }
    }

    private func watchPool() async {
        while !isStopped.load(ordering: .acquiring) {
            pooled.withLock { $0.due = .now + .milliseconds(2) }
            try? await Task.sleep(for: .milliseconds(2))
            pooled.withLock { $0.wake() }
        }
    }
}
