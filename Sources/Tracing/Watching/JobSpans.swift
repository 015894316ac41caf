package import Worker

/// Draws a span of each attempt at a job, and one of each notice that is handed over.
package struct JobSpans: WorkerObserver {
    private let worker: String
    private let sink: any SpanSink

    package init(of worker: WorkerID, to sink: any SpanSink) {
        self.worker = worker.description
        self.sink = sink
    }

    package func saw(_ event: WorkerEvent) {
        switch event {
        case .ended(let ending): if let span = span(of: ending) { sink.take([span]) }
        case .handedOver(let handover): if let span = span(of: handover) { sink.take([span]) }
        default: return
        }
    }

    private func span(of ending: JobEnding) -> Span? {
        guard let trace = TraceID(ending.trace) else { return nil }
        let end = UnixTime.now
        var span = Span(
            "process reminders",
            .consumer,
            at: trace.root,
            under: nil,
            from: end - ending.took,
            to: end,
            [
                .text("messaging.system", "postgresql"), .text("messaging.operation.type", "process"),
                .text("messaging.operation.name", "process"), .text("messaging.destination.name", "reminders"),
                .text("messaging.message.id", ending.job.description), .text("messaging.client.id", worker),
                .count("knot.job.attempt", ending.attempt), .text("knot.job.outcome", ending.outcome.rawValue),
                .seconds("knot.job.waited", ending.waited),
            ]
        )
        if let code = ending.code { span.attributes.append(.text("knot.job.code", code)) }
        switch ending.outcome {
        case .completed, .snoozed, .cancelled, .released: break
        case .retried, .dead, .lost:
            let code = ending.code ?? ending.outcome.rawValue
            span.status = .error(code)
            span.attributes.append(.text("error.type", code))
        }
        return span
    }

    /// Under the first job of those it tells of, with links to the others.
    private func span(of handover: Handover) -> Span? {
        let jobs = handover.traces.compactMap(TraceID.init).map(\.root)
        guard let first = jobs.first else { return nil }
        let end = UnixTime.now
        var span = Span(
            "deliver \(handover.way)",
            .client,
            at: SpanPlace(first.trace, .random),
            under: first.span,
            from: end - handover.took,
            to: end,
            [.text("knot.delivery.way", handover.way), .text("knot.delivery.result", handover.result)]
        )
        span.links = Array(jobs.dropFirst())
        if let code = handover.code {
            span.status = .error(code)
            span.attributes.append(.text("error.type", code))
        }
        return span
    }
}
