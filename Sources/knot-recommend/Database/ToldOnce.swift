import Synchronization

/// Notes of a command that does many vaults: what is true of all of them is told once.
final class ToldOnce: Sendable {
    private let context: CommandContext
    private let told = Mutex<Set<String>>([])

    init(_ context: CommandContext) {
        self.context = context
    }

    /// Tells something unless these words were told before.
    func note(_ text: String) {
        let isNew = told.withLock { $0.insert(text).inserted }
        if isNew { context.note(text) }
    }
}
