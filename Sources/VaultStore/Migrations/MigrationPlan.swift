/// What a migration would do to a database as it is now.
package struct MigrationPlan: Sendable, Hashable {
    package enum Step: Sendable, Hashable {
        case apply(Migration)
        /// Noted without being run: production made these tables before there was a history.
        case adopt(Migration)

        package var migration: Migration {
            switch self {
            case .apply(let migration), .adopt(let migration): migration
            }
        }
    }

    /// In the order they are done.
    package let steps: [Step]
    /// The highest number applied before.
    package let current: Int
    /// The highest number afterwards.
    package let target: Int

    package init(steps: [Step], current: Int, target: Int) {
        self.steps = steps
        self.current = current
        self.target = target
    }

    package var isEmpty: Bool { steps.isEmpty }
}
