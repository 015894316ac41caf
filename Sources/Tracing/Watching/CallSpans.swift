package import HTTPClient

/// Draws a span of each call over HTTP that is made under another span: which host, which status, how long, and nothing of the
/// address besides, which may hold phrases or keys.
package struct CallSpans: HTTPSender {
    private let sender: any HTTPSender

    package init(over sender: any HTTPSender) { self.sender = sender }

    package func send(
        _ request: HTTPRequest,
        by deadline: ContinuousClock.Instant
    ) async throws(HTTPFailure) -> HTTPResponse {
        guard let scope = SpanScope.current else { return try await sender.send(request, by: deadline) }
        let start = UnixTime.now
        let clock = ContinuousClock.now
        let result: Result<HTTPResponse, HTTPFailure>
        do throws(HTTPFailure) {
            result = .success(try await sender.send(request, by: deadline))
        } catch {
            result = .failure(error)
        }
        scope.sink.take([Self.span(of: request, result, scope, from: start, to: start + (.now - clock))])
        return try result.get()
    }

    private static func span(
        of request: HTTPRequest,
        _ result: Result<HTTPResponse, HTTPFailure>,
        _ scope: SpanScope,
        from start: UnixTime,
        to end: UnixTime
    ) -> Span {
        var span = Span(
            request.method.rawValue,
            .client,
            at: SpanPlace(scope.place.trace, .random),
            under: scope.place.span,
            from: start,
            to: end,
            [.text("http.request.method", request.method.rawValue)]
        )
        if let provider = scope.provider { span.attributes.append(.text("knot.provider", provider)) }
        if let url = try? HTTPURL(request.url) {
            span.attributes += [
                .text("server.address", url.shownHost), .count("server.port", url.port),
                .text("url.full", url.origin + "/REDACTED"),
            ]
        }
        switch result {
        case .success(let response):
            span.attributes += [
                .count("http.response.status_code", response.status),
                .count("http.response.body.size", response.body.count),
            ]
            if response.status >= 400 { fail(&span, String(response.status)) }
        case .failure(let failure): fail(&span, failure.kind.rawValue)
        }
        return span
    }

    private static func fail(_ span: inout Span, _ type: String) {
        span.status = .error(type)
        span.attributes.append(.text("error.type", type))
    }
}
