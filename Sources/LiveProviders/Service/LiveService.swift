package import HTTPClient
package import JSONDocument
package import KnotDomain
package import Recommendation
package import StageGraph

/// One call that a query leads to.
package struct ServiceCall: Sendable {
    package var request: HTTPRequest
    /// What is asked, for people who want to know before anything is sent.
    package let asks: String
    /// What the call counts against the service's quota.
    package let cost: Int
    /// What its results are where the service does not say.
    package let type: CandidateType
    /// Which of the service's parts is asked, as a shop by its place in the settings.
    package let part: Int

    package init(
        _ request: HTTPRequest,
        asks: String,
        cost: Int = 1,
        type: CandidateType = .gift,
        part: Int = 0
    ) {
        self.request = request
        self.asks = asks
        self.cost = cost
        self.type = type
        self.part = part
    }
}

/// Something that a service offers.
package struct ServiceOffer: Sendable {
    package let candidate: Candidate
    /// What it is the same thing by as another of the service, as one show of a day; nil: by its id alone.
    package let thing: [String]?

    package init(_ candidate: Candidate, thing: [String]? = nil) {
        self.candidate = candidate
        self.thing = thing
    }

    /// Each thing once, the first that comes.
    static func distinct(_ offers: [ServiceOffer]) -> [Candidate] {
        var seen: Set<[String]> = []
        return offers.filter { offer in offer.thing.map { seen.insert($0).inserted } ?? true }.map(\.candidate)
    }
}

/// A service as the pipeline knows it: how it is asked and what its replies mean; to send is the same for all.
package protocol LiveService: CandidateProvider {
    var capability: ProviderCapability { get }
    var sender: any HTTPSender { get }
    /// What one query may take with all its calls.
    var timeout: Duration { get }

    /// How fast the service may be asked by all processes of this machine; nil where it does not say.
    var rate: RateLimit? { get }

    /// After so many answers in a row that ask for fewer calls it is left alone for a minute.
    var mostThrottled: Int { get }

    /// Whether the service is many hosts, as shops are, so that rate and pauses are those of each host.
    var isOfManyHosts: Bool { get }

    /// How long a reply may be kept and shown when the service does not answer, by its own terms.
    var keeping: Duration { get }

    /// What a query leads to; nothing is sent, and the same query always leads to the same calls.
    func calls(for query: ProviderQuery) -> [ServiceCall]

    /// The request as it is sent, with what expires; most requests are complete already.
    func authorized(
        _ call: ServiceCall,
        by deadline: ContinuousClock.Instant
    ) async throws(StageFailure) -> HTTPRequest

    /// Why a reply brings nothing; nil where it brings something.
    func failure(of reply: HTTPResponse) -> ServiceFailure?

    /// A reply that is no failure, as it can be read.
    func document(of reply: HTTPResponse) throws(ServiceFailure) -> JSONValue

    /// What a reply that is no failure brings, in the service's order.
    func candidates(
        in reply: HTTPResponse,
        to call: ServiceCall,
        for query: ProviderQuery
    ) throws(ServiceFailure) -> [Candidate]

    /// The same, with what the service knows things of several calls to be the same by.
    func offers(
        in reply: HTTPResponse,
        to call: ServiceCall,
        for query: ProviderQuery
    ) throws(ServiceFailure) -> [ServiceOffer]

    /// Another request that may succeed where a call has failed; it is sent once.
    ///
    /// The call is as it was sent, with what `authorized` added.
    func other(than call: ServiceCall, after failure: ServiceFailure, for query: ProviderQuery) -> ServiceCall?
}

extension LiveService {
    package var capabilities: [ProviderCapability] { [capability] }
    package var rate: RateLimit? { nil }
    package var mostThrottled: Int { 10 }
    package var isOfManyHosts: Bool { false }
    /// A day, which the strictest of those that say something allow; the others say nothing.
    package var keeping: Duration { .seconds(86_400) }

    package func authorized(
        _ call: ServiceCall,
        by deadline: ContinuousClock.Instant
    ) async throws(StageFailure) -> HTTPRequest { call.request }

    package func other(
        than call: ServiceCall,
        after failure: ServiceFailure,
        for query: ProviderQuery
    ) -> ServiceCall? { nil }

    package func document(of reply: HTTPResponse) throws(ServiceFailure) -> JSONValue { try reply.json() }

    package func offers(
        in reply: HTTPResponse,
        to call: ServiceCall,
        for query: ProviderQuery
    ) throws(ServiceFailure) -> [ServiceOffer] {
        try candidates(in: reply, to: call, for: query).map { ServiceOffer($0) }
    }

