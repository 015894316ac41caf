import KnotDomain
import Synchronization

/// Notes of a command that does many vaults: what is true of all of them is said once.
package final class NotesOnce: Sendable {
    private let context: CommandContext
    private let said = Mutex<Set<String>>([])

    package init(_ context: CommandContext) {
        self.context = context
    }

    /// Says it unless it was said, or something else about the same.
    package func note(_ text: String, once subject: String? = nil) {
        let isNew = said.withLock { $0.insert(subject ?? text).inserted }
        if isNew { context.note(text) }
    }

    /// Says which offers no run finds, since nothing in the pipeline asks for them.
    func noteUnasked(_ providers: [ProviderName], in place: String, asked: Set<ProviderName>) {
        let others = providers.filter { !asked.contains($0) }.map(\.rawValue)
        guard !others.isEmpty else { return }
        let names = others.prefix(5).joined(separator: ", ") + (others.count > 5 ? ", …" : "")
        note(
            "offers of \(names) in \(place) are never found: the pipeline asks for those of "
                + "\(asked.map(\.rawValue).sorted().joined(separator: ", ")); a source.provider node asks for others",
            once: "providers of \(place)"
        )
    }
}
