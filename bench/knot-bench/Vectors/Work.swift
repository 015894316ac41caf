/// What a call cannot avoid: the bytes it must read once, and the products it must make.
struct Work {
    let bytes: Double
    /// The level of memory the bytes come from.
    let memory: Limit
    let operations: Double
    let arithmetic: Limit?

    init(bytes: Double, from memory: Limit? = nil, operations: Double, arithmetic: Limit?) {
        self.bytes = bytes
        self.memory = memory ?? .memory(holding: bytes)
        self.operations = operations
        self.arithmetic = arithmetic
    }

    var limits: [Limit] { [memory] + (arithmetic.map { [$0] } ?? []) }

    /// The least seconds under these rates, and the limit that says so.
    func least(_ rates: [Limit: Double]) -> (seconds: Double, limit: Limit)? {
        guard let read = rates[memory] else { return nil }
        let reading = (seconds: bytes / read, limit: memory)
        guard let arithmetic, let rate = rates[arithmetic] else { return reading }
        let computing = (seconds: operations / rate, limit: arithmetic)
        return computing.seconds > reading.seconds ? computing : reading
    }
}
