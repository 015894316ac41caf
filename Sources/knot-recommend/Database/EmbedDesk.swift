import JSONDocument
import Recommendation
import VaultStore

/// `embed`: vectors for the hints that have none of this program's model yet.
struct EmbedDesk: Sendable {
    private let options: StoredVaultOptions
    private let context: CommandContext

    init(_ options: StoredVaultOptions, _ context: CommandContext) {
        self.options = options
        self.context = context
    }

    func report() async throws(CommandError) -> TextReport {
        // Asked first, for without a model no database is needed.
        guard let embedder = try EmbedderDesk.embedder(options.shared, context) else {
            throw CommandError(
                .unavailable,
                "there is no embedding model",
                at: "embed",
                todo: "make setup gets one"
            )
        }
        let pool = try await DatabaseDesk(context).open()
        let backfill = EmbeddingBackfill(HintEmbeddingStore(pool), embedder)
        let done: EmbeddingBackfill.Progress
        do throws(EmbeddingBackfill.Failure) {
            done = try await backfill.run(vault: options.vault) { progress in
                context.progress("\(progress.done) of \(max(progress.total, progress.done)) hints embedded")
            }
        } catch {
            switch error {
            case .database(let error): throw CommandError(amidWork: error)
            case .embedder(let failure): throw CommandError(failure, at: nil, input: "embed")
            }
        }
        let left = done.left == 0 ? "" : ", \(done.left) left for the next time"
        return TextReport(
            json: [
                "schema": "knot.embedded/1", "model": .string(embedder.model), "pending": .integer(done.total),
                "embedded": .integer(done.stored), "left": .integer(done.left),
            ],
            lines: ["\(done.stored) of \(max(done.total, done.done)) hints embedded with \(embedder.model)\(left)"]
        )
    }
}
