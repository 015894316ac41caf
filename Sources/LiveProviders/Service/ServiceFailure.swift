package import HTTPClient
package import JSONDocument
import KnotDomain
package import StageGraph

/// Why a reply brings nothing, in the words of the service's contract.
package struct ServiceFailure: Error, Sendable, Hashable {
    /// What helps against it.
    package enum Remedy: Sendable, Hashable {
        /// The same call fails again.
        case none
        /// The same call may succeed, after that long at least where the service says so.
        case again(after: Duration?)
        /// No call of any kind succeeds before that long is over.
        case pause(Duration)
        /// The same because the service's quota is used up.
        case usedUp(Duration)
        /// Whoever is asked has closed: nothing more is to be had of them before that long is over, not even what is kept.
        case closed(Duration)
    }

    /// The service's own code in small letters, or the status.
    package let code: String
    /// A clause without bodies and keys.
    package let detail: String
    package let remedy: Remedy

    package init(_ code: String, _ detail: String, _ remedy: Remedy = .none) {
        self.code = code
        self.detail = detail
        self.remedy = remedy
    }

    /// As a stage's failure, which names the provider; the service's channel has tried as often as may help.
    package func stageFailure(of provider: String) -> StageFailure {
        StageFailure(.provider, code: code, "\(provider) \(detail)", isSettled: true, isLasting: remedy == .none)
    }
}

extension ServiceFailure {
    /// What a status means where the service's sheet says nothing more exact; nil where it is a success.
    ///
    /// A wait that the service asks for in seconds is kept; a date is for whoever has a clock.
    package static func byStatus(_ reply: HTTPResponse, code: String? = nil, _ detail: String? = nil) -> Self? {
        guard !(200..<300).contains(reply.status) else { return nil }
        let name = code ?? "http_\(reply.status)"
        let said = detail ?? "replied with status \(reply.status)"
        switch reply.status {
        case 408, 500, 502, 503, 504: return ServiceFailure(name, said, .again(after: reply.retryAfterSeconds))
        case 425, 429: return ServiceFailure(name, said, .again(after: reply.retryAfterSeconds ?? .seconds(1)))
        default: return ServiceFailure(name, said)
        }
    }

    private static let otherAnswer = "other_answer"

    /// Whether what answered was not the service: it asks nobody to be slower.
    var isOfNoService: Bool { code == Self.otherAnswer }

    /// A success that has none of the members that the service's own answers have; nil for one of these, and for what cannot
    /// be read, which says so itself.
    ///
    /// What stands before a service may answer in JSON too, as that it is being mended. That says nothing of what there is.
    static func ofNoService(_ reply: JSONValue?, members: [String], mayBeEmpty: Bool = false) -> Self? {
        guard let reply else { return nil }
        if let object = reply.object {
            if mayBeEmpty, object.members.isEmpty { return nil }
            if members.contains(where: { reply[$0] != nil }) { return nil }
        }
        return ServiceFailure(otherAnswer, "replied with JSON that is none of its answers", .again(after: nil))
    }

    /// A code of a service as one of ours: small letters, digits and underscores, and short.
    package static func code(_ text: String) -> String {
        let plain = text.prefix(48).lowercased().map { character in
            character.isASCII && (character.isLetter || character.isNumber) ? character : "_"
        }
        return plain.isEmpty ? "failed" : String(plain)
    }
}

extension HTTPResponse {
    /// `Retry-After` where it is a number of seconds.
    package var retryAfterSeconds: Duration? {
        guard let seconds = headers["retry-after"].flatMap({ Int($0) }), (0...86_400).contains(seconds) else {
            return nil
        }
        return .seconds(seconds)
    }

    /// Whether it says that it is JSON, or says nothing.
    var isJSON: Bool { mediaType.map { $0.hasSuffix("json") || $0 == "text/event-stream" } ?? true }

    /// The body as JSON, whose amounts stay as they were written, without what of it cannot be read.
    ///
    /// A page where JSON is due is a wrong host, a wall or an outage of what stands before the service.
    package func json() throws(ServiceFailure) -> JSONValue {
        if let type = mediaType, !isJSON {
            throw ServiceFailure("not_json", "replied with \(BoundedType.shown(type)) where JSON is due")
        }
        return try read { () throws(ServiceFailure) in try jsonReply() }
    }

    /// The body as JSON, whatever the headers call it; nil where it is none.
    var document: JSONValue? { try? read { () throws(ServiceFailure) in try jsonReply() } }

    /// Whether what was read of it had to leave nothing out.
    var isReadWhole: Bool { (try? (reading.known as? Reading)?.get())?.isWhole ?? true }

    private typealias Reading = Result<JSONReply, ServiceFailure>

    /// Reads the body, unless a copy of the reply was read before.
    func read(_ work: () throws(ServiceFailure) -> JSONReply) throws(ServiceFailure) -> JSONValue {
        let reading = reading.value { () -> Reading in
            do throws(ServiceFailure) { return .success(try work()) } catch { return .failure(error) }
        }
        return try reading.get().value
    }

    /// Reads the body as one document.
    func jsonReply() throws(ServiceFailure) -> JSONReply {
        do throws(JSONSyntaxError) {
            return try JSONReply(body, by: readBy)
        } catch {
            throw ServiceFailure("bad_json", "replied with JSON that cannot be read")
        }
    }
}

/// A media type as it may be shown: a service may write anything there.
private enum BoundedType {
    static func shown(_ type: String) -> String {
        String(type.prefix(40).filter { $0.isASCII && ($0.isLetter || $0.isNumber || "/+.-".contains($0)) })
    }
}

extension HTTPFailure {
    /// As a stage's failure, which names the provider; whoever sends has tried as often as may help.
    func stageFailure(of provider: String) -> StageFailure {
        StageFailure(.provider, code: kind.rawValue, "\(provider): \(description)", isSettled: true)
    }

    /// The codes of those that say only that nothing was sent, and not why.
    static let unasked: Set<String> = Set([Kind.breakerOpen, .overloaded, .overQuota, .unavailable].map(\.rawValue))
}

/// How long it is until a moment that a reply names, by the reply's own `Date`, so that no two clocks need agree.
enum ReplyClock {
    private static let longest = 86_400

    /// Nil where a moment is missing, unreadable or over.
    static func wait(until moment: String?, in reply: HTTPResponse) -> Duration? {
        guard let moment = moment.flatMap(Instant.init(iso8601:)) else { return nil }
        return wait(until: moment, in: reply)
    }

    /// Never more than a day.
    static func wait(until moment: Instant, in reply: HTTPResponse) -> Duration? {
        guard let now = reply.headers["date"].flatMap(RetryAfter.date) else { return nil }
        let seconds = moment.secondsSinceEpoch - now
        return seconds > 0 ? .seconds(min(Int(clamping: seconds), longest)) : nil
    }
}
