/// Makes and drops the databases of one server, each template once.
actor DatabaseMaker {
    private let url: String
    private var connection: Task<PlainConnection, any Error>?
    private var templates: [String: Task<Void, any Error>] = [:]
    private var count = 0

    init(url: String) {
        self.url = url
    }

    /// Returns the name of a fresh copy of the template.
    func make(_ template: DatabaseTemplate, urlOf: @escaping @Sendable (String) -> String) async throws -> String {
        let admin = try await admin()
        try await prepared(template, urlOf: urlOf)
        count += 1
        let name = "test_\(count)"
        // Without fsync the checkpoints around a plain copy cost less than writing the copy into the log.
        try await admin.run("create database \(name) template \(Self.templateName(template)) strategy file_copy")
        return name
    }

    /// Ends whoever is still connected, as a test that failed may have left a connection.
    func drop(_ name: String) async throws {
        try await admin().run("drop database if exists \(name) with (force)")
    }

    /// Forgets the connection, which a restart of the server has cut.
    func reconnect() {
        connection = nil
    }

    private static func templateName(_ template: DatabaseTemplate) -> String { "template_\(template.name)" }

    private func prepared(
        _ template: DatabaseTemplate,
        urlOf: @escaping @Sendable (String) -> String
    ) async throws {
        if let task = templates[template.name] { return try await task.value }
        let admin = try await admin()
        let task = Task {
            let name = Self.templateName(template)
            try await admin.run("drop database if exists \(name) with (force)")
            try await admin.run("create database \(name)")
            try await template.prepare(urlOf(name))
            // A copy fails while anybody is connected: nobody may, and who still ends a connection is ended.
            try await admin.run("alter database \(name) allow_connections false")
            try await admin.run(
                "select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = '\(name)'"
            )
        }
        templates[template.name] = task
        try await task.value
    }

    private func admin() async throws -> PlainConnection {
        if let connection { return try await connection.value }
        let task = Task { [url] in try await PlainConnection.open(url) }
        connection = task
        return try await task.value
    }
}
