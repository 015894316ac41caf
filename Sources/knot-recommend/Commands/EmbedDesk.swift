import JSONDocument
import Recommendation
import TextEncoding
import VaultStore

/// `embed`: vectors for the hints and the catalogue's items that have none of this program's model yet.
struct EmbedDesk: Sendable {
    private let options: StoredVaultOptions
    private let context: CommandContext

    init(_ options: StoredVaultOptions, _ context: CommandContext) {
        self.options = options
        self.context = context
    }

    func report() async throws(CommandError) -> TextReport {
        // Asked first, for without a model no database is needed.
        guard let encoder = try EmbedderDesk.encoder(options.shared, context) else {
            throw CommandError(
                .unavailable,
                "there is no embedding model",
                at: "embed",
                todo: "make setup gets one"
            )
        }
        if options.calibrates { return try CalibrationDesk.report(encoder, context) }
        let file = try options.catalogue.map { path throws(CommandError) in try CatalogueDesk.file(path) }
        var parts: [EmbeddedPart] = []
        if options.vault != nil || options.isAll {
            let embedder = EncoderEmbedder(encoder, cache: EmbeddingCache())
            let pool = try await DatabaseDesk(context).open()
            parts.append(try await part("hints", HintEmbeddingStore(pool), embedder))
            parts.append(try await part("items", ItemEmbeddingStore(pool), embedder))
        }
        if let file, let path = options.catalogue {
            let done = try CatalogueDesk.embed(file, at: path, encoder, atMost: .max, context)
            parts.append(
                EmbeddedPart(name: "file", things: "items of \(path)", pending: done.missing, stored: done.made)
            )
        }
        let whole: JSONValue = [
            "schema": "knot.embedded/1", "model": .string(encoder.model),
            "pending": .integer(parts.reduce(0) { $0 + $1.pending }),
            "embedded": .integer(parts.reduce(0) { $0 + $1.stored }),
            "left": .integer(parts.reduce(0) { $0 + $1.left }),
        ]
        let members = parts.map { JSONObject.Member(name: $0.name, value: $0.json) }
        return TextReport(
            json: .object(JSONObject((whole.object?.members ?? []) + members)),
            lines: parts.map { $0.line(encoder.model) }
        )
    }

    private func part(
        _ name: String,
        _ store: any EmbeddingStore,
        _ embedder: EncoderEmbedder
    ) async throws(CommandError) -> EmbeddedPart {
        let things = name == "hints" ? "hints" : "items of the catalogue"
        do throws(EmbeddingBackfill.Failure) {
            let done = try await EmbeddingBackfill(store, embedder, limit: options.shared.deadline ?? .seconds(60)).run(
                vault: options.vault
            ) { progress in
                context.progress("\(progress.done) of \(max(progress.total, progress.done)) \(things) embedded")
            }
            return EmbeddedPart(name: name, things: things, pending: done.total, stored: done.stored, left: done.left)
        } catch {
            switch error {
            case .database(let error): throw CommandError(amidWork: error)
            case .embedder(let failure): throw CommandError(failure, at: nil, input: "embed")
            }
        }
    }
}
