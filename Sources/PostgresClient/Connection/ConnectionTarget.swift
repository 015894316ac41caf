import FileInput

/// Which database to connect to and how: from a URL, the environment, a service file and libpq's defaults.
package struct ConnectionTarget: Sendable, Hashable, CustomStringConvertible {
    /// One setting on its way to libpq; the value may be a URL with a password.
    struct Setting: Sendable, Hashable {
        let keyword: String
        let value: Secret
    }

    let settings: [Setting]
    /// How long one address may take to answer; nil waits for as long as the network does.
    let addressTimeout: Duration?
    package let host: String
    package let port: String
    package let database: String
    package let user: String
    package let tlsMode: String

    /// Reads a URL or `key=value` pairs, and libpq's `PG*` variables, service and pass files for what they leave open.
    ///
    /// The URL is the value of `DATABASE_URL`; nil or empty leaves everything to `PG*` and the defaults. Only with
    /// `allowsWeakTLS` may a server off this machine go unverified.
    package init(
        url: String?,
        applicationName: String = "knot-recommend",
        allowsWeakTLS: Bool = false
    ) throws(PostgresError) {
        guard WireConnection.hasLibrary else {
            throw PostgresError(.configuration, at: "libpq", detail: "the system has no libpq.so.5, Debian's libpq5")
        }
        var given: [Setting] = []
        if let url, !url.isEmpty {
            guard !url.utf8.contains(0), WireConnection.isReadable(url) else {
                throw PostgresError(.configuration, at: "DATABASE_URL", detail: "it is no PostgreSQL address")
            }
            given.append(Setting(keyword: "dbname", value: Secret(url)))
        }
        let effective = try Self.effectiveSettings(given)
        host = Self.place(effective)
        port = effective["port"] ?? "5432"
        user = effective["user"] ?? ""
        database = effective["dbname"] ?? user
        tlsMode = effective["sslmode"] ?? "prefer"
        let timeout = effective["connect_timeout"].flatMap { Int($0) } ?? Self.defaultAddressTimeout
        // As libpq has it: zero or less never ends, and one second is too short for its clock.
        addressTimeout = timeout <= 0 ? nil : .seconds(max(timeout, 2))
        settings = given + Self.additions(to: effective, applicationName: applicationName)
        try Self.check(effective, allowsWeakTLS: allowsWeakTLS)
    }

    private static let defaultAddressTimeout = 10

    /// What we set where nobody else did: a dead network is found within a minute and a half.
    private static func additions(to effective: [String: String], applicationName: String) -> [Setting] {
        var additions = [Setting(keyword: "fallback_application_name", value: Secret(applicationName))]
        let defaults = [
            ("keepalives_idle", "30"), ("keepalives_interval", "10"), ("keepalives_count", "3"),
            ("tcp_user_timeout", "60000"),
        ]
        for (keyword, value) in defaults where effective[keyword] == nil {
            additions.append(Setting(keyword: keyword, value: Secret(value)))
        }
        additions.append(Setting(keyword: "client_encoding", value: Secret("UTF8")))
        return additions
    }

    /// What libpq would connect with, without a connection.
    private static func effectiveSettings(_ given: [Setting]) throws(PostgresError) -> [String: String] {
        // libpq looks at these words before it looks for the server, so the attempt ends without any traffic, and
        // everything else has been read by then just as it is for a connection.
        let impossible = ("target_session_attrs", "none-of-them")
        let pairs = given.map { ($0.keyword, $0.value.exposed) } + [impossible]
        guard let probe = WireConnection(settings: pairs) else {
            throw PostgresError(.outOfMemory, at: "libpq")
        }
        let effective = probe.settings
        guard effective["target_session_attrs"] == impossible.1 else {
            // Options are read completely or not at all: a service or its file is missing or malformed.
            throw PostgresError(
                .configuration,
                at: "the PostgreSQL settings",
                detail: "a service, its file or a PG* variable cannot be read"
            )
        }
        return effective
    }

    private static func place(_ effective: [String: String]) -> String {
        for keyword in ["host", "hostaddr"] {
            if let host = effective[keyword], !host.isEmpty { return host }
        }
        return "a local socket"
    }

    /// Names the database and the server, never the password.
    package var description: String {
        host.hasPrefix("/") || host == "a local socket"
            ? "database \(database) on \(host)" : "database \(database) on \(host):\(port)"
    }
}

extension ConnectionTarget {
    /// Refuses a server off this machine that would not have to prove who it is.
    static func check(_ effective: [String: String], allowsWeakTLS: Bool) throws(PostgresError) {
        let mode = effective["sslmode"] ?? "prefer"
        guard mode != "verify-full", !allowsWeakTLS, !isOnThisMachine(effective) else { return }
        throw PostgresError(
            .configuration,
            at: "sslmode=\(mode)",
            detail: "\(place(of: effective)) is not on this machine, and a server elsewhere must prove its name"
        )
    }

    private static func place(of effective: [String: String]) -> String {
        effective["host"] ?? effective["hostaddr"] ?? "the server"
    }

    /// True when every host is a Unix socket or this machine's own address.
    static func isOnThisMachine(_ effective: [String: String]) -> Bool {
        // Where both are given the address is what is connected to, and the name only what is verified.
        let addresses = list(effective["hostaddr"])
        let hosts = list(effective["host"])
        for place in 0..<max(addresses.count, hosts.count, 1) {
            let address = place < addresses.count ? addresses[place] : ""
            let host = place < hosts.count ? hosts[place] : ""
            if !isLoopback(address.isEmpty ? host : address) { return false }
        }
        return true
    }

    private static func list(_ text: String?) -> [Substring] {
        (text ?? "").split(separator: ",", omittingEmptySubsequences: false)
    }

    private static func isLoopback(_ host: Substring) -> Bool {
        // An empty host is the default socket; `@` begins an abstract one.
        if host.isEmpty || host.hasPrefix("/") || host.hasPrefix("@") || host == "::1" { return true }
        if host.lowercased() == "localhost" { return true }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 4, parts[0] == "127" else { return false }
        return parts.allSatisfy { UInt8($0) != nil }
    }
}
