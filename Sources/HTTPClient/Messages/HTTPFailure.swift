/// Why there is no answer: what happened, at which host, and never a header, a body, a query or a key.
package struct HTTPFailure: Error, Sendable, Hashable {
    package enum Kind: String, Sendable, CaseIterable {
        /// The name has no address, or nothing listens there.
        case connect
        /// The deadline or one of the limits of time was over.
        case timeout
        /// The connection broke before the answer was complete.
        case reset
        /// The host could not prove its name, or TLS failed otherwise.
        case tls
        /// Headers or body are larger than the limits.
        case tooLarge = "too_large"
        /// What came is no answer of HTTP.
        case protocolError = "protocol_error"
        /// The URL is none that may be asked for.
        case refusedURL = "refused_url"
        /// The request has something that no request may have, as a line break in a header.
        case invalidRequest = "invalid_request"
        /// The caller gave up.
        case cancelled
        /// The service has failed too often lately and is left alone for a while; nothing was sent.
        case breakerOpen = "breaker_open"
        /// Too many calls to the service are under way or waiting; nothing was sent.
        case overloaded
        /// The service's quota is used up; nothing was sent.
        case overQuota = "over_quota"
        /// The client is closed, or the system refuses what it needs.
        case unavailable
    }

    package let kind: Kind
    /// The name of the host alone.
    package let host: String
    /// One clause that says more than the kind, free of values: "no byte came for 5 s".
    package let detail: String
    /// How long to wait before the next call, where that is known.
    package let retryAfter: Duration?
    /// Whether the URL is refused because its host leads into a private network.
    package let leadsInside: Bool

    package init(
        _ kind: Kind,
        host: String,
        _ detail: String,
        retryAfter: Duration? = nil,
        leadsInside: Bool = false
    ) {
        self.kind = kind
        self.host = host
        self.detail = detail
        self.retryAfter = retryAfter
        self.leadsInside = leadsInside
    }

    /// True when the same call may succeed a little later.
    package var isTransient: Bool {
        switch kind {
        case .connect, .timeout, .reset, .breakerOpen, .overloaded: true
        case .tls, .tooLarge, .protocolError, .refusedURL, .invalidRequest, .cancelled, .overQuota, .unavailable: false
        }
    }

    /// True when nothing was sent, so that even a call that changes something may be sent again.
    package var isUnsent: Bool {
        switch kind {
        case .connect, .refusedURL, .invalidRequest, .breakerOpen, .overloaded, .overQuota, .unavailable: true
        case .timeout, .reset, .tls, .tooLarge, .protocolError, .cancelled: false
        }
    }
}

extension HTTPFailure {
    /// A time as failures say it, in tenths of a second.
    static func seconds(_ duration: Duration) -> String {
        let tenths = Int(duration / .milliseconds(100))
        return tenths % 10 == 0 ? "\(tenths / 10) s" : "\(tenths / 10).\(tenths % 10) s"
    }
}

extension HTTPFailure: CustomStringConvertible {
    package var description: String {
        let place = host.isEmpty ? "The service" : host
        let what =
            switch kind {
            case .connect: "cannot be reached"
            case .timeout: "did not answer in time"
            case .reset: "broke the connection"
            case .tls: "could not prove its name"
            case .tooLarge: "answered with more than is taken"
            case .protocolError: "answered with something that is not HTTP"
            case .refusedURL: "is not a place that may be asked"
            case .invalidRequest: "was sent nothing, since the request is not valid"
            case .cancelled: "is no longer asked, since the caller gave up"
            case .breakerOpen: "is left alone for a while, since it has failed too often"
            case .overloaded: "was sent nothing, since too many calls wait for it"
            case .overQuota: "was sent nothing, since its quota is used up"
            case .unavailable: "cannot be asked from here"
            }
        return detail.isEmpty ? "\(place) \(what)." : "\(place) \(what): \(detail)."
    }
}
