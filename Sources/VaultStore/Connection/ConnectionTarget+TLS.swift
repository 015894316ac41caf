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
