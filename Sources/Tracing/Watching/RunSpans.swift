package import ChoiceService
import JSONDocument
import KnotDomain
package import Recommendation
package import StageGraph
import Synchronization
import Worker

/// Draws a span of each run, one of each of its nodes, and hands on under which node a provider is asked.
package struct RunSpans: RunFollowing {
    private let sink: any SpanSink

    package init(to sink: any SpanSink) { self.sink = sink }

    package func follow(_ request: ChoiceRequest, _ plan: Plan, _ ports: inout StagePorts) -> [any RunObserver] {
        let job = request.reminder.map { JobClaim(job: JobID($0.job), token: $0.token).trace }.flatMap(TraceID.init)
        let place = SpanPlace(job ?? .random, .random)
        for (name, provider) in ports.providers {
            guard let node = plan.source(of: name) else { continue }
            ports.providers[name] = FollowedProvider(
                provider: provider,
                scope: SpanScope(place.part(node.text), provider: name.rawValue, sink)
            )
        }
        if let node = plan.nodes.first(where: { $0.stage.kind == CheckAvailability.kind }) {
            ports.checker = FollowedChecker(
                checker: ports.checker,
                scope: SpanScope(place.part(node.id.text), provider: "pages", sink)
            )
        }
        return [RunDrawing(place, under: job?.root.span, sink)]
    }
}

extension Plan {
    /// The first node that asks a provider.
    fileprivate func source(of provider: ProviderName) -> NodeID? {
        nodes.first { node in
            guard node.stage.kind == SourceProvider.kind else { return false }
            let asked = node.parameters.settings["provider"]?.value.string ?? ProviderName.catalogue.rawValue
            return asked == provider.rawValue
        }?.id
    }
}

/// Draws one run when it is over.
private final class RunDrawing: RunObserver {
    private let place: SpanPlace
    private let parent: SpanID?
    private let sink: any SpanSink
    private let start = Mutex<UnixTime?>(nil)

    init(_ place: SpanPlace, under parent: SpanID?, _ sink: any SpanSink) {
        self.place = place
        self.parent = parent
        self.sink = sink
    }

    func observe(_ event: RunObservation) {
        switch event {
        case .began: start.withLock { $0 = .now }
        case .finished(let report): sink.take(spans(of: report))
        case .started, .ended: return
        }
    }

    private func spans(of report: RunReport) -> [Span] {
        let start = start.withLock { $0 } ?? (.now - report.elapsed)
        var run = Span(
            "run",
            .inside,
            at: place,
            under: parent,
            from: start,
            to: start + report.elapsed,
            [.text("knot.pipeline", report.plan.identity), .count("knot.items.retrieved", report.counts.retrieved)]
                + ItemState.allCases.map { .count("knot.items.\($0.rawValue)", report.counts[$0]) }
                + [SpanAttribute("knot.degraded", .flag(report.isDegraded))]
        )
        if case .failure(let failure) = report.outcome {
            run.status = .error(failure.code)
            run.attributes.append(.text("error.type", failure.code))
        }
        return [run] + report.nodes.compactMap { node(of: $0, start) }
    }

    /// Nil where it never ran.
    private func node(of report: NodeReport, _ begin: UnixTime) -> Span? {
        guard let started = report.started, let ended = report.ended else { return nil }
        var span = Span(
            report.node.text,
            .inside,
            at: place.part(report.node.text),
            under: place.span,
            from: begin + started,
            to: begin + ended,
            [
                .text("knot.node.kind", report.kind), .text("knot.node.role", report.role.rawValue),
                .text("knot.node.state", report.state.rawValue), .count("knot.node.attempts", report.attempts),
            ]
        )
        if let incoming = report.incoming { span.attributes.append(.count("knot.items.in", incoming)) }
        if let outgoing = report.outgoing { span.attributes.append(.count("knot.items.out", outgoing)) }
        if let failure = report.failure {
            span.status = .error(failure.code)
            span.attributes.append(.text("error.type", failure.code))
        }
        return span
    }
}

/// A provider that is asked under a span.
private struct FollowedProvider: CandidateProvider {
    let provider: any CandidateProvider
    let scope: SpanScope

    var capabilities: [ProviderCapability] { provider.capabilities }

    func candidates(for query: ProviderQuery) async throws(StageFailure) -> [Candidate] {
        try await scope.result { () async throws(StageFailure) in try await provider.candidates(for: query) }.get()
    }
}

/// Whoever looks at pages, under a span.
private struct FollowedChecker: AvailabilityChecker {
    let checker: any AvailabilityChecker
    let scope: SpanScope

    func probe(_ candidate: Candidate) async throws(StageFailure) -> AvailabilityProbe {
        try await scope.result { () async throws(StageFailure) in try await checker.probe(candidate) }.get()
    }

    func expects(_ candidates: [Candidate]) { checker.expects(candidates) }

    func gaveUp(on candidate: Candidate, _ failure: StageFailure) { checker.gaveUp(on: candidate, failure) }
}

extension SpanScope {
    /// What a body comes to that works under this span; the runtime would erase the type of its error.
    fileprivate func result<Value: Sendable>(
        _ body: () async throws(StageFailure) -> Value
    ) async -> Result<Value, StageFailure> {
        await Self.$current.withValue(self) {
            do throws(StageFailure) {
                return .success(try await body())
            } catch {
                return .failure(error)
            }
        }
    }
}
