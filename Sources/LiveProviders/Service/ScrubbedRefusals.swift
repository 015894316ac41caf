package import HTTPClient

/// A sender whose refusals hold no key: some services repeat in an error what they were asked with, and an error's code is
/// shown.
package struct ScrubbedRefusals: HTTPSender {
    private let sender: any HTTPSender
    private let scrubber: Scrubber

    package init(_ sender: any HTTPSender, _ scrubber: Scrubber) {
        self.sender = sender
        self.scrubber = scrubber
    }

    package func send(
        _ request: HTTPRequest,
        by deadline: ContinuousClock.Instant
    ) async throws(HTTPFailure) -> HTTPResponse {
        var reply = try await sender.send(request, by: deadline)
        if !(200..<300).contains(reply.status) { reply.body = scrubber.scrubbed(reply.body) }
        return reply
    }
}
