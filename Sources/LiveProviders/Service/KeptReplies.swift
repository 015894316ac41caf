package import HTTPClient
import JSONDocument

/// A reply that is kept for the time when its service does not answer.
package struct KeptReply: Sendable, Equatable {
    package let reply: TapedReply
    /// In seconds since 1970.
    package let since: Int64
    /// What the service tells this reply from a later one by.
    package let tag: String?

    package init(_ reply: TapedReply, since: Int64, tag: String?) {
        self.reply = reply
        self.since = since
        self.tag = tag
    }
}

/// Where replies are kept, bounded and for as long as the service allows.
package protocol ReplyKeeping: Sendable {
    /// The reply of a call, by the digest of its signature, however old.
    func reply(to call: String) async -> KeptReply?
    func keep(_ reply: KeptReply, of call: String) async
    func remove(_ call: String) async
}

/// A sender that has an old reply where the service has none now, within the service's own terms.
///
/// The reply says how old it is, so that the run says so. What only credentials bring is never kept.
package struct KeptReplies: HTTPSender {
    package struct Terms: Sendable {
        /// How long a reply may be kept and shown.
        package let life: Duration
        /// Whether a reply is what was asked for; a page where JSON is due is not.
        package let isGood: @Sendable (HTTPResponse) -> Bool
        /// Whether a reply says that the service is out of order, and not that the call is wrong.
        package let isOutage: @Sendable (HTTPResponse) -> Bool

        package init(
            life: Duration,
            isGood: @escaping @Sendable (HTTPResponse) -> Bool,
            isOutage: @escaping @Sendable (HTTPResponse) -> Bool
        ) {
            self.life = life
            self.isGood = isGood
            self.isOutage = isOutage
        }
    }

    private let sender: any HTTPSender
    private let keeping: any ReplyKeeping
    private let terms: Terms
    private let scrubber: Scrubber
    private let clock: ServiceClock

    package init(
        _ sender: any HTTPSender,
        in keeping: any ReplyKeeping,
        terms: Terms,
        scrubber: Scrubber,
        clock: ServiceClock = .system
    ) {
        self.sender = sender
        self.keeping = keeping
        self.terms = terms
        self.scrubber = scrubber
        self.clock = clock
    }

    /// A clock that was set back makes a reply come from the future; by more than this it is not believed.
    private static let skew: Int64 = 60

    package func send(
        _ request: HTTPRequest,
        by deadline: ContinuousClock.Instant
    ) async throws(HTTPFailure) -> HTTPResponse {
        let hasCredentials = request.body.map(scrubber.holdsSecret) ?? false
        guard request.isIdempotent, !hasCredentials else { return try await sender.send(request, by: deadline) }
        let call = CallSignature(request, scrubber).digest
        scrubber.hideSecrets(of: request)
        // Only what may be asked for by its tag is looked up before it is needed.
        let known = request.method == .get ? await kept(call) : nil
        var asked = request
        if let tag = known?.tag { asked.headers.append(HTTPHeader("If-None-Match", tag)) }
        let reply: HTTPResponse
        do throws(HTTPFailure) {
            reply = try await sender.send(asked, by: deadline)
        } catch {
            guard Self.isOutage(error), let old = await old(known, of: call) else { throw error }
            return old
        }
        if reply.status == 304, let known {
            await keep(known.reply, known.tag, of: call)
            return known.reply.response
        }
        if terms.isGood(reply) {
            await keep(reply, of: call, asked: request)
        } else if terms.isOutage(reply), let old = await old(known, of: call) {
            return old
        }
        return reply
    }

    private static func isOutage(_ failure: HTTPFailure) -> Bool {
        switch failure.kind {
        case .connect, .timeout, .reset, .protocolError, .breakerOpen, .overloaded, .overQuota: true
        // Who cannot prove its name is somebody else for all we know.
        case .tls, .tooLarge, .refusedURL, .invalidRequest, .cancelled, .unavailable: false
        }
    }

    /// What is kept of a call, unless the service's terms say that it is to be gone.
    private func kept(_ call: String) async -> KeptReply? {
        guard let kept = await keeping.reply(to: call) else { return nil }
        if age(kept) != nil { return kept }
        await keeping.remove(call)
        return nil
    }

    private func age(_ kept: KeptReply) -> Int? {
        let age = clock.secondsSince1970() - kept.since
        return (-Self.skew..<Int64(terms.life / .seconds(1))).contains(age) ? Int(max(0, age)) : nil
    }

    /// A kept reply as it is given in the place of a new one; the time may have run out while the service was asked.
    private func old(_ known: KeptReply?, of call: String) async -> HTTPResponse? {
        var kept = known
        if kept == nil { kept = await self.kept(call) }
        guard let kept, let age = age(kept) else { return nil }
        var response = kept.reply.response
        response.age = .seconds(age)
        return response
    }

    private func keep(_ reply: HTTPResponse, of call: String, asked request: HTTPRequest) async {
        let control = reply.headers.values(of: "cache-control").joined(separator: ",").lowercased()
        guard !reply.isCut, !control.contains("no-store") else { return await keeping.remove(call) }
        var headers: [String: String] = [:]
        for name in ["content-type", "date"] { headers[name] = reply.headers[name].map { scrubber.scrubbed($0) } }
        let body = AskedWords(of: request).hidden(in: scrubber.scrubbed(reply.body))
        let tag = reply.headers["etag"].flatMap { Self.isTag($0) ? $0 : nil }
        let taped = TapedReply(status: reply.status, headers: headers, body: body, isCut: false, age: nil)
        await keep(taped, tag.map { scrubber.scrubbed($0) }, of: call)
    }

    private func keep(_ reply: TapedReply, _ tag: String?, of call: String) async {
        await keeping.keep(KeptReply(reply, since: clock.secondsSince1970(), tag: tag), of: call)
    }

    /// A tag is sent back as it came, so that it must be one: quoted, short, of visible letters.
    private static func isTag(_ text: String) -> Bool {
        let body = text.hasPrefix("W/") ? text.dropFirst(2) : text[...]
        return body.count >= 2 && body.hasPrefix("\"") && body.hasSuffix("\"") && text.utf8.count <= 200
            && text.utf8.allSatisfy { (0x21..<0x7F).contains($0) }
    }
}
