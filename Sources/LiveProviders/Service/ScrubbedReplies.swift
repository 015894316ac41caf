package import HTTPClient

/// A sender whose replies hold no key: some services repeat what they were asked with, and codes, titles and links are shown.
///
/// What a run has is then what a recording of it has.
package struct ScrubbedReplies: HTTPSender {
    private let sender: any HTTPSender
    private let scrubber: Scrubber

    package init(_ sender: any HTTPSender, _ scrubber: Scrubber) {
        self.sender = sender
        self.scrubber = scrubber
    }

    private static let mediaType = "content-type"

    package func send(
        _ request: HTTPRequest,
        by deadline: ContinuousClock.Instant
    ) async throws(HTTPFailure) -> HTTPResponse {
        // Whatever the call proves itself with, also where no variable says it.
        scrubber.hideSecrets(of: request)
        var reply = try await sender.send(request, by: deadline)
        // Whoever asks for a token needs it as it is, and shows it to nobody.
        let isToken = !request.isCounted && (200..<300).contains(reply.status)
        // A body that is set is read anew.
        if !isToken, case let body = scrubber.withoutSecrets(reply.body), body != reply.body { reply.body = body }
        if let type = reply.headers[Self.mediaType], case let scrubbed = scrubber.withoutSecrets(type), scrubbed != type
        {
            reply.headers = HTTPHeaders(
                reply.headers.all.map { $0.name.lowercased() == Self.mediaType ? HTTPHeader($0.name, scrubbed) : $0 }
            )
        }
        return reply
    }
}
