import Glibc

/// Calls that a service allows in a day, counted in a file that all processes of a machine share.
///
/// A call is counted before it is sent, so that no crash can make it two: the limit is never passed, it may be reached early.
/// One of which nothing was sent can be given back.
package struct QuotaLedger: Sendable {
    /// Why no call is allowed.
    package enum Refusal: Error, Sendable, Equatable {
        /// The window's calls are used up; the next window begins after so long.
        case usedUp(for: Duration)
        /// Another process holds the file for too long.
        case busy
        case cancelled
        /// The file cannot be used; the clause says why.
        case broken(String)

        /// The same as the failure of a call to a service.
        package func failure(_ service: String) -> HTTPFailure {
            switch self {
            case .usedUp(let time): HTTPFailure(.overQuota, host: service, "", retryAfter: time)
            case .busy: HTTPFailure(.overloaded, host: service, "its count of calls is held by another process")
            case .cancelled: HTTPFailure(.cancelled, host: service, "")
            case .broken(let why): HTTPFailure(.unavailable, host: service, why)
            }
        }
    }

    /// That a call was counted, and in which window.
    package struct Receipt: Sendable, Equatable {
        fileprivate let window: Int64
    }

    /// What the file says; more calls than the limit stand for a service that says itself that nothing is left.
    private struct Count: Equatable {
        var window: Int64
        var used: Int
    }

    private let path: String
    /// Calls of one window.
    package let limit: Int
    /// Seconds of one window; windows begin at multiples of it since 1970, so days are those of UTC.
    package let period: Int64

    private static let mark = "knot.quota/1"
    /// Seconds by which a service's clock and ours may differ.
    private static let skew: Int64 = 300

    /// Windows by which a clock may have been ahead when a call was counted: the next begins within two days.
    private static let mostAhead: Int64 = 1

    /// - Parameters:
    ///   - path: A file of its own for each service and key, in a folder that exists.
    ///   - limit: Calls of one window.
    ///   - period: Seconds of one window.
    package init(at path: String, limit: Int, period: Int64 = 86_400) {
        self.path = path
        self.limit = max(0, limit)
        self.period = max(1, period)
    }

    /// Counts one call; `now` is the time of day in seconds since 1970.
    @discardableResult
    package func take(at now: Int64, by deadline: ContinuousClock.Instant) async throws(Refusal) -> Receipt {
        let descriptor = try await Self.locked(path, by: deadline)
        // Closing gives the lock back.
        defer { close(descriptor) }
        var count = try read(descriptor, at: now)
        let window = now / period
        // A window of the future was counted under a clock that has been set back: its calls count until it is over.
        if count.window < window { count = Count(window: window, used: 0) }
        guard count.used < limit else { throw .usedUp(for: .seconds((count.window + 1) * period - now)) }
        count.used += 1
        try Self.write(count, to: descriptor, path)
        return Receipt(window: count.window)
    }

    /// Gives a call back that never reached the service; where its window is over, or the service has said that nothing is
    /// left, there is nothing to give.
    package func giveBack(_ receipt: Receipt, by deadline: ContinuousClock.Instant) async throws(Refusal) {
        let descriptor = try await Self.locked(path, by: deadline)
        // Closing gives the lock back.
        defer { close(descriptor) }
        var count = try read(descriptor)
        guard count.window == receipt.window, (1...max(1, limit)).contains(count.used) else { return }
        count.used -= 1
        try Self.write(count, to: descriptor, path)
    }

    /// Notes that the service itself says that nothing is left for so long.
    ///
    /// Where that is over before the window is, nothing is noted: later calls of the window would be refused too.
    package func exhaust(
        at now: Int64,
        for time: Duration,
        by deadline: ContinuousClock.Instant
    ) async throws(Refusal) {
        let left = (now / period + 1) * period - now
        guard time >= .seconds(left - Self.skew) else { return }
        let descriptor = try await Self.locked(path, by: deadline)
        // Closing gives the lock back.
        defer { close(descriptor) }
        let window = max(try read(descriptor, at: now).window, now / period)
        try Self.write(Count(window: window, used: limit + 1), to: descriptor, path)
    }

    /// Calls that are left in the window of this time of day.
    package func left(at now: Int64, by deadline: ContinuousClock.Instant) async throws(Refusal) -> Int {
        let descriptor = try await Self.locked(path, by: deadline)
        // Closing gives the lock back.
        defer { close(descriptor) }
        let count = try read(descriptor, at: now)
        return count.window < now / period ? limit : max(0, limit - count.used)
    }

    /// A file, opened and locked; no thread waits for the lock.
    static func locked(_ path: String, by deadline: ContinuousClock.Instant) async throws(Refusal) -> Int32 {
        let descriptor = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw .broken("its count of calls at \(path) cannot be opened") }
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            guard errno == EWOULDBLOCK || errno == EINTR else {
                close(descriptor)
                throw .broken("its count of calls at \(path) cannot be locked")
            }
            guard .now < deadline else {
                close(descriptor)
                throw .busy
            }
            do {
                try await ContinuousClock().sleep(for: .milliseconds(Int.random(in: 1...4)))
            } catch {
                close(descriptor)
                throw .cancelled
            }
        }
        return descriptor
    }

    /// What the file says, unless it says so of a window that nobody can wait for: a clock was far ahead when it was written.
    private func read(_ descriptor: Int32, at now: Int64) throws(Refusal) -> Count {
        let count = try read(descriptor)
        let ahead = count.window - now / period
        guard ahead <= Self.mostAhead else {
            throw .broken("its count of calls at \(path) is of a time \(ahead * period / 86_400) days ahead: remove it")
        }
        return count
    }

    private func read(_ descriptor: Int32) throws(Refusal) -> Count {
        var buffer = [UInt8](repeating: 0, count: 128)
        // The call writes at most as many bytes as the buffer has.
        let count = unsafe pread(descriptor, &buffer, 128, 0)
        if count == 0 { return Count(window: 0, used: 0) }
        let words = String(decoding: buffer.prefix(max(0, count)), as: UTF8.self).split { $0 == " " || $0 == "\n" }
        guard words.count == 3, words[0] == Self.mark, let window = Int64(words[1]), let used = Int(words[2]),
            // No clock says a window whose end is beyond all seconds.
            used >= 0, (0..<Int64.max / period - 1).contains(window)
        else {
            // Counting from nothing would pass the limit.
            throw .broken("its count of calls at \(path) is not one: look at it, and remove it")
        }
        return Count(window: window, used: used)
    }

    private static func write(_ count: Count, to descriptor: Int32, _ path: String) throws(Refusal) {
        // Always as many bytes: one write over the old ones leaves the old count or the new one.
        func padded(_ number: Int64) -> String {
            let digits = String(number)
            return String(repeating: "0", count: max(0, 19 - digits.count)) + digits
        }
        let bytes = Array("\(mark) \(padded(count.window)) \(padded(Int64(count.used)))\n".utf8)
        // The bytes outlive the call, which reads as many as are counted.
        let written = unsafe bytes.withUnsafeBytes { unsafe pwrite(descriptor, $0.baseAddress, $0.count, 0) }
        guard written == bytes.count else { throw .broken("its count of calls at \(path) cannot be written") }
    }
}
