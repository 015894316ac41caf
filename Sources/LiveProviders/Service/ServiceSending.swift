import Digest
package import HTTPClient
import KnotDomain
package import Recommendation
package import Threads

/// When a call is sent again; a pipeline has another policy of that name.
package typealias CallRetries = RetryPolicy

/// What whoever sends for a service has to know of it.
package struct ServiceConduct: Sendable {
    package let capability: ProviderCapability
    /// Tells one key at one address from another, without saying either.
    package let account: String
    /// How fast the service may be asked; nil where it does not say.
    package let rate: RateLimit?
    /// Answers in a row that ask for fewer calls before the service is left alone for a minute.
    package let mostThrottled: Int
    /// How long a reply may be kept and shown when the service does not answer.
    package let keeping: Duration
    /// Whether the service is many hosts, as shops are, each of which is paced and left alone by itself.
    package let isOfManyHosts: Bool
    /// What a reply means, by the service's contract.
    package let failure: @Sendable (HTTPResponse) -> ServiceFailure?
    /// Whether a reply that is no failure can be read at all.
    package let reads: @Sendable (HTTPResponse) -> Bool
    /// Whether it can be read without leaving anything out.
    package let readsWhole: @Sendable (HTTPResponse) -> Bool

    package init(_ service: any LiveService, account: String) {
        capability = service.capability
        self.account = account
        rate = service.rate
        mostThrottled = service.mostThrottled
        keeping = service.keeping
        isOfManyHosts = service.isOfManyHosts
        failure = { service.failure(of: $0) }
        // Why it cannot be read, the run says.
        reads = { (try? service.document(of: $0)) != nil }
        readsWhole = { (try? service.document(of: $0)) != nil && $0.isReadWhole }
    }

    /// What a reply means for the calls after it; `now` is in seconds since 1970.
    package func verdict(on reply: HTTPResponse, now: Int64) -> ReplyVerdict {
        ReplyVerdict(failure(reply), of: reply, now: now)
    }

    /// The service's channel: the one layer that paces its calls, counts them and sends any of them again.
    package func channel(
        over sender: any HTTPSender,
        quota: QuotaLedger?,
        pace: RateLedger? = nil,
        timers: DeadlineTimers,
        retry: RetryPolicy = RetryPolicy(),
        isPaced: Bool = true
    ) -> ServiceChannel {
        var policy = ServiceChannel.Policy(capability.name.rawValue)
        policy.rate = isPaced ? rate : nil
        policy.mostThrottled = mostThrottled
        policy.retry = retry
        policy.judge = { verdict(on: $0, now: $1) }
        return ServiceChannel(policy, over: sender, quota: quota, pace: pace, timers: timers)
    }

    /// The ledger of the service's days, shared by all processes that keep it in this folder; nil where no day's quota is known.
    ///
    /// A quota of less than a day does not outlive a process, and is a rate.
    package func ledger(in folder: String) -> QuotaLedger? {
        guard let quota = capability.quota, quota.period >= .seconds(86_400) else { return nil }
        let name = "quota-\(capability.name.rawValue)-\(account)"
        return QuotaLedger(at: "\(folder)/\(name)", limit: quota.calls, period: Int64(quota.period / .seconds(1)))
    }

    /// The pace of a host, shared by all processes that keep it in this folder.
    func pace(of origin: String, in folder: String) -> RateLedger {
        let host = isOfManyHosts ? "-" + SHA256Digest(of: Array(origin.utf8)).hex.prefix(16) : ""
        return RateLedger(at: "\(folder)/pace-\(capability.name.rawValue)-\(account)\(host)")
    }

    /// A folder of replies, in which those to another key or another service have other names.
    package func replies(in folder: String) -> any ReplyKeeping {
        var limits = ReplyFolder.Limits()
        limits.life = min(limits.life, Int64(keeping / .seconds(1)))
        return replies(in: ReplyFolder(at: folder, limits: limits) { ServiceClock.system.secondsSince1970() })
    }

    /// The same in any place that others keep theirs in too.
    package func replies(in keeping: any ReplyKeeping) -> any ReplyKeeping {
        NamedReplies(name: "\(capability.name.rawValue)-\(account)", keeping: keeping)
    }

    /// What may be kept of the service's replies, and when that stands in for a new one.
    package var terms: KeptReplies.Terms {
        KeptReplies.Terms(life: keeping) { reply in
            reply.status == 200 && failure(reply) == nil && readsWhole(reply)
        } isOutage: { reply in
            switch failure(reply)?.remedy {
            case nil: !reads(reply)
            // The call is wrong, or nothing of whoever is asked is to be had any more.
            case .some(.none), .closed: false
            case .again, .pause, .usedUp: true
            }
        }
    }

    /// The channel with what shares equal calls before it, so that a shared reply costs nothing, and with what has an old
    /// reply for a service that is down.
    ///
    /// In `folder` all processes of this machine note when the service may be asked next. With `sparesThisMachine` what simulates the service at an address of this machine is neither paced nor counted.
    package func sender(
        over client: any HTTPSender,
        quota: QuotaLedger?,
        pacedIn folder: String? = nil,
        timers: DeadlineTimers,
        retry: RetryPolicy = RetryPolicy(),
        kept: (keeping: any ReplyKeeping, scrubber: Scrubber)? = nil,
        sparesThisMachine: Bool = false
    ) -> any HTTPSender {
        let conduct = self
        let one = { @Sendable (origin: String) in
            let pace = folder.map { conduct.pace(of: origin, in: $0) }
            return conduct.channel(over: client, quota: quota, pace: pace, timers: timers, retry: retry)
        }
        var channel: any HTTPSender = isOfManyHosts ? HostChannels(one) : one("")
        if sparesThisMachine {
            let free = self.channel(over: client, quota: nil, timers: timers, retry: retry, isPaced: false)
            channel = UnpacedHere(others: channel, here: free)
        }
        let sender: any HTTPSender =
            kept.map { KeptReplies(channel, in: $0.keeping, terms: terms, scrubber: $0.scrubber) } ?? channel
        return SharedReplies(
            sender,
            on: ServiceLanes.lane(of: capability.name),
            life: { reply in
                // The service may answer again at any moment.
                guard reply.age == nil else { return nil }
                guard let failure = failure(reply) else {
                    return reply.status == 200 && readsWhole(reply) ? .seconds(600) : nil
                }
                // What is refused once would be refused again.
                return failure.remedy == .none ? .seconds(60) : nil
            }
        )
    }
}

