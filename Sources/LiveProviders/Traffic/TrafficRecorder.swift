package import HTTPClient
import JSONDocument
package import KnotDomain
package import Recommendation
import StageGraph
import Synchronization

/// Writes down what services and pages answer while a run asks them.
///
/// It stands above repetition and shared replies, so that what is written is what the run had.
package final class TrafficRecorder: Sendable {
    private struct State {
        var entries: [TrafficTape.Entry] = []
        var byteCount = 0
        /// Calls that nothing has come back of yet.
        var open: [Int: TrafficTape.Entry] = [:]
        var begun = 0
        /// Services that the run went on without.
        var late: Set<String> = []
        /// Looks that came to nothing, by page.
        var failedLooks: [String: StageFailure] = [:]
        /// The pages among them that the run did not wait for, whatever came of the look afterwards.
        var abandoned: Set<String> = []
    }

    /// More than a run of five services and their pages comes to.
    package static let mostBytes = 64 << 20

    private let scrubber: Scrubber
    private let state = Mutex(State())

    package init(_ scrubber: Scrubber) {
        self.scrubber = scrubber
    }

    /// What has been written down, about a stored vault or about none; nil where it was more than is kept.
    ///
    /// In an order that does not depend on which answer came first.
    package func tape(
        of services: [ProviderName: [String: String]],
        pages: [String]?,
        about vault: String? = nil
    ) -> TrafficTape? {
        let (entries, byteCount) = state.withLock { state in
            let looks = state.failedLooks.map { TrafficTape.Entry.failedLook(url: $0.key, $0.value) }
            let late = state.late.map { TrafficTape.Entry.lateService($0) }
            return (state.entries + state.open.values + looks + late, state.byteCount)
        }
        guard byteCount <= Self.mostBytes else { return nil }
        let ordered = entries.enumerated().map { (place: $0, order: $1.order, entry: $1) }.sorted {
            $0.order == $1.order ? $0.place < $1.place : $0.order.lexicographicallyPrecedes($1.order)
        }
        return TrafficTape(services: services, pages: pages, entries: ordered.map(\.entry), subject: vault)
    }

    /// A sender whose answers are written down under a service's name.
    ///
    /// What a service repeats of its call's query is hidden; a page's address is an offer's, and nobody's words.
    package func sender(
        _ service: String,
        over sender: any HTTPSender,
        hidesQuery: Bool = true
    ) -> any HTTPSender {
        RecordingSender(recorder: self, service: service, hidesQuery: hidesQuery, sender: sender)
    }

    package func resolver(over resolver: any NameResolver) -> any NameResolver {
        RecordingResolver(recorder: self, resolver: resolver)
    }

    /// A checker whose failures are written down; what it found is in the pages that it read.
    package func checker(over checker: any AvailabilityChecker) -> any AvailabilityChecker {
        RecordingChecker(recorder: self, checker: checker)
    }

    /// Notes that the run no longer waited for a service: what it answered was too late, or what was made of it.
    package func wentOn(without service: String) {
        state.withLock { _ = $0.late.insert(service) }
    }

    private func add(_ entry: TrafficTape.Entry, bytes: Int = 0, ending number: Int? = nil) {
        state.withLock { state in
            if let number { state.open[number] = nil }
            state.byteCount += bytes + 256
            if state.byteCount <= Self.mostBytes { state.entries.append(entry) }
        }
    }

    // MARK: What is written of each

    /// Headers that adapters and pages are read by; cookies and everything else stay out.
    private static let keptHeaders = [
        "content-type", "date", "location", "retry-after", "rate-limit-reset", "ratelimit-resettime", "refresh",
    ]
    /// What a reply to credentials is called that is a credential itself.
    private static let tokenNames = ["access_token", "refresh_token", "id_token"]

    /// Notes a call that begins, and gives its number.
    fileprivate func begin(_ request: HTTPRequest, to service: String) -> Int {
        let entry = TrafficTape.Entry.call(CallSignature(request, to: service, scrubber), to: service, .none)
        return state.withLock { state in
            defer { state.begun += 1 }
            state.open[state.begun] = entry
            return state.begun
        }
    }

    fileprivate func end(
        _ number: Int,
        _ request: HTTPRequest,
        to service: String,
        hidesQuery: Bool,
        _ result: Result<HTTPResponse, HTTPFailure>
    ) {
        let signature = CallSignature(request, to: service, scrubber)
        let answer: TrafficTape.Answer
        var byteCount = 0
        switch result {
        case .failure(let failure):
            let (host, detail) = (scrubber.scrubbed(failure.host), scrubber.scrubbed(failure.detail))
            answer = .failure(HTTPFailure(failure.kind, host: host, detail))
        case .success(let response):
            scrubber.hideSecrets(of: request)
            hideTokens(in: response, to: request)
            var body = scrubber.scrubbed(response.body)
            if hidesQuery { body = AskedWords(of: request).hidden(in: body) }
            byteCount = body.count
            var headers: [String: String] = [:]
            for name in Self.keptHeaders { headers[name] = response.headers[name].map { scrubber.scrubbed($0) } }
            answer = .reply(
                TapedReply(
                    status: response.status,
                    headers: headers,
                    body: body,
                    isCut: response.isCut,
                    age: response.age.map { Int($0 / .seconds(1)) }
                )
            )
        }
        add(.call(signature, to: service, answer), bytes: byteCount, ending: number)
    }

    /// A reply to credentials brings another, which other replies may repeat.
    private func hideTokens(in response: HTTPResponse, to request: HTTPRequest) {
        guard let body = request.body, scrubber.hides(anyOf: body) else { return }
        // What is no JSON brings no token.
        guard let json = try? response.json() else { return }
        for name in Self.tokenNames { if let token = json[name]?.string { scrubber.hide(token) } }
    }

    fileprivate func note(_ name: String, _ addresses: [IPAddress]) {
        add(.addresses(of: name, addresses.map(\.description)))
    }

    fileprivate func note(_ failure: StageFailure, of url: String, wasAbandoned: Bool = false) {
        let url = scrubber.scrubbed(url)
        let kept = StageFailure(failure.failureClass, code: failure.code, scrubber.scrubbed(failure.detail))
        state.withLock { state in
            if wasAbandoned {
                state.abandoned.insert(url)
            } else if state.abandoned.contains(url) {
                return
            }
            state.byteCount += 256
            if state.byteCount <= Self.mostBytes { state.failedLooks[url] = kept }
        }
    }
}

