import Dispatch

/// Independent small problems shared out evenly among threads.
enum SideBySide {
    /// The caller's thread alone does all of them, or each thread its own neighbouring share.
    static func run(_ count: Int, threads: Int, _ body: (Range<Int>, _ thread: Int) throws -> Void) throws {
        guard threads > 1 else { return try body(0..<count, 0) }
        // Safe: the closure ends before this call does, and every thread has a range and a number of its own.
        nonisolated(unsafe) let body = body
        DispatchQueue.concurrentPerform(iterations: threads) { thread in
            do {
                try unsafe body(count * thread / threads..<count * (thread + 1) / threads, thread)
            } catch {
                preconditionFailure("A measured call failed: \(error)")
            }
        }
    }
}
