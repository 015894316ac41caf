package import HTTPClient
import JSONDocument

/// Spans for a collector that takes OTLP over HTTP.
package struct SpanEndpoint: SpanCarrier {
    private let url: String
    private let headers: [HTTPHeader]
    private let sender: any HTTPSender
    private let clock: ServiceClock
    /// Calls for one document at most.
    private static let attempts = 3

    /// `url` is where traces are taken; headers may hold a key.
    package init(
        url: String,
        headers: [HTTPHeader] = [],
        sender: any HTTPSender,
        clock: ServiceClock = .system
    ) {
        self.url = url
        self.headers = headers
        self.sender = sender
        self.clock = clock
    }

    /// A base address stands for the place of traces below it, as OTLP has it.
    package static func place(of url: HTTPURL) -> String {
        url.target == "/" || url.target.isEmpty ? url.origin + "/v1/traces" : url.text
    }

    package func carry(_ document: [UInt8], spans: Int, by deadline: ContinuousClock.Instant) async -> Int {
        let request = HTTPRequest(
            .post,
            url,
            headers: [HTTPHeader("Content-Type", "application/json")] + headers,
            body: document,
            limits: HTTPLimits(bodyBytes: 64 << 10, decodedBytes: 256 << 10),
            // A collector takes a span twice for one.
            isIdempotent: true
        )
        for attempt in 1...Self.attempts {
            var wait = Duration.milliseconds(200 << attempt)
            do throws(HTTPFailure) {
                let response = try await sender.send(request, by: deadline)
                if (200..<300).contains(response.status) { return Self.rejected(response, of: spans) }
                guard [429, 502, 503, 504].contains(response.status) else { return spans }
                wait = RetryAfter.wait(of: response, now: clock.secondsSince1970()) ?? wait
            } catch {
                guard error.isTransient else { return spans }
            }
            guard attempt < Self.attempts, clock.now() + wait < deadline, await clock.pause(clock.now() + wait) else {
                return spans
            }
        }
        return spans
    }

    /// How many a collector that took the others did not take.
    private static func rejected(_ response: HTTPResponse, of spans: Int) -> Int {
        guard let body = try? JSONParser.parse(response.body) else { return 0 }
        let rejected = body["partialSuccess"]?["rejectedSpans"]
        return min(max(0, rejected?.int ?? rejected?.string.flatMap { Int($0) } ?? 0), spans)
    }
}
