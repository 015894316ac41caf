import KnotDomain

/// A hint that has no embedding of a model yet.
package struct PendingHint: Sendable, Hashable {
    package let id: PostgresUUID
    /// As the row has it: what a later change is noticed by.
    let stored: String

    /// As every reader of vaults cleans it, and as it is to be embedded.
    package var text: String { BoundaryText.clean(stored, limit: 8 * TextLimit.hintCharacters) }

    package init(id: PostgresUUID, stored: String) {
        self.id = id
        self.stored = stored
    }
}
