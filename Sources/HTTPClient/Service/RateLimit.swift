/// How fast a service may be asked: a bucket that holds a few calls and is filled steadily.
package struct RateLimit: Sendable {
    /// Microseconds that one call takes up.
    let interval: Int64
    /// Microseconds by which calls may run ahead of their time.
    let lead: Int64

    /// - Parameters:
    ///   - calls: How many calls a service takes.
    ///   - period: In how long.
    ///   - burst: How many may come at once after a pause.
    package init(calls: Int, per period: Duration, burst: Int = 1) {
        let calls = Int64(max(1, calls))
        interval = (Int64(period / .microseconds(1)) + calls - 1) / calls
        lead = interval * Int64(max(0, burst - 1))
    }
}
