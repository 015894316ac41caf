/// Work cut into parts that threads of our own do side by side; when the call returns, all of them have ended.
package enum ThreadParts {
    /// Neighbouring ranges of nearly equal size, none empty; no range for no rows.
    package static func split(_ count: Int, into parts: Int) -> [Range<Int>] {
        let parts = max(1, min(parts, count))
        return (0..<parts).map { part in count * part / parts..<count * (part + 1) / parts }.filter { !$0.isEmpty }
    }

    static func run(_ parts: [Range<Int>], _ body: @escaping @Sendable (Range<Int>) -> Void) {
        _ = map(parts, body)
    }

    /// One result for each part, in the order of the parts.
    ///
    /// The caller's thread does the first.
    package static func map<Result: Sendable>(
        _ parts: [Range<Int>],
        _ body: @escaping @Sendable (Range<Int>) -> Result
    ) -> [Result] {
        guard let first = parts.first else { return [] }
        guard parts.count > 1 else { return [body(first)] }
        let others = parts.dropFirst().map { part in WorkThread { body(part) } }
        let own = body(first)
        return [own] + others.map { $0.result() }
    }
}
