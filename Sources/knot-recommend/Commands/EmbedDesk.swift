import JSONDocument
import Recommendation
import TextEncoding
import VaultStore
import VectorSearch

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

/// What `embed` did with one kind of texts.
struct EmbeddedPart: Sendable {
    let name: String
    let things: String
    /// How many had no vector at the start.
    let pending: Int
    let stored: Int
    /// Those that changed meanwhile, and those with nothing to embed.
    var left = 0

    var json: JSONValue {
        ["pending": .integer(pending), "embedded": .integer(stored), "left": .integer(left)]
    }

    func line(_ model: String) -> String {
        let rest = left == 0 ? "" : ", \(left) left for the next time"
        return "\(stored) of \(max(pending, stored + left)) \(things) embedded with \(model)\(rest)"
    }
}

/// `embed --calibrate`: finds out what the cosines of a model mean, and keeps it beside what is known of the model.
enum CalibrationDesk {
    static func report(_ encoder: Encoder, _ context: CommandContext) throws(CommandError) -> TextReport {
        let calibration = ModelCalibration()
        let texts = calibration.texts
        context.progress("embedding \(texts.count) texts")
        var vectors: [String: Embedding] = [:]
        do throws(EncoderError) {
            for (text, vector) in zip(texts, try encoder.encode(texts)) { vectors[text] = vector }
        } catch {
            throw CommandError(error)
        }
        guard let findings = calibration.findings(vectors) else {
            throw CommandError(.internalFault, "a vector is missing", at: encoder.model, todo: "report it")
        }
        let share = percent(findings.certainty)
        guard encoder.isReference || findings.profile != nil else {
            throw CommandError(
                .badInput,
                "the model tells what is related from what is not in \(share) of the cases: at least"
                    + " \(percent(ModelCalibration.leastCertainty)) are needed, and chance gives 70",
                at: encoder.settings.folder,
                todo: "take another model; until then runs with it go by words alone"
            )
        }
        var stored: String?
        if !encoder.isReference, let profile = findings.profile {
            guard let folder = EmbedderDesk.cacheFolder(context.environment) else {
                throw CommandError(
                    .configuration,
                    "there is no cache folder",
                    at: "embed",
                    todo: "set KNOT_CACHE or HOME"
                )
            }
            stored = try ModelRecordFiles(cache: folder).keep(profile, of: encoder.model)
        }
        let rest =
            stored.map { "its profile is in \($0)" }
            ?? "it is the one that thresholds were made for, and needs no profile"
        return TextReport(
            json: [
                "schema": "knot.calibration/1", "model": .string(encoder.model),
                "certainty": .number(findings.certainty),
                "pairs": .integer(findings.pairCount), "unrelated": .array(findings.unrelated.map(JSONValue.number)),
                "related": .array(findings.related.map(JSONValue.number)),
                "profile": stored == nil ? CosineProfile.reference.json : (findings.profile?.json ?? .null),
                "stored": JSONValue(stored),
            ],
            lines: [
                "\(encoder.model) tells what is related from what is not in \(share) of \(findings.pairCount) pairs; \(rest)"
            ]
        )
    }

    private static func percent(_ share: Double) -> String {
        let tenths = Int((share * 1_000).rounded())
        return "\(tenths / 10).\(tenths % 10) %"
    }
}
