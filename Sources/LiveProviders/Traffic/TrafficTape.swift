package import HTTPClient
import JSONDocument
package import KnotDomain
package import StageGraph

/// What services and pages answered in a live run, enough to make the run again without network and keys.
///
/// It has no keys, no tokens, no addresses that were configured, and of what was asked only a digest and the names of
/// parameters. What the services answered is there in their own words.
package struct TrafficTape: Sendable, Equatable {
    /// What came back of one call.
    package enum Answer: Sendable, Equatable {
        case reply(TapedReply)
        case failure(HTTPFailure)
        /// The run did not wait for what came back.
        case none
    }

    package enum Entry: Sendable, Equatable {
        /// A call, by its digest; `asked` is the method and the place, then the names of what it was asked by.
        case call(service: String, digest: String, asked: [String], Answer)
        /// The addresses of a name.
        case addresses(of: String, [String])
        /// A look at a page that came to nothing, whatever was sent for it.
        case failedLook(url: String, StageFailure)
        /// A service that the run went on without, whatever it answered to its calls.
        case lateService(String)
    }

    /// The services that were set up, with what sets each up besides keys and addresses.
    package let services: [ProviderName: [String: String]]
    /// The origins that pages need no vetting at; nil where no pages were looked at.
    package let pages: [String]?
    package let entries: [Entry]
    /// The stored vault that the run was made for, by which whoever forgets it knows the tape; nil where there is none.
    package let subject: String?
    /// Whether a failure of a service was the last word on it; nodes of earlier versions asked once more.
    package let isSettled: Bool

    package init(
        services: [ProviderName: [String: String]],
        pages: [String]?,
        entries: [Entry],
        subject: String? = nil,
        isSettled: Bool = true
    ) {
        self.services = services
        self.pages = pages
        self.entries = entries
        self.subject = subject
        self.isSettled = isSettled
    }
}

/// A reply as it is written down.
package struct TapedReply: Sendable, Equatable {
    package let status: Int
    /// The few that adapters read, by their names in small letters.
    package let headers: [String: String]
    package let body: [UInt8]
    package let isCut: Bool
    /// Seconds that it had been kept for, where it was not new.
    package let age: Int?

    package init(status: Int, headers: [String: String], body: [UInt8], isCut: Bool, age: Int?) {
        self.status = status
        self.headers = headers
        self.body = body
        self.isCut = isCut
        self.age = age
    }

    package var response: HTTPResponse {
        var response = HTTPResponse(
            status: status,
            headers: HTTPHeaders(headers.sorted { $0.key < $1.key }.map { HTTPHeader($0.key, $0.value) }),
            body: body,
            isCut: isCut
        )
        response.age = age.map { .seconds($0) }
        return response
    }
}

extension TrafficTape {
    private static let kind = SealedLines.Kind(
        schema: "knot.traffic/1",
        entries: "entries",
        file: "recorded traffic",
        entry: "call"
    )

    /// A line for the header and one for each entry, sealed.
    package func ndjson() -> [UInt8] {
        let setUp = services.sorted { $0.key.rawValue < $1.key.rawValue }.map { service, variables in
            JSONObject.Member(name: service.rawValue, value: Self.object(variables))
        }
        var header: [JSONObject.Member] = [
            .init(name: "private", value: true), .init(name: "pages", value: pages.map { JSONValue($0) } ?? .null),
            .init(name: "services", value: .object(JSONObject(setUp))),
            .init(name: "settled", value: .bool(isSettled)),
        ]
        if let subject { header.append(.init(name: "subject", value: .string(subject))) }
        return SealedLines(.object(JSONObject(header)), entries.map(\.json)).bytes(Self.kind)
    }

    static func object(_ texts: [String: String]) -> JSONValue {
        let sorted = texts.sorted { $0.key < $1.key }
        return .object(JSONObject(sorted.map { JSONObject.Member(name: $0.key, value: .string($0.value)) }))
    }

    static func texts(_ value: JSONValue?) -> [String: String] {
        guard let object = value?.object else { return [:] }
        return Dictionary(object.names.compactMap { name in object[name]?.string.map { (name, $0) } }) { $1 }
    }

    /// Reads what `ndjson` wrote.
    package init(ndjson bytes: [UInt8]) throws(SealedLinesError) {
        let lines = try SealedLines(bytes, Self.kind)
        let setUp = lines.header["services"]
        var services: [ProviderName: [String: String]] = [:]
        for name in setUp?.object?.names ?? [] {
            if let service = ProviderName(rawValue: name) { services[service] = Self.texts(setUp?[name]) }
        }
        self.init(
            services: services,
            pages: lines.header["pages"]?.array.map { $0.compactMap(\.string) },
            entries: try lines.read(Self.kind, Entry.init(json:)),
            subject: lines.header["subject"]?.string,
            isSettled: lines.header["settled"] == true
        )
    }
}
