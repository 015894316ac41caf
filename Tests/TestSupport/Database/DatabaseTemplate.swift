/// What a test's database holds when the test begins; made once on each server and copied for every test.
package struct DatabaseTemplate: Sendable, Equatable {
    /// Lower-case letters, digits and underscores; two templates of one name are the same.
    package let name: String
    let prepare: @Sendable (_ url: String) async throws -> Void

    /// The closure fills the database at the URL and closes its connections.
    package init(_ name: String, prepare: @escaping @Sendable (_ url: String) async throws -> Void) {
        precondition(name.utf8.allSatisfy { $0 == 95 || 48...57 ~= $0 || 97...122 ~= $0 }, "not a plain name: \(name)")
        self.name = name
        self.prepare = prepare
    }

    /// Nothing at all.
    package static let empty = DatabaseTemplate("empty") { _ in }

    /// The same with some SQL run on top of it.
    package func with(_ name: String, sql: String) -> DatabaseTemplate {
        DatabaseTemplate("\(self.name)_\(name)") { url in
            try await prepare(url)
            try await PlainConnection.run(sql, on: url)
        }
    }

    package static func == (one: DatabaseTemplate, other: DatabaseTemplate) -> Bool { one.name == other.name }
}
