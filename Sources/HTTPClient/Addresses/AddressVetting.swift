/// Decides which places a URL of somebody else's may lead to: the open network, by TLS, and nothing of ours.
package struct AddressVetting: Sendable {
    /// Origins that need no vetting, as `http://127.0.0.1:8080`: configured by whoever runs the program, never by a page.
    package var trusted: Set<String>
    /// Ports that may be connected to; nil allows all.
    package var ports: Set<Int>?
    private let resolver: any NameResolver

    package init(
        resolver: any NameResolver,
        trusted: Set<String> = [],
        ports: Set<Int>? = [443]
    ) {
        self.resolver = resolver
        self.trusted = trusted
        self.ports = ports
    }

    /// A URL with the only addresses that may be connected to for it; nil where its origin is trusted.
    package struct Place: Sendable, Hashable {
        package let url: HTTPURL
        package let addresses: [IPAddress]?
    }

    /// Reads a URL, and resolves its name once.
    ///
    /// Throws `refusedURL` where it leads anywhere else than to the open network: if one address of several is not of it,
    /// none is taken.
    package func place(of text: String, by deadline: ContinuousClock.Instant) async throws(HTTPFailure) -> Place {
        let url: HTTPURL
        do throws(HTTPURL.Refusal) {
            url = try HTTPURL(text)
        } catch {
            throw HTTPFailure(.refusedURL, host: "", error.rawValue)
        }
        return try await place(of: url, by: deadline)
    }

    package func place(of url: HTTPURL, by deadline: ContinuousClock.Instant) async throws(HTTPFailure) -> Place {
        if trusted.contains(url.origin) { return Place(url: url, addresses: nil) }
        if let refusal = Self.refusal(of: url, ports: ports) {
            // This machine's own pages are for whoever runs the program to trust.
            let leadsInside = url.isPrivate && !url.isLoopback
            throw HTTPFailure(.refusedURL, host: url.shownHost, refusal, leadsInside: leadsInside)
        }
        let addresses: [IPAddress]
        switch url.host {
        case .address(let address): addresses = [address]
        case .name(let name): addresses = try await resolver.addresses(of: name, by: deadline)
        }
        guard !addresses.isEmpty else { throw HTTPFailure(.connect, host: url.shownHost, "its name has no address") }
        guard addresses.allSatisfy(\.isOfOpenNetwork) else {
            throw HTTPFailure(
                .refusedURL,
                host: url.shownHost,
                "its address is not of the open network",
                leadsInside: !url.isLoopback
            )
        }
        return Place(url: url, addresses: addresses)
    }

    /// Why a URL is refused whatever its name resolves to.
    package static func refusal(of url: HTTPURL, ports: Set<Int>?) -> String? {
        guard url.scheme == .https else { return "it is without TLS" }
        if let ports, !ports.contains(url.port) {
            return "its port is not \(ports.sorted().map(String.init).joined(separator: ", "))"
        }
        guard case .name(let name) = url.host else { return nil }
        return isOwn(name) ? "its host is a name of a network of somebody's own" : nil
    }

    /// Whether no name of the open network is like this.
    fileprivate static func isOwn(_ name: String) -> Bool {
        !name.contains(".") || ownDomains.contains { name == $0 || name.hasSuffix("." + $0) }
    }

    /// Domains that no public name ends in, and those of machines' own services.
    private static let ownDomains = [
        "localhost", "local", "internal", "intranet", "lan", "home", "corp", "private", "localdomain", "arpa", "onion",
        "invalid", "test", "alt", "i2p", "consul", "cluster",
    ]
}

extension HTTPURL {
    /// Scheme, host and port: what is trusted or compared as a whole.
    package var origin: String { "\(scheme.rawValue)://\(shownHost):\(port)" }

    /// Whether the host alone shows that the URL leads into a private network.
    package var isPrivate: Bool {
        switch host {
        case .address(let address): !address.isOfOpenNetwork
        case .name(let name): AddressVetting.isOwn(name)
        }
    }
}

extension IPAddress {
    /// Whether it is a global unicast address: no special range of IANA's registries, and no address inside another one.
    package var isOfOpenNetwork: Bool {
        switch self {
        case .v4(let address):
            !Self.specialV4.contains { address >> (32 - $0.length) == $0.network >> (32 - $0.length) }
        case .v6(let high, _):
            // All that is global lies in 2000::/3; translated, mapped, private, local and multicast addresses lie outside.
            high >> 61 == 1 && !Self.specialV6.contains { high >> (64 - $0.length) == $0.network >> (64 - $0.length) }
        }
    }

    /// Not global: this network, private, shared, loopback, link-local, protocols, documentation, relays, benchmarks,
    /// multicast, reserved.
    private static let specialV4: [(network: UInt32, length: UInt32)] = [
        (0x0000_0000, 8), (0x0A00_0000, 8), (0x6440_0000, 10), (0x7F00_0000, 8), (0xA9FE_0000, 16), (0xAC10_0000, 12),
        (0xC000_0000, 24), (0xC000_0200, 24), (0xC058_6300, 24), (0xC0A8_0000, 16), (0xC612_0000, 15),
        (0xC633_6400, 24), (0xCB00_7100, 24), (0xE000_0000, 4), (0xF000_0000, 4),
    ]

    /// Of 2000::/3: protocols with Teredo, documentation, 6to4, documentation again.
    private static let specialV6: [(network: UInt64, length: UInt64)] = [
        (0x2001_0000_0000_0000, 23), (0x2001_0DB8_0000_0000, 32), (0x2002_0000_0000_0000, 16),
        (0x3FFF_0000_0000_0000, 20),
    ]
}
