import HTTPClient

/// What answers of web services have in common, whatever they are asked to deliver.
enum DeliveryAnswer {
    /// The longest that anybody's `Retry-After` keeps a notice back.
    static let longestWait = Duration.seconds(3_600)

    /// Little of an answer is read, and a longer one is none the worse.
    static let limits = HTTPLimits(headerBytes: 16 << 10, bodyBytes: 4 << 10, decodedBytes: 16 << 10, cutsBody: true)

    /// How long the answer asks to wait, within bounds; nil where it says nothing that makes sense.
    static func wait(_ response: HTTPResponse, now: Int64) -> Duration? {
        RetryAfter.wait(of: response, now: now).map { min(max(.zero, $0), longestWait) }
    }

    /// What it means that there was no answer.
    ///
    /// A notice that may have arrived is sent again under the same id.
    static func result(of failure: HTTPFailure, _ way: String) -> DeliveryResult {
        let code = "\(way)_\(failure.kind.rawValue)"
        switch failure.kind {
        case .tls, .refusedURL, .invalidRequest:
            return .misconfigured(code: code, detail: failure.description)
        case .connect, .timeout, .reset, .tooLarge, .protocolError, .cancelled, .breakerOpen, .overloaded, .overQuota,
            .unavailable:
            return .later(code: code, detail: failure.description, after: failure.retryAfter)
        }
    }
}
