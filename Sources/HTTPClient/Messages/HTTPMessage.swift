/// The methods that are sent; nothing here changes anything at a service.
package enum HTTPMethod: String, Sendable {
    case get = "GET"
    case head = "HEAD"
    case post = "POST"
}

/// A call to a service, as a value.
package struct HTTPRequest: Sendable {
    package var method: HTTPMethod
    /// An absolute URL; values in its query are encoded already.
    package var url: String
    package var headers: [HTTPHeader]
    package var body: [UInt8]?
    package var limits: HTTPLimits
    /// Whether the call may be sent again: true of GET, of HEAD, and of a POST that only reads.
    package var isIdempotent: Bool
    /// Whether the service counts it against its rate and its quota; a token is asked for by other rules.
    package var isCounted = true
    /// Requests that may be sent for it where a kept connection ends before its answer; each counts at a service, and one layer
    /// alone repeats calls to those.
    package var mostSendings = 1
    /// Numeric addresses that were vetted: only these are connected to, and no name is resolved.
    package var addresses: [String]?
    /// The body that is sent in place of its own, once, where the service says that it ran out of time (408): one that gives
    /// it more; nil: the same again, as often as it may help.
    package var patientBody: [UInt8]?
    /// Why it cannot be sent, as where no token is to be had: only what is kept may answer it.
    package var hindrance: HTTPFailure?
    /// The texts of a person that it asks for, which are left out of what is written down of its answer.
    package var words: [String] = []
    /// What earlier versions asked in its place, by which recordings of theirs know it; never sent.
    package var earlierForms: [HTTPRequest] = []

    package init(
        _ method: HTTPMethod = .get,
        _ url: String,
        headers: [HTTPHeader] = [],
        body: [UInt8]? = nil,
        limits: HTTPLimits = HTTPLimits(),
        isIdempotent: Bool? = nil,
        addresses: [String]? = nil
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.limits = limits
        self.isIdempotent = isIdempotent ?? (method != .post)
        self.addresses = addresses
    }
}

extension HTTPRequest: CustomStringConvertible, CustomReflectable {
    /// The method, the host and the path: a query may hold a key, and headers and body may hold anything.
    package var description: String { "\(method.rawValue) \(Self.shown(url))" }

    package var customMirror: Mirror { Mirror(self, children: ["request": description]) }

    /// A URL without user, query and fragment.
    static func shown(_ url: String) -> String {
        let place = url.prefix { $0 != "?" && $0 != "#" }
        guard let scheme = place.firstRange(of: "://") else { return String(place.prefix(200)) }
        let rest = place[scheme.upperBound...]
        let authority = rest.prefix { $0 != "/" && $0 != "\\" }
        let host = authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] } ?? authority
        return String((place[..<scheme.upperBound] + host + rest[authority.endIndex...]).prefix(200))
    }

    /// A text as a value of a query or a part of a path: everything but letters, digits and `-._~` becomes `%XX`.
    package static func encoded(_ text: String) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E: bytes.append(byte)
            default: bytes += [0x25, digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// A URL with a query of these names and values, in their order.
    package static func url(_ base: String, query: [(name: String, value: String)]) -> String {
        guard !query.isEmpty else { return base }
        let pairs = query.map { "\(encoded($0.name))=\(encoded($0.value))" }
        return base + (base.contains("?") ? "&" : "?") + pairs.joined(separator: "&")
    }
}

/// What a service answered, whatever its status.
package struct HTTPResponse: Sendable {
    package var status: Int
    package var headers: HTTPHeaders
    /// Decoded where it came compressed.
    package var body: [UInt8] { didSet { reading = OnceRead() } }
    /// Whether the body was longer than `HTTPLimits.bodyBytes` and those limits ask for its beginning only.
    package var isCut: Bool
    /// How long ago it came, where the service itself does not answer now; nil for what has just come.
    package var age: Duration?
    /// When the call's time is over, and the time to read the answer with it; nil for an answer that was kept.
    package var readBy: ContinuousClock.Instant?
    /// The value that the body was read as, for all copies that have the same body.
    package private(set) var reading = OnceRead()

    package init(status: Int, headers: HTTPHeaders = [:], body: [UInt8] = [], isCut: Bool = false) {
        self.status = status
        self.headers = headers
        self.body = body
        self.isCut = isCut
    }

    /// A copy to keep: without the value that it was read as, and without a deadline.
    package var unread: HTTPResponse {
        var response = self
        response.readBy = nil
        response.reading = OnceRead()
        return response
    }

    /// The media type in lower case, without parameters: `application/json`; nil where none is given.
    package var mediaType: String? {
        guard let value = headers["content-type"] else { return nil }
        let type = value.prefix { $0 != ";" }.lowercased().filter { $0 != " " && $0 != "\t" }
        return type.isEmpty ? nil : type
    }
}

/// Whatever carries a request to a service and brings its answer.
///
/// An answer of any status is a response; a failure means that there was none, or none that may be used.
package protocol HTTPSender: Sendable {
    func send(
        _ request: HTTPRequest,
        by deadline: ContinuousClock.Instant
    ) async throws(HTTPFailure) -> HTTPResponse
}