extension TrafficTape.Entry {
    fileprivate static func call(_ call: CallSignature, to service: String, _ answer: TrafficTape.Answer) -> Self {
        .call(service: service, digest: call.digest, asked: [call.shown] + call.parameters, answer)
    }

    /// Calls first, then names, then pages, then services that were late.
    fileprivate var order: [String] {
        switch self {
        case .call(let service, let digest, _, _): ["a", service, digest]
        case .addresses(let name, _): ["b", name]
        case .failedLook(let url, _): ["c", url]
        case .lateService(let name): ["d", name]
        }
    }
}

private struct RecordingSender: HTTPSender {
    let recorder: TrafficRecorder
    let service: String
    let hidesQuery: Bool
    let sender: any HTTPSender

    func send(
        _ request: HTTPRequest,
        by deadline: ContinuousClock.Instant
    ) async throws(HTTPFailure) -> HTTPResponse {
        let number = recorder.begin(request, to: service)
        let result: Result<HTTPResponse, HTTPFailure>
        do throws(HTTPFailure) {
            result = .success(try await sender.send(request, by: deadline))
        } catch {
            result = .failure(error)
        }
        recorder.end(number, request, to: service, hidesQuery: hidesQuery, result)
        return try result.get()
    }
}

private struct RecordingResolver: NameResolver {
    let recorder: TrafficRecorder
    let resolver: any NameResolver

    func addresses(of name: String, by deadline: ContinuousClock.Instant) async throws(HTTPFailure) -> [IPAddress] {
        // A name that cannot be resolved is a look that fails, which is written down as such.
        let found = try await resolver.addresses(of: name, by: deadline)
        recorder.note(name, found)
        return found
    }
}

private struct RecordingChecker: AvailabilityChecker {
    let recorder: TrafficRecorder
    let checker: any AvailabilityChecker

    func probe(_ candidate: Candidate) async throws(StageFailure) -> AvailabilityProbe {
        do throws(StageFailure) {
            return try await checker.probe(candidate)
        } catch {
            recorder.note(error, of: candidate.url)
            throw error
        }
    }

    func expects(_ candidates: [Candidate]) { checker.expects(candidates) }

    func gaveUp(on candidate: Candidate, _ failure: StageFailure) {
        recorder.note(failure, of: candidate.url, wasAbandoned: true)
    }
}