/// What lies on this machine has agreed to no rate and no quota; all others keep theirs.
private struct UnpacedHere: HTTPSender {
    let others: any HTTPSender
    let here: any HTTPSender

    func send(
        _ request: HTTPRequest,
        by deadline: ContinuousClock.Instant
    ) async throws(HTTPFailure) -> HTTPResponse {
        let isHere = (try? HTTPURL(request.url))?.isLoopback ?? false
        return try await (isHere ? here : others).send(request, by: deadline)
    }
}

/// Replies of one service among those of others.
private struct NamedReplies: ReplyKeeping {
    let name: String
    let keeping: any ReplyKeeping

    func reply(to call: String) async -> KeptReply? { await keeping.reply(to: "\(name)-\(call)") }
    func keep(_ reply: KeptReply, of call: String) async { await keeping.keep(reply, of: "\(name)-\(call)") }
    func remove(_ call: String) async { await keeping.remove("\(name)-\(call)") }
}

extension ReplyVerdict {
    /// What a reply's failure means for the calls after it; `now` is in seconds since 1970.
    init(_ failure: ServiceFailure?, of reply: HTTPResponse, now: Int64) {
        // Both forms are read here, where there is a clock; the longer wait counts.
        let asked = RetryAfter.wait(of: reply, now: now)
        switch failure?.remedy {
        case nil, .some(.none): self = .final
        case .pause(let time): self = .pause(for: max(time, min(asked ?? .zero, .seconds(86_400))))
        case .usedUp(let time): self = .usedUp(for: time)
        case .closed(let time): self = .closed(for: time)
        case .again(let after):
            let wait = [after, asked].compactMap { $0 }.max()
            // A success that says "slower", as of GraphQL, is no outage.
            let isThrottled = [200, 429, 430].contains(reply.status) && failure?.isOfNoService != true
            self = isThrottled ? .slower(after: wait) : .retry(after: wait)
        }
    }
}
