import HTTPClient
import ItemPages
import KnotDomain
import LiveProviders
import Recommendation

/// What strangers write and we read: each target takes any bytes, and says what is wrong where reading them breaks a promise.
package enum FuzzTarget: String, CaseIterable, Sendable {
    /// A reply of a service: the first byte says whose, the second how it comes.
    case reply
    /// A URL of somebody else's, and after a line break where it leads on to.
    case url
    case retryAfter = "retry-after"
    /// The beginning of a page.
    case page
    /// A file of recorded traffic.
    case tape

    /// A broken promise, in words; nil where all are kept.
    package func complaint(about bytes: [UInt8]) -> String? {
        switch self {
        case .reply: Self.reply(bytes)
        case .url: Self.url(String(decoding: bytes.prefix(8_192), as: UTF8.self))
        case .retryAfter: Self.retryAfter(String(decoding: bytes.prefix(8_192), as: UTF8.self))
        case .page: Self.page(bytes)
        case .tape: Self.tape(bytes)
        }
    }

    // MARK: Replies

    private static let now = Instant(millisecondsSinceEpoch: 1_795_000_000_000)

    private static let services: [any LiveService] = {
        let secrets = [
            "KNOT_YELP_KEY", "KNOT_TICKETMASTER_KEY", "KNOT_AMAZON_CLIENT_ID", "KNOT_AMAZON_CLIENT_SECRET",
            "KNOT_FIRECRAWL_KEY",
        ]
        var environment = Dictionary(uniqueKeysWithValues: secrets.map { ($0, "fuzzed-secret") })
        environment["KNOT_AMAZON_TAG"] = "fuzzed-20"
        environment["KNOT_SHOPIFY_PROFILE"] = "https://agent.example/profile.json"
        environment["KNOT_SHOPIFY_SHOPS"] = "kiln.example,loom.example:products:GBP"
        environment["KNOT_FIRECRAWL_READS_PAGES"] = "1"
        let variables = environment
        return LiveServices(
            environment: { variables[$0] },
            zones: ZoneDirectory(),
            now: { now },
            sending: { _ in NobodySending() }
        ).all
    }()

    private static let types = ["application/json", "text/event-stream", "text/html", ""]
    private static let statuses = [200, 400, 401, 403, 429, 430, 500, 503]

    private static func reply(_ bytes: [UInt8]) -> String? {
        guard bytes.count >= 2 else { return nil }
        let service = services[Int(bytes[0]) % services.count]
        let type = types[Int(bytes[1] & 3)]
        let response = HTTPResponse(
            status: statuses[Int(bytes[1] >> 2 & 7)],
            headers: HTTPHeaders(type.isEmpty ? [] : [HTTPHeader("Content-Type", type)]),
            body: Array(bytes.dropFirst(2))
        )
        let query = ProviderQuery(
            provider: service.capability.name,
            phrases: ["kettle", "jazz"],
            types: CandidateType.allCases,
            budget: nil,
            place: Place(city: "San Francisco", state: "CA", country: "US"),
            until: nil,
            limit: 100,
            asOf: now
        )
        if let failure = service.failure(of: response) { return complaint(about: failure) }
        for call in service.calls(for: query) {
            do throws(ServiceFailure) {
                for candidate in try service.candidates(in: response, to: call, for: query) {
                    if let complaint = complaint(about: candidate) { return complaint }
                }
            } catch {
                if let complaint = complaint(about: error) { return complaint }
            }
        }
        return nil
    }

    private static func complaint(about failure: ServiceFailure) -> String? {
        let isPlain = failure.code.utf8.allSatisfy {
            (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x5F
        }
        guard isPlain, !failure.code.isEmpty else { return "a failure has the code \(failure.code)" }
        return hasControls(failure.detail) ? "a failure's words have control characters" : nil
    }

    private static func complaint(about candidate: Candidate) -> String? {
        let scheme = candidate.url.prefix { $0 != ":" }.lowercased()
        guard ["http", "https"].contains(scheme) else { return "a link is none" }
        if hasControls(candidate.id.text) { return "an id has control characters" }
        if candidate.title.isEmpty { return "a title is empty" }
        for text in [candidate.title, candidate.description ?? "", candidate.merchant ?? ""] + candidate.tags
        where hasControls(text) { return "a text has control characters" }
        if let price = candidate.priceCents, price < 0 { return "a price is below nothing" }
        if let rating = candidate.rating, !rating.isFinite { return "stars are no number" }
        return nil
    }

    private static func hasControls(_ text: String) -> Bool {
        text.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" && $0 != "\t" || $0.value == 0x7F }
    }

    // MARK: URLs and headers

    private static func url(_ text: String) -> String? {
        let lines = text.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard let url = try? HTTPURL(lines.first ?? "") else { return nil }
        if let complaint = complaint(about: url) { return complaint }
        guard lines.count > 1, let next = try? url.following(lines[1]) else { return nil }
        return complaint(about: next)
    }

    private static func complaint(about url: HTTPURL) -> String? {
        guard let again = try? HTTPURL(url.text) else { return "\(url.text) is no URL any more" }
        guard again == url, again.text == url.text else { return "\(url.text) is another URL when it is read again" }
        let isPlain = url.text.utf8.allSatisfy { (0x21..<0x7F).contains($0) }
        guard isPlain else { return "\(url.text) has characters that no URL may have" }
        guard AddressVetting.refusal(of: url, ports: [443]) == nil else { return nil }
        if case .address(let address) = url.host, !address.isOfOpenNetwork { return nil }
        // What passes is asked over TLS, at its usual port, at a public name or address.
        guard url.scheme == .https, url.port == 443, !url.isLoopback else { return "\(url.text) passed the vetting" }
        if case .name(let name) = url.host, !name.contains(".") || name.hasSuffix(".localhost") {
            return "\(url.text) passed the vetting"
        }
        return nil
    }

    private static func retryAfter(_ text: String) -> String? {
        let now: Int64 = 1_795_000_000
        guard let wait = RetryAfter.wait(text, now: now) else { return nil }
        let longest = Duration.seconds(300_000_000_000)
        return wait >= .zero && wait < longest ? nil : "a wait of \(wait)"
    }

    // MARK: Pages and files

    private static func page(_ bytes: [UInt8]) -> String? {
        let reading = PageReading(bytes, currency: .usd)
        guard PageReading(bytes, currency: .usd) == reading else { return "a page is read in two ways" }
        if case .minorUnits(let price) = reading.price, price < 0 { return "a price is below nothing" }
        return nil
    }

    private static func tape(_ bytes: [UInt8]) -> String? {
        guard let tape = try? TrafficTape(ndjson: bytes) else { return nil }
        guard let again = try? TrafficTape(ndjson: tape.ndjson()), again == tape else {
            return "a tape is another one when it is written and read again"
        }
        return nil
    }
}

/// Sends nothing: replies are made up here.
private struct NobodySending: HTTPSender {
    func send(
        _ request: HTTPRequest,
        by deadline: ContinuousClock.Instant
    ) async throws(HTTPFailure) -> HTTPResponse {
        throw HTTPFailure(.unavailable, host: "", "nothing is sent from here")
    }
}
