/// What a service's answer means for the calls after it; each service says it in its own way.
package enum ReplyVerdict: Sendable, Equatable {
    /// The answer stands, good or bad.
    case final
    /// The service is out of order, and may be in order a moment later.
    case retry(after: Duration?)
    /// The service asks for fewer calls.
    case slower(after: Duration?)
    /// The service takes no more calls for so long.
    case pause(for: Duration)
    /// The same because its quota is used up, which whoever counts its calls has to know.
    case usedUp(for: Duration)
    /// Whoever is asked has closed, and what they said before no longer holds.
    case closed(for: Duration)

    /// The verdict of the status alone, with the wait that `Retry-After` asks for.
    package static func byStatus(_ response: HTTPResponse, now: Int64) -> ReplyVerdict {
        switch response.status {
        case 408, 425, 500, 502, 503, 504: .retry(after: RetryAfter.wait(of: response, now: now))
        case 429: .slower(after: RetryAfter.wait(of: response, now: now))
        default: .final
        }
    }
}

/// When a call is sent again, and after how long: full jitter, a bound on attempts, and a budget for all calls together.
package struct RetryPolicy: Sendable {
    /// Why another attempt may help.
    package enum Cause: Sendable, Equatable {
        /// An outage that may be over a moment later.
        case transient
        /// The service asks for fewer calls.
        case throttled

        /// What a repetition takes out of the budget.
        var cost: Int { self == .transient ? 14 : 5 }
    }

    package enum Decision: Sendable, Equatable {
        case giveUp
        case retry(after: Duration)
    }

    /// Attempts of one call, the first included.
    package var attempts = 3
    /// The longest wait before the first repetition; it doubles with each.
    package var base = Duration.milliseconds(50)
    /// The same where the service asks for fewer calls.
    package var throttleBase = Duration.seconds(1)
    /// The longest jittered wait.
    package var cap = Duration.seconds(5)
    /// The longest wait that a service may ask for; above it the call is given up.
    package var mostRetryAfter = Duration.seconds(60)
    package init() {}

    /// Whether and when to send a call again, while the budget lasts.
    ///
    /// - Parameters:
    ///   - cause: Why another attempt may help.
    ///   - attempt: The number of attempts so far, from 1.
    ///   - asked: How long the service asked to wait.
    ///   - left: The time until the deadline.
    ///   - jitter: From 0 to 1, anew for each decision.
    ///   - budget: What all repetitions may cost together.
    /// - Returns: The wait before the next attempt, or that there is none.
    package func decision(
        because cause: Cause,
        attempt: Int,
        asked: Duration?,
        left: Duration,
        jitter: Double,
        budget: inout RetryBudget
    ) -> Decision {
        guard attempt < attempts else { return .giveUp }
        if let asked, asked > mostRetryAfter { return .giveUp }
        let first = cause == .throttled ? throttleBase : base
        let highest = min(cap, first * (1 << min(attempt - 1, 20)))
        let wait = max(asked ?? .zero, highest * min(max(jitter, 0), 1))
        // A repetition that cannot end in time only costs the service.
        guard wait < left else { return .giveUp }
        guard budget.take(cause) else { return .giveUp }
        return .retry(after: wait)
    }
}

/// What the repetitions of all calls to one service may cost together: an outage must not double its load.
package struct RetryBudget: Sendable, Equatable {
    package let capacity: Int
    package private(set) var tokens: Int

    /// Tokens of a new one: a service that has met no success yet has earned few repetitions.
    private static let first = 60

    package init(capacity: Int = 500) {
        self.capacity = max(0, capacity)
        tokens = min(self.capacity, Self.first)
    }

    /// Takes over what was kept of another.
    mutating func hold(_ tokens: Int) { self.tokens = min(capacity, max(0, tokens)) }

    /// Pays for a repetition; false where there is not enough left.
    package mutating func take(_ cause: RetryPolicy.Cause) -> Bool {
        guard tokens >= cause.cost else { return false }
        tokens -= cause.cost
        return true
    }

    /// Gives back a little for a call that succeeded.
    package mutating func deposit() {
        tokens = min(capacity, tokens + 1)
    }
}
