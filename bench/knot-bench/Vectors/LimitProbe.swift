import CMachineLimits

/// Measures the machine's limits, over and over, between the rounds of what is measured against them.
@safe struct LimitProbe: ~Copyable {
    private let memory: UnsafeMutableRawPointer
    private let bytes: Int
    private let walks = WalkChoices()

    /// Nil when there is not that much memory.
    init?(bytes: Int) {
        guard let memory = unsafe knot_limit_memory(bytes) else { return nil }
        unsafe self.memory = unsafe memory
        self.bytes = bytes
    }

    deinit { unsafe knot_limit_release(memory, bytes) }

    /// Bytes or operations per second, in the best way of walking; nil when this CPU lacks the instructions.
    ///
    /// Which way of walking is best is settled once, by medians. The luckiest of several readings in each round would be
    /// above what any of them reaches, while what is held against it gets one reading.
    func rate(_ limit: Limit, threads: Int) -> Double? {
        if let kind = limit.arithmeticKind {
            let rate = knot_limit_arithmetic(kind, Int32(threads), 1_000_000)
            return rate > 0 ? rate : nil
        }
        let walk = walks.best(of: limit, threads: threads) { read(limit, threads, $0) }
        return read(limit, threads, walk)
    }

    private func read(_ limit: Limit, _ threads: Int, _ walk: knot_limit_walk) -> Double {
        // Within the memory: threads share it evenly, and the spans in the caches are smaller than an even share.
        let share = bytes / threads
        let span =
            switch limit {
            case .l2: min(share, Machine.cacheBytes(level: 2) / 2)
            case .l3: min(share, Machine.cacheBytes(level: 3) * 3 / 8 / threads)
            default: share
            }
        let rounds = max(1, limit == .dram ? 1 : (128 << 20) / span)
        return unsafe knot_limit_read(memory, span, Int32(threads), Int32(rounds), walk)
    }
}
