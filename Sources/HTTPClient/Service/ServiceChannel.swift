import Synchronization
package import Threads

/// One service behind everything that keeps it and us from harm: places, rate, quota, breaker, budget, repetition.
///
/// It is the only layer that sends anything again. All calls of a process to a service share one.
package final class ServiceChannel: HTTPSender {
    /// What an answer of this service means; `now` is the time of day in seconds since 1970.
    package typealias ReplyJudge = @Sendable (_ response: HTTPResponse, _ now: Int64) -> ReplyVerdict

    package struct Policy: Sendable {
        /// The service's name, for people.
        package var name: String
        package var retry = RetryPolicy()
        package var breaker = CircuitBreaker.Limits()
        /// Calls under way at once, and how many may wait.
        package var places = 8
        package var queue = 64
        /// The longest wait for a place or for the rate.
        package var patience = Duration.seconds(2)
        package var rate: RateLimit?
        /// After so many answers in a row that ask for fewer calls the service is left alone for a minute.
        package var mostThrottled = 10
        package var budget = 500
        package var judge: ReplyJudge = { response, now in .byStatus(response, now: now) }

        package init(_ name: String) {
            self.name = name
        }
    }

    /// What all calls came to so far.
    package struct Counts: Sendable, Equatable {
        package var calls = 0
        package var attempts = 0
        package var retries = 0
        /// Calls that got an answer that stands.
        package var answers = 0
        /// Calls that failed, by kind.
        package var failures: [HTTPFailure.Kind: Int] = [:]
        /// Times that the service asked for fewer calls.
        package var throttled = 0
        package var bytes = 0

        package init() {}
    }

    private struct State {
        var breaker: CircuitBreaker
        /// That of this process; what all share is the ledger's.
        var pace: ServicePace
        /// Until when whoever is asked has closed.
        var closed: ContinuousClock.Instant?
        var counts = Counts()
    }

    package let policy: Policy
    private let sender: any HTTPSender
    private let quota: QuotaLedger?
    /// The pace of all processes; nil where each keeps its own.
    private let ledger: RateLedger?
    private let clock: ServiceClock
    private let begin: ContinuousClock.Instant
    private let observer: (any ServiceObserver)?
    private let bulkhead: Bulkhead
    private let state: Mutex<State>

    package init(
        _ policy: Policy,
        over sender: any HTTPSender,
        quota: QuotaLedger? = nil,
        pace: RateLedger? = nil,
        timers: DeadlineTimers,
        clock: ServiceClock = .system,
        observer: (any ServiceObserver)? = nil
    ) {
        self.policy = policy
        self.sender = sender
        self.quota = quota
        ledger = pace
        self.clock = clock
        begin = clock.now()
        self.observer = observer
        bulkhead = Bulkhead(places: policy.places, queue: policy.queue, timers: timers)
        state = Mutex(
            State(
                breaker: CircuitBreaker(policy.breaker),
                pace: ServicePace(budget: RetryBudget(capacity: policy.budget))
            )
        )
    }

    package var counts: Counts { state.withLock { $0.counts } }
    package var breaker: CircuitBreaker.State { state.withLock { $0.breaker.state } }

    package func send(
        _ request: HTTPRequest,
        by deadline: ContinuousClock.Instant
    ) async throws(HTTPFailure) -> HTTPResponse {
        if let hindrance = request.hindrance { throw hindrance }
        state.withLock { $0.counts.calls += 1 }
        let start = clock.now()
        let result: Result<HTTPResponse, HTTPFailure>
        switch await bulkhead.enter(by: min(deadline, clock.now() + policy.patience)) {
        case .entered:
            result = await attempts(of: request, by: deadline, since: start)
            bulkhead.leave()
        case .full: result = .failure(failure(.overloaded, "\(policy.queue) calls wait already"))
        case .late: result = .failure(failure(.overloaded, "\(policy.places) calls are under way for too long"))
        case .cancelled: result = .failure(failure(.cancelled, ""))
        }
        state.withLock { state in
            switch result {
            case .success(let response):
                state.counts.answers += 1
                state.counts.bytes += response.body.count
            case .failure(let failure): state.counts.failures[failure.kind, default: 0] += 1
            }
        }
        return try result.get()
    }

    private func attempts(
        of request: HTTPRequest,
        by deadline: ContinuousClock.Instant,
        since begin: ContinuousClock.Instant
    ) async -> Result<HTTPResponse, HTTPFailure> {
        var last: Result<HTTPResponse, HTTPFailure>?
        var sent = request
        for attempt in 1...max(1, policy.retry.attempts) {
            let entry: Entry
            do throws(HTTPFailure) {
                entry = try await enter(request, by: deadline)
            } catch {
                // What was answered before says more than that it is not asked again.
                return error.kind == .cancelled ? .failure(error) : last ?? .failure(error)
            }
            let start = clock.now()
            state.withLock { state in
                state.counts.attempts += 1
                if attempt > 1 { state.counts.retries += 1 }
            }
            var result: Result<HTTPResponse, HTTPFailure>
            do throws(HTTPFailure) {
                var response = try await sender.send(sent, by: deadline)
                response.readBy = deadline
                result = .success(response)
            } catch {
                result = .failure(error)
            }
            observer?.observed(
                ServiceEvent(service: policy.name, attempt: attempt, start: start, end: clock.now(), result: result)
            )
            result = told(result, attempt, from: start, since: begin)
            let verdict = verdict(on: result)
            await report(result, verdict, entry.permit, isCounted: request.isCounted)
            if case .usedUp(let time) = verdict { await exhaust(for: time) }
            if case .failure(let failure) = result, failure.isUnsent { await giveBack(entry) }
            if let body = request.patientBody, case .success(let response) = result, response.status == 408 {
                // It had more time already.
                guard sent.patientBody != nil else { return result }
                (sent.body, sent.patientBody) = (body, nil)
            }
            guard let wait = await wait(after: attempt, verdict, result, request, by: deadline) else { return result }
            last = Self.lean(result)
            guard await clock.sleep(until: clock.now() + wait) else { return .failure(failure(.cancelled, "")) }
        }
        return last ?? .failure(failure(.unavailable, "no attempt is allowed"))
    }

    /// An attempt that ran out of time, with the time that the whole call took: its last attempt may have had little of it.
    private func told(
        _ result: Result<HTTPResponse, HTTPFailure>,
        _ attempt: Int,
        from start: ContinuousClock.Instant,
        since begin: ContinuousClock.Instant
    ) -> Result<HTTPResponse, HTTPFailure> {
        guard case .failure(let failure) = result, failure.kind == .timeout else { return result }
        guard begin.duration(to: start) >= .milliseconds(100) else { return result }
        let time = HTTPFailure.seconds(begin.duration(to: clock.now()))
        let detail =
            "no complete answer in \(time)" + (attempt > 1 ? " and \(attempt) attempts" : ", its wait included")
        return .failure(HTTPFailure(.timeout, host: failure.host, detail, retryAfter: failure.retryAfter))
    }

    /// A body that is longer is not held while the call is sent again.
    private static let mostHeld = 256 << 10

    /// An earlier attempt's result without a body that would lie in memory beside the next one's.
    private static func lean(_ result: Result<HTTPResponse, HTTPFailure>) -> Result<HTTPResponse, HTTPFailure> {
        guard case .success(var response) = result, response.body.count > mostHeld else { return result }
        response.body = []
        return .success(response)
    }

    /// What an attempt was let in with.
    private struct Entry {
        let permit: CircuitBreaker.Permit
        /// Nil where the attempt counts against no quota.
        var receipt: QuotaLedger.Receipt?
    }

    /// The service itself says that nothing is left: other processes and later ones are not to find that out by asking.
    private func exhaust(for time: Duration) async {
        // A ledger that cannot be written now lets the next process ask once, which harms nobody.
        let (now, deadline) = (clock.secondsSince1970(), ContinuousClock.now + Self.patienceForLedger)
        do { try await quota?.exhaust(at: now, for: time, by: deadline) } catch {}
    }

    /// The longest wait for the ledger, to give a call back or to say that none is left; its deadline may be over already.
    private static let patienceForLedger = Duration.milliseconds(20)

    /// The service never saw the attempt, so it does not count against its quota either.
    private func giveBack(_ entry: Entry) async {
        guard let quota, let receipt = entry.receipt else { return }
        // A ledger that cannot be written now says one call too few is left, which harms nobody.
        do { try await quota.giveBack(receipt, by: .now + Self.patienceForLedger) } catch {}
    }

    /// Waits until breaker, rate and quota let a call pass.
    private func enter(
        _ request: HTTPRequest,
        by deadline: ContinuousClock.Instant
    ) async throws(HTTPFailure) -> Entry {
        let now = clock.now()
        let patience = min(policy.patience, now.duration(to: deadline))
        if let closed = state.withLock({ $0.closed }), now < closed {
            throw failure(.unavailable, "it has closed", retryAfter: now.duration(to: closed))
        }
        let permit = state.withLock { $0.breaker.permit(at: now) }
        if case .refuse(let time) = permit { throw failure(.breakerOpen, "", retryAfter: time) }
        if request.isCounted {
            do throws(HTTPFailure) {
                try await takeTurn(patience, by: deadline)
            } catch {
                state.withLock { $0.breaker.withdraw(permit) }
                throw error
            }
        }
        guard request.isCounted, let quota else { return Entry(permit: permit) }
        do throws(QuotaLedger.Refusal) {
            return Entry(permit: permit, receipt: try await quota.take(at: clock.secondsSince1970(), by: deadline))
        } catch {
            state.withLock { $0.breaker.withdraw(permit) }
            throw error.failure(policy.name)
        }
    }

    /// Waits for a moment that the rate leaves free.
    private func takeTurn(_ patience: Duration, by deadline: ContinuousClock.Instant) async throws(HTTPFailure) {
        let rate = policy.rate
        let turn = await change(by: deadline) { $0.reserve(rate, at: $1, patience: patience) }
        // Others may have held the ledger for a while.
        let now = clock.now()
        switch turn {
        case .alone(let time): throw leftAlone(for: time)
        case .late:
            throw now < deadline
                ? failure(.overloaded, "its rate leaves no room in time")
                : failure(.timeout, "its time was over before it could be asked")
        case .after(let wait, let moment):
            guard wait > .zero else { return }
            let isAwake = await clock.sleep(until: now + wait)
            // Others may have been told meanwhile that they ask too often.
            let alone = await change(by: .now + Self.patienceForLedger) { pace, now in
                let time = max(0, pace.aloneUntil - now)
                if !isAwake || time > 0 { pace.giveBack(moment, of: rate) }
                return Duration.microseconds(time)
            }
            guard isAwake else { throw failure(.cancelled, "") }
            if alone > .zero { throw leftAlone(for: alone) }
        }
    }

    private func leftAlone(for time: Duration) -> HTTPFailure {
        failure(.breakerOpen, "it asked for fewer calls too often", retryAfter: time)
    }

    /// Changes the pace of all processes, or of this one where they share none.
    private func change<Outcome: Sendable>(
        by deadline: ContinuousClock.Instant,
        _ work: (inout ServicePace, _ now: Int64) -> Outcome
    ) async -> Outcome {
        if let ledger {
            let new = ServicePace(budget: RetryBudget(capacity: policy.budget))
            do throws(QuotaLedger.Refusal) {
                return try await ledger.change(from: new, clock: clock.microsecondsSince1970, by: deadline, work)
            } catch {
                // Without the file each process keeps its own.
            }
        }
        let now = Int64(begin.duration(to: clock.now()) / .microseconds(1))
        return state.withLock { work(&$0.pace, now) }
    }

    private func verdict(on result: Result<HTTPResponse, HTTPFailure>) -> ReplyVerdict {
        switch result {
        case .success(let response): policy.judge(response, clock.secondsSince1970())
        case .failure(let failure): failure.isTransient ? .retry(after: failure.retryAfter) : .final
        }
    }

    /// Tells breaker and pace how an attempt went.
    private func report(
        _ result: Result<HTTPResponse, HTTPFailure>,
        _ verdict: ReplyVerdict,
        _ permit: CircuitBreaker.Permit,
        isCounted: Bool
    ) async {
        let (now, jitter) = (clock.now(), clock.random())
        state.withLock { state in
            switch (result, verdict) {
            case (.success, .final):
                state.breaker.report(true, permit, at: now, jitter: jitter)
            case (.success, .slower):
                // A service that asks for fewer calls is there.
                state.breaker.report(true, permit, at: now, jitter: jitter)
                state.counts.throttled += 1
            case (.success, .pause(let time)), (.success, .usedUp(let time)):
                state.breaker.withdraw(permit)
                state.breaker.open(for: time, at: now)
                state.counts.throttled += 1
            case (.success, .closed(let time)):
                state.breaker.withdraw(permit)
                state.closed = now + time
            case (.success, .retry): state.breaker.report(false, permit, at: now, jitter: jitter)
            case (.failure(let failure), _):
                // What never reached the service says nothing of it.
                if [.cancelled, .refusedURL, .invalidRequest, .unavailable].contains(failure.kind) {
                    state.breaker.withdraw(permit)
                } else {
                    state.breaker.report(false, permit, at: now, jitter: jitter)
                }
            }
        }
        // What is asked of another place, as for a token, says nothing of the service's pace.
        guard isCounted else { return }
        let (most, deadline) = (policy.mostThrottled, ContinuousClock.now + Self.patienceForLedger)
        switch (result, verdict) {
        case (.success, .final): await change(by: deadline) { pace, _ in pace.succeed() }
        case (.success, .slower): await change(by: deadline) { $0.slow(at: $1, most: most) }
        default: break
        }
    }

    /// How long to wait for the next attempt; nil where there is none.
    private func wait(
        after attempt: Int,
        _ verdict: ReplyVerdict,
        _ result: Result<HTTPResponse, HTTPFailure>,
        _ request: HTTPRequest,
        by deadline: ContinuousClock.Instant
    ) async -> Duration? {
        let cause: RetryPolicy.Cause
        let asked: Duration?
        switch verdict {
        case .final, .pause, .usedUp, .closed: return nil
        case .slower(let after): (cause, asked) = (.throttled, after)
        case .retry(let after):
            var isUnsent = false
            if case .failure(let failure) = result { isUnsent = failure.isUnsent }
            guard request.isIdempotent || isUnsent else { return nil }
            (cause, asked) = (.transient, after)
        }
        let left = clock.now().duration(to: deadline)
        let jitter = clock.random()
        let decision = await change(by: .now + Self.patienceForLedger) { pace, now in
            // Whoever is left alone is not waited for.
            guard now >= pace.aloneUntil else { return RetryPolicy.Decision.giveUp }
            return policy.retry.decision(
                because: cause,
                attempt: attempt,
                asked: asked,
                left: left,
                jitter: jitter,
                budget: &pace.budget
            )
        }
        if case .retry(let wait) = decision { return wait }
        return nil
    }

    private func failure(
        _ kind: HTTPFailure.Kind,
        _ detail: String,
        retryAfter: Duration? = nil
    ) -> HTTPFailure {
        HTTPFailure(kind, host: policy.name, detail, retryAfter: retryAfter)
    }
}
