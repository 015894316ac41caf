package import HTTPClient
import ItemPages
package import KnotDomain
package import Recommendation
package import StageGraph
package import Threads

/// Looks at an item's page: whether it is there, what it says of stock and price; it reads sixteen kilobytes and keeps none.
///
/// Only a page that says so is gone or sold out, and only a link into a private network misleads. A wall, an
/// outage, another place that may not be asked and a slow server are unknown, and take no gift away.
package struct PageProbe: AvailabilityChecker {
    package struct Limits: Sendable {
        /// One look with all its requests.
        package var total = Duration.seconds(5)
        /// Of a page.
        package var bytes = 16 << 10
        /// Looks at once over all hosts: the three of a set and the reserve that is looked at with them.
        package var places = 8
        /// Between two looks at one host.
        package var spacing = Duration.seconds(1)
        /// Whether a host is left alone between two looks and where it asks for that; nobody spares a recording.
        package var sparesHosts = true
        /// How long a finding is good: of a page that said something, and of one that did not.
        package var known = Duration.seconds(86_400)
        package var unknown = Duration.seconds(3_600)

        package init() {}
    }

    private let fetcher: PageFetcher
    private let limits: Limits
    private let places: Bulkhead
    private let memory: PageMemory
    private let clock: ServiceClock

    package init(
        _ fetcher: PageFetcher,
        limits: Limits = Limits(),
        memory: PageMemory = PageMemory(),
        timers: DeadlineTimers,
        clock: ServiceClock = .system
    ) {
        self.fetcher = fetcher
        self.limits = limits
        self.memory = memory
        self.clock = clock
        places = Bulkhead(places: limits.places, queue: 256, timers: timers)
    }

    /// With the system's resolver; `trusted` are origins that whoever runs the program has named, as
    /// `http://127.0.0.1:8080`, and that need not be of the open network.
    package init(over sender: any HTTPSender, trusted: Set<String> = [], timers: DeadlineTimers) {
        let vetting = AddressVetting(resolver: SystemResolver(timers: timers), trusted: trusted)
        self.init(PageFetcher(sender, vetting: vetting), timers: timers)
    }

    package func probe(_ candidate: Candidate) async throws(StageFailure) -> AvailabilityProbe {
        let key = PageMemory.Key(candidate)
        if let known = memory.finding(key, at: clock.now()) { return known }
        let deadline = clock.now() + limits.total
        switch await places.enter(by: deadline) {
        case .entered: break
        case .full, .late: throw StageFailure(.provider, code: "overloaded", "too many pages are being looked at")
        case .cancelled: throw StageFailure(.provider, code: "cancelled", "nobody waits for the page any more")
        }
        let found = await look(at: candidate, by: deadline)
        places.leave()
        switch found {
        case .success(let probe):
            let isKnown = probe.status.map { (200..<400).contains($0) || $0 == 404 || $0 == 410 } ?? false
            memory.keep(probe, of: key, until: clock.now() + (isKnown ? limits.known : limits.unknown))
            return probe
        case .failure(let failure) where failure.leadsInside:
            let probe = AvailabilityProbe(status: nil, signal: .misleading, price: .notLooked)
            memory.keep(probe, of: key, until: clock.now() + limits.unknown)
            return probe
        case .failure(let failure):
            // A caller who gave up has found out nothing.
            if failure.kind != .cancelled, failure.kind != .overloaded {
                memory.keep(Self.unknown, of: key, until: clock.now() + limits.unknown)
            }
            throw StageFailure(
                .provider,
                code: "page_\(failure.kind.rawValue)",
                "the page cannot be looked at: \(failure)"
            )
        }
    }

    /// Whoever is wanted most has the first turn at a host, whichever task comes first.
    package func expects(_ candidates: [Candidate]) {
        guard limits.sparesHosts else { return }
        let now = clock.now()
        let pages = candidates.map { (host: Self.host(of: $0), key: PageMemory.Key($0)) }
            .filter { memory.finding($0.key, at: now) == nil }
        memory.promise(pages, now: now, spacing: limits.spacing, by: now + limits.total * Self.latestShare)
    }

    private static func host(of candidate: Candidate) -> String { (try? HTTPURL(candidate.url))?.shownHost ?? "" }

    /// Nothing is known of the page.
    private static let unknown = AvailabilityProbe(status: nil, signal: .none, price: .notLooked)

    private func look(
        at candidate: Candidate,
        by deadline: ContinuousClock.Instant
    ) async -> Result<AvailabilityProbe, HTTPFailure> {
        do throws(HTTPFailure) {
            let host = Self.host(of: candidate)
            try await waitForTurn(at: host, of: PageMemory.Key(candidate), by: deadline)
            // Some servers answer to HEAD what they do not mean, or nothing at all: GET decides, unless nobody is to ask.
            if let head = try await head(of: candidate.url, by: deadline) {
                note(head, of: host)
                if [429, 503].contains(head.status) { return .success(Self.plain(head.status)) }
            }
            let page = try await fetcher.page(
                .get,
                candidate.url,
                headers: Self.headers + [HTTPHeader("Range", "bytes=0-\(limits.bytes - 1)")],
                limits: pageLimits,
                by: deadline
            )
            note(page.response, of: host)
            return .success(finding(page, asked: candidate))
        } catch {
            return .failure(error)
        }
    }

    /// The answer to HEAD; nil where there was none that a page may not have for GET all the same.
    private func head(
        of url: String,
        by deadline: ContinuousClock.Instant
    ) async throws(HTTPFailure) -> HTTPResponse? {
        do throws(HTTPFailure) {
            // Whoever never answers to it leaves time enough for GET.
            let end = min(deadline, clock.now() + limits.total * Self.headShare)
            return try await fetcher.page(.head, url, headers: Self.headers, limits: pageLimits, by: end).response
        } catch {
            switch error.kind {
            case .timeout, .reset, .protocolError, .tooLarge: return nil
            case .refusedURL where !error.leadsInside: return nil
            default: throw error
            }
        }
    }

    /// The part of a look's time by which it has to begin.
    private static let latestShare = 0.9
    /// What HEAD may take of the time of a look.
    private static let headShare = 0.4

    /// What the answer to GET means.
    private func finding(_ page: PageFetcher.Page, asked candidate: Candidate) -> AvailabilityProbe {
        let status = page.response.status
        // A part that is not there is asked of a page that is.
        guard status != 416 else { return Self.plain(200) }
        // Who leads on without saying where, answers with nothing, or puts it off as walls do, has shown no page.
        guard !(300..<400).contains(status), ![202, 204, 205].contains(status) else { return Self.unknown }
        guard (200..<300).contains(status), page.response.mediaType.map(Self.isPage) ?? true else {
            return Self.plain(status)
        }
        // Nothing came, or nothing of it could be unpacked.
        guard !page.response.body.isEmpty else { return Self.unknown }
        let asked = try? HTTPURL(candidate.url)
        // An item that leads to the front door is gone for all we know, and maybe only moved.
        if page.hops > 0, let asked, PagePlace.isOfNoItem(page.url, movedFrom: asked) { return Self.unknown }
        let item = PageItem(
            title: candidate.title,
            urls: [page.url] + (asked.map { [$0] } ?? []),
            priceCents: candidate.priceCents,
            currency: candidate.currency,
            startsAt: candidate.startsAt,
            today: day(of: page.response),
            isMoved: page.hops > 0 && asked.map { PagePlace.isAnother(page.url, than: $0) } ?? false
        )
        // The header that browsers follow as they do the page's own word.
        let refresh = page.response.headers["refresh"].flatMap(PageRefresh.init)
        if let refresh, !item.isOwn(refresh.url) { return Self.unknown }
        let reading = PageReading(page.response.body, contentType: page.response.headers["content-type"], of: item)
        switch reading.kind {
        case .wall, .unclear: return Self.unknown
        case .missing: return Self.plain(404)
        case .item:
            var probe = AvailabilityProbe(
                status: 200,
                signal: reading.signal,
                price: reading.price,
                deliveryDays: reading.deliveryDays
            )
            probe.currency = reading.currency
            return probe
        }
    }

    /// The day by the page's own clock, so that a recorded page says the same whenever it is read.
    private func day(of response: HTTPResponse) -> CivilDate {
        let seconds = response.headers["date"].flatMap(RetryAfter.date) ?? clock.secondsSince1970()
        return CivilDate(daysSinceEpoch: Int(seconds / 86_400))
    }

    private static func plain(_ status: Int) -> AvailabilityProbe {
        AvailabilityProbe(status: status, signal: .none, price: .notLooked)
    }

    private static func isPage(_ type: String) -> Bool {
        ["text/html", "application/xhtml+xml", "text/plain"].contains(type)
    }

    private static let headers = [
        HTTPHeader("Accept", "text/html,application/xhtml+xml"), HTTPHeader("Accept-Language", "en;q=0.8, *;q=0.5"),
    ]

    private var pageLimits: HTTPLimits {
        HTTPLimits(bodyBytes: limits.bytes, decodedBytes: limits.bytes, cutsBody: true, total: limits.total)
    }

    /// One look at a host a second, and none before the time that it asked for.
    private func waitForTurn(
        at host: String,
        of key: PageMemory.Key,
        by deadline: ContinuousClock.Instant
    ) async throws(HTTPFailure) {
        guard limits.sparesHosts else { return }
        let now = clock.now()
        // A look that began with its last moment would find out nothing, and keep everybody waiting for it.
        let latest = deadline - limits.total * (1 - Self.latestShare)
        guard let turn = memory.turn(at: host, of: key, now: now, spacing: limits.spacing, by: latest) else {
            throw HTTPFailure(.overloaded, host: host, "it asked to be left alone, or too many looks at it wait")
        }
        guard turn > now else { return }
        guard await clock.pause(turn) else { throw HTTPFailure(.cancelled, host: host, "") }
    }

    private func note(_ response: HTTPResponse, of host: String) {
        guard limits.sparesHosts, [429, 503].contains(response.status) else { return }
        let asked = RetryAfter.wait(of: response, now: clock.secondsSince1970()) ?? .seconds(60)
        memory.leaveAlone(host, until: clock.now() + min(asked, .seconds(3_600)))
    }
}
