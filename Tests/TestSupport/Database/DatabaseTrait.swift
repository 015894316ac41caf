package import Testing

/// Gives every test of a suite, or every case of a test, a fresh database in `TestDatabase.current`.
package struct DatabaseTrait: TestTrait, SuiteTrait, TestScoping {
    let version: ServerVersion
    let template: DatabaseTemplate

    /// A suite's tests inherit the trait.
    package var isRecursive: Bool { true }

    package func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        try await withDatabase(version, template) { database in
            try await TestDatabase.$current.withValue(database) { try await function() }
        }
    }
}

extension Trait where Self == DatabaseTrait {
    /// A fresh database for each test, as the template has it.
    package static func database(
        _ version: ServerVersion = .eighteen,
        _ template: DatabaseTemplate = .empty
    ) -> DatabaseTrait {
        DatabaseTrait(version: version, template: template)
    }
}

extension Trait where Self == ConditionTrait {
    /// Skips, and says so, where this machine has no such server.
    package static func needs(_ version: ServerVersion) -> ConditionTrait {
        .enabled("\(version) is not installed here") { version.installation != nil }
    }
}

extension Tag {
    /// Tests that need a PostgreSQL server.
    @Tag package static var database: Self
}
