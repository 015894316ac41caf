import Glibc

/// The pace of a service in a file that all processes of a machine share.
///
/// A lock is held for as long as it takes to read and write a line. A file that says nothing of use counts as a new one: to
/// ask a little too soon once harms less than not to ask at all.
package struct RateLedger: Sendable {
    private let path: String

    private static let mark = "knot.pace/1"
    private static let width = 19
    /// Microseconds by which a moment may be ahead; beyond, a clock has been set back since it was noted.
    private static let mostAhead: Int64 = 180_000_000

    /// `path` is a file of its own for each service, key and host, in a folder that exists.
    package init(at path: String) {
        self.path = path
    }

    /// Changes the pace, alone among all processes.
    ///
    /// - Parameters:
    ///   - new: The pace where none was kept.
    ///   - clock: Microseconds since 1970, by a clock that all processes read.
    ///   - deadline: Until when to wait for others.
    ///   - work: The change, which is given the time.
    /// - Returns: What the change returns.
    /// - Throws: Why the file cannot be used, or is not free in time.
    package func change<Outcome: Sendable>(
        from new: ServicePace,
        clock: () -> Int64,
        by deadline: ContinuousClock.Instant,
        _ work: (inout ServicePace, _ now: Int64) -> Outcome
    ) async throws(QuotaLedger.Refusal) -> Outcome {
        let descriptor = try await QuotaLedger.locked(path, by: deadline)
        // Closing gives the lock back.
        defer { close(descriptor) }
        let now = clock()
        let before = Self.read(descriptor, at: now, new)
        var pace = before
        let outcome = work(&pace, now)
        if pace != before { try write(pace, to: descriptor) }
        return outcome
    }

    private static func read(_ descriptor: Int32, at now: Int64, _ new: ServicePace) -> ServicePace {
        var buffer = [UInt8](repeating: 0, count: 128)
        // The call writes at most as many bytes as the buffer has.
        let count = unsafe pread(descriptor, &buffer, 128, 0)
        let words = String(decoding: buffer.prefix(max(0, count)), as: UTF8.self).split { $0 == " " || $0 == "\n" }
        let numbers = words.dropFirst().compactMap { Int64($0) }
        guard words.first == mark[...], words.count == 5, numbers.count == 4, numbers.allSatisfy({ $0 >= 0 }) else {
            return new
        }
        var pace = new
        if numbers[0] <= now + mostAhead { pace.due = numbers[0] }
        if numbers[1] <= now + mostAhead { pace.aloneUntil = numbers[1] }
        pace.throttledInRow = Int(numbers[2])
        pace.budget.hold(Int(numbers[3]))
        return pace
    }

    private func write(_ pace: ServicePace, to descriptor: Int32) throws(QuotaLedger.Refusal) {
        // Always as many bytes: one write over the old ones leaves the old line or the new one.
        let numbers = [pace.due, pace.aloneUntil, Int64(pace.throttledInRow), Int64(pace.budget.tokens)].map { number in
            let digits = String(number)
            return String(repeating: "0", count: max(0, Self.width - digits.utf8.count)) + digits
        }
        let bytes = Array("\(Self.mark) \(numbers.joined(separator: " "))\n".utf8)
        // The bytes outlive the call, which reads as many as are counted.
        let written = unsafe bytes.withUnsafeBytes { unsafe pwrite(descriptor, $0.baseAddress, $0.count, 0) }
        guard written == bytes.count else { throw .broken("its pace at \(path) cannot be written") }
    }
}
