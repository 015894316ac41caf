import CMachineLimits

/// Measures the machine's limits, over and over, between the rounds of what is measured against them.
@safe struct LimitProbe: ~Copyable {
    private let memory: UnsafeMutableRawPointer
    private let bytes: Int

    /// Nil when there is not that much memory.
    init?(bytes: Int) {
        guard let memory = unsafe knot_limit_memory(bytes) else { return nil }
        unsafe self.memory = unsafe memory
        self.bytes = bytes
    }

    deinit { unsafe knot_limit_release(memory, bytes) }

    /// Bytes or operations per second, in the best way of walking; nil when this CPU lacks the instructions.
    func rate(_ limit: Limit, threads: Int) -> Double? {
        if let kind = limit.arithmeticKind {
            let rate = knot_limit_arithmetic(kind, Int32(threads), 1_000_000)
            return rate > 0 ? rate : nil
        }
        let walks = [KNOT_LIMIT_ONE_STREAM, KNOT_LIMIT_ONE_STREAM_AHEAD, KNOT_LIMIT_FOUR_STREAMS]
        return walks.map { read(limit, threads, $0) }.max()
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