    /// What all calls of the query bring; a call that fails costs its own results, which the query is told, and all that
    /// fail are an outage.
    package func candidates(for query: ProviderQuery) async throws(StageFailure) -> [Candidate] {
        guard query.limit > 0, !query.types.isEmpty else { return [] }
        let calls = calls(for: query)
        let now = ContinuousClock.now
        // Whoever stops waiting has what there is a little before.
        let patience = query.answerBy.map { min(timeout, now.duration(to: $0) * 0.9) } ?? timeout
        let deadline = now.advanced(by: patience)
        typealias Answer = (place: Int, answer: Result<[ServiceOffer], StageFailure>)
        // What is made of a reply takes the service's own time, and not that of a run's other stages.
        let lane = ServiceLanes.lane(of: capability.name)
        let answers = await withTaskGroup(of: Answer.self) { group in
            for (place, call) in calls.enumerated() {
                group.addTask(executorPreference: lane) { (place, await answer(to: call, for: query, by: deadline)) }
            }
            return await group.reduce(into: []) { $0.append($1) }.sorted { $0.place < $1.place }
        }
        var found: [ServiceOffer] = []
        var failures: [StageFailure] = []
        for answer in answers {
            switch answer.answer {
            case .success(let offers): found += offers
            case .failure(let failure): failures.append(failure)
            }
        }
        // What one call was told is why the service is not asked any more by the others.
        if let outage = failures.first(where: { !HTTPFailure.unasked.contains($0.code) }) ?? failures.first {
            guard failures.count < calls.count else { throw outage }
            query.shortfalls.note("\(failures.count) of its \(calls.count) calls failed: \(outage.detail)")
        }
        let wanted = CandidateList(ServiceOffer.distinct(found)).candidates.filter { query.types.contains($0.type) }
        return Array(wanted.prefix(query.limit))
    }

    private func answer(
        to call: ServiceCall,
        for query: ProviderQuery,
        by deadline: ContinuousClock.Instant
    ) async -> Result<[ServiceOffer], StageFailure> {
        do throws(StageFailure) {
            let sent = try await prepared(call, by: deadline)
            let first = try await send(sent.request, by: deadline)
            if let failure = failure(of: first), let other = other(than: sent, after: failure, for: query) {
                return .success(try read(try await reply(to: other, by: deadline), to: other, for: query))
            }
            return .success(try read(first, to: call, for: query))
        } catch {
            return .failure(error)
        }
    }

    private static func sentence(onAge age: Duration) -> String {
        let minutes = Int(age / .seconds(60))
        let shown = minutes < 120 ? "\(max(1, minutes)) min" : "\(minutes / 60) h"
        return "it does not answer now, and what it answered \(shown) ago was taken"
    }

    private static var damage: String { "a part of what it answered cannot be read, and the rest was taken" }

    /// Sends one call, and says what came.
    package func reply(
        to call: ServiceCall,
        by deadline: ContinuousClock.Instant
    ) async throws(StageFailure) -> HTTPResponse {
        try await send(try await authorized(call, by: deadline), by: deadline)
    }

    /// The call as it is sent; where whoever authorizes it is out of order, what is kept may answer it all the same.
    private func prepared(
        _ call: ServiceCall,
        by deadline: ContinuousClock.Instant
    ) async throws(StageFailure) -> ServiceCall {
        var sent = call
        do throws(StageFailure) {
            sent.request = try await authorized(call, by: deadline)
        } catch {
            guard !error.isLasting else { throw error }
            let kind = HTTPFailure.Kind(rawValue: error.code) ?? .connect
            sent.request.hindrance = HTTPFailure(kind, host: capability.name.rawValue, error.detail)
        }
        return sent
    }

    private func send(
        _ request: HTTPRequest,
        by deadline: ContinuousClock.Instant
    ) async throws(StageFailure) -> HTTPResponse {
        do throws(HTTPFailure) {
            return try await sender.send(request, by: deadline)
        } catch {
            throw error.stageFailure(of: capability.name.rawValue)
        }
    }

    private func read(
        _ reply: HTTPResponse,
        to call: ServiceCall,
        for query: ProviderQuery
    ) throws(StageFailure) -> [ServiceOffer] {
        do throws(ServiceFailure) {
            if let failure = failure(of: reply) { throw failure }
            if let age = reply.age { query.shortfalls.note(Self.sentence(onAge: age)) }
            let offers = try offers(in: reply, to: call, for: query)
            if !reply.isReadWhole { query.shortfalls.note(Self.damage) }
            return offers
        } catch {
            throw error.stageFailure(of: capability.name.rawValue)
        }
    }
}
