/// Fetches pages of places that nobody here chose: every hop is vetted, pinned to its vetted address, and without credentials.
package struct PageFetcher: Sendable {
    /// A page, and where it was in the end.
    package struct Page: Sendable {
        package let url: HTTPURL
        package let response: HTTPResponse
        /// Redirects that were followed.
        package let hops: Int
    }

    private let sender: any HTTPSender
    private let vetting: AddressVetting
    private let mostHops: Int

    package init(_ sender: any HTTPSender, vetting: AddressVetting, mostHops: Int = 3) {
        self.sender = sender
        self.vetting = vetting
        self.mostHops = mostHops
    }

    /// The answer at a URL, or where it leads to.
    ///
    /// Throws `refusedURL` for a place that may not be asked, for more redirects than are followed, for a circle, and for
    /// one that leaves TLS.
    package func page(
        _ method: HTTPMethod,
        _ text: String,
        headers: [HTTPHeader] = [],
        limits: HTTPLimits,
        by deadline: ContinuousClock.Instant
    ) async throws(HTTPFailure) -> Page {
        var place = try await vetting.place(of: text, by: deadline)
        var seen = [place.url]
        while true {
            var request = HTTPRequest(
                method,
                place.url.text,
                headers: headers,
                limits: limits,
                addresses: place.addresses?.map(\.description)
            )
            // Many servers of pages end connections that they had promised to keep.
            request.mostSendings = 2
            let response = try await sender.send(request, by: deadline)
            let hops = seen.count - 1
            guard [301, 302, 303, 307, 308].contains(response.status), let location = response.headers["location"]
            else {
                return Page(url: place.url, response: response, hops: hops)
            }
            let host = place.url.shownHost
            guard hops < mostHops else {
                throw HTTPFailure(.refusedURL, host: host, "it leads on more than \(mostHops) times")
            }
            let next: HTTPURL
            do throws(HTTPURL.Refusal) {
                next = try place.url.following(location)
            } catch {
                throw HTTPFailure(.refusedURL, host: host, "it leads to a URL of which \(error.rawValue)")
            }
            guard !seen.contains(next) else { throw HTTPFailure(.refusedURL, host: host, "it leads in a circle") }
            guard next.scheme == .https || place.url.scheme == .http else {
                throw HTTPFailure(.refusedURL, host: host, "it leads away from TLS")
            }
            place = try await vetting.place(of: next, by: deadline)
            seen.append(next)
        }
    }
}
