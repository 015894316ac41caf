/// The threads of one executor, their queue, and the count of those that never came back.
///
/// A thread is lost when the call whose job it runs has been given up. It is replaced at once and ends by itself if the
/// job ever returns. Later jobs of a call given up run on a thread aside, so that clean-up happens and starves nobody.
final class WorkerPool: Sendable {
    private struct Entry: Sendable {
        let job: UnownedJob
        let lane: TaskLane
    }

    private struct State: Sendable {
        var queue: [Entry] = []
        /// Index of the first waiting entry: entries before it are gone.
        var head = 0
        var aside: [Entry] = []
        var asideThreads = 0
        var idle = 0
        /// Signals sent to idle threads that have not looked since: one more for the same thread would be in vain.
        var wakes = 0
        /// What each thread runs now, by the thread's number.
        var running: [Int: TaskLane] = [:]
        /// Threads that were replaced and have not come back.
        var lost: Set<Int> = []
        var losses = 0
        var nextNumber = 0
        var isShutDown = false

        mutating func pop() -> Entry? {
            guard head < queue.count else { return nil }
            defer {
                head += 1
                if head == queue.count {
                    queue.removeAll(keepingCapacity: true)
                    head = 0
                }
            }
            return queue[head]
        }
    }

    private let monitor = Monitor(State())
    private let lossLimit: Int
    private let mostAside = 4

    init(threads: Int, lossLimit: Int) {
        self.lossLimit = lossLimit
        for _ in 0..<threads { _ = startThread() }
    }

    var losses: Int { monitor.withLock { $0.losses } }
    var lostNow: Int { monitor.withLock { $0.lost.count } }
    /// True when so many threads are lost that no new call may start.
    var isExhausted: Bool { monitor.withLock { $0.lost.count >= lossLimit || $0.isShutDown } }

    func enqueue(_ job: UnownedJob, on lane: TaskLane) {
        let entry = Entry(job: job, lane: lane)
        let needs: (signal: Bool, asideThread: Bool) = monitor.withLock { state in
            if lane.isCondemned || state.isShutDown {
                state.aside.append(entry)
                guard state.asideThreads < mostAside else { return (false, false) }
                state.asideThreads += 1
                return (false, true)
            }
            state.queue.append(entry)
            guard state.idle > state.wakes else { return (false, false) }
            state.wakes += 1
            return (true, false)
        }
        if needs.signal { monitor.signal() }
        if needs.asideThread { startAside() }
    }

    /// Replaces the threads that run this lane's jobs and moves its waiting jobs aside.
    func condemn(_ lane: TaskLane) {
        let (replacements, asideThread): (Int, Bool) = monitor.withLock { state in
            var replacements = 0
            for (number, running) in state.running where running === lane && !state.lost.contains(number) {
                state.lost.insert(number)
                state.losses += 1
                replacements += 1
            }
            let waiting = state.queue[state.head...]
            let moved = waiting.filter { $0.lane === lane }
            if !moved.isEmpty {
                state.queue = waiting.filter { $0.lane !== lane }
                state.head = 0
                state.aside += moved
            }
            let startsAside = !moved.isEmpty && state.asideThreads < mostAside
            if startsAside { state.asideThreads += 1 }
            return (state.isShutDown ? 0 : replacements, startsAside)
        }
        for _ in 0..<replacements { _ = startThread() }
        if asideThread { startAside() }
    }

    /// Lets every thread end once nothing waits.
    func shutDown() {
        monitor.withLock { $0.isShutDown = true }
        monitor.broadcast()
    }

    private func startThread() -> Bool {
        let number = monitor.withLock { state in
            state.nextNumber += 1
            return state.nextNumber
        }
        return OwnThread.start { self.work(as: number) }
    }

    private func work(as number: Int) {
        while let entry = next(for: number) {
            // The entry holds the lane for as long as the job runs on it.
            unsafe entry.job.runSynchronously(on: entry.lane.asUnownedTaskExecutor())
        }
    }

    private func next(for number: Int) -> Entry? {
        var isIdle = false
        return monitor.wait { state in
            if isIdle {
                state.idle -= 1
                state.wakes = max(0, state.wakes - 1)
            }
            isIdle = false
            state.running[number] = nil
            // A lost thread has been replaced already: one that comes back is one too many.
            if state.lost.remove(number) != nil { return .done(nil) }
            if let entry = state.pop() {
                state.running[number] = entry.lane
                return .done(entry)
            }
            if state.isShutDown { return .done(nil) }
            state.idle += 1
            isIdle = true
            return .sleep(until: nil)
        }
    }

    private func startAside() {
        let started = OwnThread.start {
            while let entry = self.nextAside() {
                unsafe entry.job.runSynchronously(on: entry.lane.asUnownedTaskExecutor())
            }
        }
        if !started { monitor.withLock { $0.asideThreads -= 1 } }
    }

    private func nextAside() -> Entry? {
        monitor.withLock { state in
            if state.aside.isEmpty {
                state.asideThreads -= 1
                return nil
            }
            return state.aside.removeFirst()
        }
    }
}
