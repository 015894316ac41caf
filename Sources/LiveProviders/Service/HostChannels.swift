import HTTPClient
import Synchronization

/// A channel for each host of a service that is many: one shop that wants to be left alone says nothing of the others.
final class HostChannels: HTTPSender {
    private let make: @Sendable (_ origin: String) -> ServiceChannel
    /// Of a few hosts, which are configured.
    private let channels = Mutex<[String: ServiceChannel]>([:])

    init(_ make: @escaping @Sendable (_ origin: String) -> ServiceChannel) {
        self.make = make
    }

    func send(
        _ request: HTTPRequest,
        by deadline: ContinuousClock.Instant
    ) async throws(HTTPFailure) -> HTTPResponse {
        // What is no URL at all the client refuses.
        let host = (try? HTTPURL(request.url))?.origin ?? ""
        let channel = channels.withLock { channels in
            if let known = channels[host] { return known }
            let made = make(host)
            channels[host] = made
            return made
        }
        return try await channel.send(request, by: deadline)
    }
}
