/// How a server of ours is set: what differs from PostgreSQL's own defaults.
package struct ServerSettings: Sendable, Equatable {
    /// Whether a commit survives a power cut; false only for servers whose data nobody keeps.
    package var isDurable: Bool
    /// Further settings by name; they win over ours.
    package var extra: [String: String]
    /// Lines of a `pg_hba.conf` that stands for the default, which trusts whoever reaches the private socket.
    package var authentication: [String]?

    package init(isDurable: Bool = true, extra: [String: String] = [:], authentication: [String]? = nil) {
        self.isDurable = isDurable
        self.extra = extra
        self.authentication = authentication
    }

    /// Every setting that is passed to the server, sorted by name.
    func values(majorVersion: Int) -> [(name: String, value: String)] {
        var values = [
            "listen_addresses": "",
            "unix_socket_permissions": "0700",
            "max_connections": "100",
            "shared_buffers": "64MB",
            "max_wal_size": "256MB",
            "min_wal_size": "32MB",
            "wal_level": "minimal",
            "max_wal_senders": "0",
            "jit": "off",
            "timezone": "UTC",
            "log_timezone": "UTC",
            "log_min_messages": "warning",
            // Statements carry what people noted of each other: the log names errors, not texts.
            "log_min_error_statement": "panic",
            "log_error_verbosity": "terse",
            "cluster_name": "knot-recommend",
        ]
        if !isDurable {
            values["fsync"] = "off"
            // All tests share one server of a version, each with connections of its own.
            values["max_connections"] = "500"
            values["full_page_writes"] = "off"
            values["autovacuum"] = "off"
            if majorVersion >= 18 { values["io_method"] = "sync" }
        }
        return values.merging(extra) { $1 }.sorted { $0.key < $1.key }.map { (name: $0.key, value: $0.value) }
    }
}
