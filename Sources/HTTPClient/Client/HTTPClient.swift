import Synchronization

/// Sends requests over libcurl, on a thread of its own: each ends by its deadline, whatever the other side does.
///
/// It follows no redirect, keeps no cookie, takes no proxy from the environment, and repeats nothing.
package final class HTTPClient: HTTPSender {
    package struct Options: Sendable {
        /// What it calls itself.
        package var agent: String
        /// A file of certificates to trust instead of the system's.
        package var authorities: String?
        /// Connections that are kept for later calls.
        package var mostIdleConnections: Int

        package init(agent: String = "knot-recommend", authorities: String? = nil, mostIdleConnections: Int = 64) {
            self.agent = agent
            self.authorities = authorities
            self.mostIdleConnections = mostIdleConnections
        }
    }

    /// What all calls of a client came to.
    package struct Counts: Sendable, Equatable {
        package var calls: Int
        /// Connections that were made; a call that found one open made none.
        package var connections: Int
        package var underWay: Int
        /// The longest time by which a call outlived its deadline before its caller was told.
        package var longestOverrun: Duration
    }

    private let loop: TransferLoop

    /// Throws `unavailable` where the system has no libcurl, no memory or no thread left.
    package init(_ options: Options = Options()) throws(HTTPFailure) {
        guard let loop = TransferLoop(options) else {
            let lacks = TransferLoop.hasLibrary ? "no memory or no thread left" : "no libcurl.so.4, Debian's libcurl4"
            throw HTTPFailure(.unavailable, host: "", "the system has \(lacks)")
        }
        self.loop = loop
    }

    deinit {
        loop.stop()
    }

    package var counts: Counts {
        let counts = loop.counts
        return Counts(
            calls: counts.transfers,
            connections: counts.connections,
            underWay: counts.underWay,
            longestOverrun: counts.longestOverrun
        )
    }

    package func send(
        _ request: HTTPRequest,
        by deadline: ContinuousClock.Instant
    ) async throws(HTTPFailure) -> HTTPResponse {
        let url = try Self.checked(request)
        guard let addresses = request.addresses else { return try await send(request, url, at: nil, deadline) }
        var last = HTTPFailure(.connect, host: url.shownHost, "it has no address")
        for text in addresses {
            guard let address = IPAddress(text) else {
                throw HTTPFailure(.invalidRequest, host: url.shownHost, "an address to connect to is none")
            }
            do throws(HTTPFailure) {
                return try await send(request, url, at: address, deadline)
            } catch {
                // Another address helps only where this one was never reached.
                guard error.kind == .connect, .now < deadline else { throw error }
                last = error
            }
        }
        throw last
    }

    private func send(
        _ request: HTTPRequest,
        _ url: HTTPURL,
        at address: IPAddress?,
        _ deadline: ContinuousClock.Instant
    ) async throws(HTTPFailure) -> HTTPResponse {
        let cancellation = Transfer.Cancellation()
        let outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                // Resumed once, by the transfer, which the loop finishes in any case.
                let transfer = Transfer(
                    request,
                    to: url,
                    at: address,
                    deadline: deadline,
                    cancellation: cancellation,
                    continuation: continuation
                )
                loop.begin(transfer)
            }
        } onCancel: {
            cancellation.isSet.store(true, ordering: .relaxed)
            loop.cancel(cancellation)
        }
        return try outcome.get()
    }

    /// The URL of a request that may be sent.
    private static func checked(_ request: HTTPRequest) throws(HTTPFailure) -> HTTPURL {
        let url: HTTPURL
        do throws(HTTPURL.Refusal) {
            url = try HTTPURL(request.url)
        } catch {
            throw HTTPFailure(.refusedURL, host: "", error.rawValue)
        }
        guard url.scheme == .https || url.isLoopback else {
            throw HTTPFailure(.refusedURL, host: url.shownHost, "only this machine is asked without TLS")
        }
        if let fault = request.fault { throw HTTPFailure(.invalidRequest, host: url.shownHost, fault) }
        return url
    }
}
