/// One attempt, for counters and spans.
package struct ServiceEvent: Sendable {
    package let service: String
    /// From 1.
    package let attempt: Int
    package let start: ContinuousClock.Instant
    package let end: ContinuousClock.Instant
    package let result: Result<HTTPResponse, HTTPFailure>

    package init(
        service: String,
        attempt: Int,
        start: ContinuousClock.Instant,
        end: ContinuousClock.Instant,
        result: Result<HTTPResponse, HTTPFailure>
    ) {
        self.service = service
        self.attempt = attempt
        self.start = start
        self.end = end
        self.result = result
    }
}

/// Hears of every attempt at a service, on the task that made it; it must not block.
package protocol ServiceObserver: Sendable {
    func observed(_ event: ServiceEvent)
}
