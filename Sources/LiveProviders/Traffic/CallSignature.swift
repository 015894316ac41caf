import Digest
package import HTTPClient

/// What a call is known by: everything that decides its answer, without keys, tokens and configured addresses.
package struct CallSignature: Sendable, Hashable {
    /// Of method, place, query, headers and body; what was asked cannot be read from it.
    package let digest: String
    /// The method and the place, without a query.
    package let shown: String
    /// The names in the query, in their order, without what they are set to.
    package let parameters: [String]

    /// `service` is whom it is sent to, whose addresses may be those of others too.
    package init(_ request: HTTPRequest, to service: String? = nil, _ scrubber: Scrubber) {
        func scrubbed(_ text: String) -> String { scrubber.scrubbed(text, askedOf: service) }
        let url = scrubbed(request.url)
        let headers = request.headers.filter { $0.shownValue == $0.value }
            .map { "\($0.name.lowercased()): \(scrubbed($0.value))" }.sorted()
        let head = "\(request.method.rawValue) \(url)\n\(headers.joined(separator: "\n"))\n\n"
        digest = SHA256Digest(of: Array(head.utf8) + scrubber.scrubbed(request.body ?? [], askedOf: service)).hex
        let place = url.prefix { $0 != "?" && $0 != "#" }
        shown = "\(request.method.rawValue) \(place)"
        parameters = url.dropFirst(place.count).prefix { $0 != "#" }.dropFirst().split(separator: "&").map { pair in
            String(pair.prefix { $0 != "=" })
        }
    }
}
