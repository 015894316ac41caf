package import HTTPClient
import KnotDomain
package import Recommendation
import StageGraph
import Synchronization

/// Answers calls from a tape: nothing is sent, nothing is resolved, nobody waits.
package final class TrafficPlayer: Sendable {
    private struct Track {
        var answers: [TrafficTape.Answer] = []
        var next = 0
    }

    private struct State {
        var tracks: [String: Track] = [:]
        /// Calls without an answer, by service.
        var missed: [String: Int] = [:]
    }

    private let scrubber: Scrubber
    private let addresses: [String: [IPAddress]]
    private let failedLooks: [String: StageFailure]
    private let late: Set<String>
    private let isSettled: Bool
    private let state: Mutex<State>

    package init(_ tape: TrafficTape, _ scrubber: Scrubber) {
        self.scrubber = scrubber
        var state = State()
        var addresses: [String: [IPAddress]] = [:]
        var failedLooks: [String: StageFailure] = [:]
        var late: Set<String> = []
        for entry in tape.entries {
            switch entry {
            case .call(let service, let digest, _, let answer):
                state.tracks["\(service) \(digest)", default: Track()].answers.append(answer)
            case .addresses(let name, let texts): addresses[name] = texts.compactMap { IPAddress($0) }
            case .failedLook(let url, let failure): failedLooks[url] = failure
            case .lateService(let name): late.insert(name)
            }
        }
        self.addresses = addresses
        self.failedLooks = failedLooks
        self.late = late
        isSettled = tape.isSettled
        self.state = Mutex(state)
    }

    /// How many calls the tape had no answer to, by service.
    package var missed: [String: Int] { state.withLock { $0.missed } }

    /// A sender that answers as a service did.
    package func sender(_ service: String) -> any HTTPSender { PlayingSender(player: self, service: service) }

    package var resolver: any NameResolver { PlayingResolver(addresses: addresses) }

    /// A provider that is as late as it was when it was recorded, and answers as its service did else.
    package func provider(over provider: any CandidateProvider) -> any CandidateProvider {
        let isLate = provider.capabilities.contains { late.contains($0.name.rawValue) }
        if isLate { return LateProvider(capabilities: provider.capabilities) }
        return isSettled ? provider : UnsettledProvider(provider: provider)
    }

    /// A checker that fails where the recorded one did, and reads the recorded pages else.
    package func checker(over checker: any AvailabilityChecker) -> any AvailabilityChecker {
        PlayingChecker(failedLooks: failedLooks, scrubber: scrubber, checker: checker)
    }

    /// Nil where the recorded run did not wait for the answer.
    fileprivate func answer(to request: HTTPRequest, of service: String) throws(HTTPFailure) -> HTTPResponse? {
        let addresses = ([request] + request.earlierForms).map { form in
            "\(service) \(CallSignature(form, to: service, scrubber).digest)"
        }
        let answer = state.withLock { state -> TrafficTape.Answer? in
            guard let address = addresses.first(where: { state.tracks[$0] != nil }), var track = state.tracks[address],
                let last = track.answers.last
            else {
                state.missed[service, default: 0] += 1
                return nil
            }
            defer { state.tracks[address] = track }
            // The last answer again, when it is asked more often than it was then.
            guard track.next < track.answers.count else { return last }
            track.next += 1
            return track.answers[track.next - 1]
        }
        switch answer {
        case .reply(let reply): return reply.response
        case .failure(let failure): throw failure
        case .some(.none): return nil
        case nil: throw HTTPFailure(.unavailable, host: service, "the recorded traffic has no answer to this call")
        }
    }
}

private struct PlayingSender: HTTPSender {
    let player: TrafficPlayer
    let service: String

    func send(
        _ request: HTTPRequest,
        by deadline: ContinuousClock.Instant
    ) async throws(HTTPFailure) -> HTTPResponse {
        if let answer = try player.answer(to: request, of: service) { return answer }
        // Whoever ran out of time then has to run out of it again.
        do {
            try await ContinuousClock().sleep(until: deadline)
        } catch {
            throw HTTPFailure(.cancelled, host: service, "")
        }
        throw HTTPFailure(.timeout, host: service, "nobody waited for its answer when it was recorded")
    }
}

/// A provider whose answer nobody waited for: the run has to go on without it again.
private struct LateProvider: CandidateProvider {
    let capabilities: [ProviderCapability]

    /// Far beyond what any run waits; whoever gives it up ends it.
    private static let patience = Duration.seconds(600)

    func candidates(for query: ProviderQuery) async throws(StageFailure) -> [Candidate] {
        // The sleep fails only where it is given up, which is what it waits for.
        try? await ContinuousClock().sleep(for: Self.patience)
        throw StageFailure(.provider, code: "late", "nobody waited for its answer when it was recorded")
    }
}

/// A provider whose failures nodes try again, as they did when this was recorded: the tape has the second answers too.
private struct UnsettledProvider: CandidateProvider {
    let provider: any CandidateProvider
    var capabilities: [ProviderCapability] { provider.capabilities }

    func candidates(for query: ProviderQuery) async throws(StageFailure) -> [Candidate] {
        do throws(StageFailure) {
            return try await provider.candidates(for: query)
        } catch {
            throw StageFailure(error.failureClass, code: error.code, error.detail)
        }
    }
}

private struct PlayingResolver: NameResolver {
    let addresses: [String: [IPAddress]]

    func addresses(of name: String, by deadline: ContinuousClock.Instant) async throws(HTTPFailure) -> [IPAddress] {
        addresses[name] ?? []
    }
}

private struct PlayingChecker: AvailabilityChecker {
    let failedLooks: [String: StageFailure]
    let scrubber: Scrubber
    let checker: any AvailabilityChecker

    func probe(_ candidate: Candidate) async throws(StageFailure) -> AvailabilityProbe {
        if let failure = failedLooks[scrubber.scrubbed(candidate.url)] { throw failure }
        return try await checker.probe(candidate)
    }
}
