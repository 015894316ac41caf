import Arguments
import Catalogue
import Composition
import Console
import JSONDocument
import Recommendation
import StageGraph
import TextEncoding
import VaultStore
import VectorSearch
import Verbs

extension Verb {
    static let embed = Verb(
        name: .embed,
        summary: "Compute the embeddings by which runs compare notes and offers",
        uses: [
            "--vault ID [options]",
            "--all [options]",
            "--catalogue FILE|DIR [options]",
            "--calibrate --model DIR|remote",
        ],
        description: """
            Embeds only what has no embedding of this model yet. If interrupted, run it again to continue. Embeddings \
            of a file's offers go to the cache folder; those of a catalogue folder stay in that folder. Any model \
            except the default must be calibrated once before runs can compare by it.
            """,
        examples: [
            "knot-recommend embed --all # every vault, and the offers for all",
            "knot-recommend embed --catalogue fixtures/catalogue.jsonl",
            "knot-recommend embed --calibrate --model my-model",
        ],
        flags: [.vault, .all, .catalogue, .calibrate, .allowWeakTLS],
        texts: [
            .vault: "Vault to embed",
            .all: "Embed every vault, and the offers for everybody",
            .catalogue: "Offers to embed: a file of JSON lines, or a folder made by `catalogue build`",
            .model: "Embedding model: a folder, or `remote` (only with `--calibrate`; sends texts to a service)",
            .deadline: "Time limit for each step, such as `30s` or `2m`",
        ],
        exitCodes: keeping,
        perform: EmbedVerb.perform
    )
}

/// `embed`: vectors for the hints and the catalogue's items that have none of this program's model yet.
enum EmbedVerb {
    static func perform(
        _ arguments: TypedArguments,
        _ context: CommandContext
    ) async throws(CommandError) -> ExitCode {
        let options = try StoredVaultOptions(arguments, context.settings)
        if options.calibrates, options.shared.model == .remote,
            let embedder = try ModelSetup.embedder(options.shared, context)
        {
            let texts = ModelCalibration().texts
            let encoded: [Embedding]
            do throws(StageFailure) {
                encoded = try await embedder.embeddings(of: texts)
            } catch {
                throw CommandError(error, at: nil, input: "embed")
            }
            let model = CalibratedModel(name: embedder.model, place: "--model remote", isReference: false)
            return try ModelCalibrating.report(model, encoded, context).finish(context)
        }
        // Asked first, for without a model no database is needed.
        guard let encoder = try ModelSetup.encoder(options.shared, context) else {
            throw CommandError(
                .unavailable,
                "there is no embedding model",
                at: "embed",
                todo: "make setup gets one"
            )
        }
        if options.calibrates {
            let texts = ModelCalibration().texts
            context.progress("embedding \(texts.count) texts")
            let encoded = try reporting { try encoder.encode(texts) }
            let model = CalibratedModel(
                name: encoder.model,
                place: encoder.settings.folder,
                isReference: encoder.isReference
            )
            return try ModelCalibrating.report(model, encoded, context).finish(context)
        }
        let folder = options.catalogue.flatMap { FileStatus(path: $0)?.kind == .folder ? $0 : nil }
        let file =
            try folder == nil
            ? options.catalogue.map { path throws(CommandError) in try CatalogueEmbedding.file(path) } : nil
        var parts: [EmbeddedPart] = []
        if options.vault != nil || options.isAll {
            let embedder = EncoderEmbedder(encoder, cache: EmbeddingCache())
            let pool = try await CommandDatabase(context).open()
            parts.append(try await part("hints", HintEmbeddingStore(pool), embedder, options, context))
            parts.append(try await part("items", ItemEmbeddingStore(pool), embedder, options, context))
        }
        if let folder { parts.append(try CatalogueEmbedding.embed(folder: folder, encoder, context)) }
        if file == nil { try await learn(encoder, context) }
        if let file, let path = options.catalogue {
            let done = try CatalogueEmbedding.embed(file, at: path, encoder, for: .keeping, context)
            parts.append(
                EmbeddedPart(name: "file", things: "items of \(path)", pending: done.missing, stored: done.made)
            )
        }
        let whole: JSONValue = [
            "schema": "knot.embedded/1", "model": .string(encoder.model),
            "pending": .integer(parts.reduce(0) { $0 + $1.pending }),
            "embedded": .integer(parts.reduce(0) { $0 + $1.stored }),
            "left": .integer(parts.reduce(0) { $0 + $1.left }),
            "without_words": .integer(parts.reduce(0) { $0 + $1.wordless }),
        ]
        let members = parts.map { JSONObject.Member(name: $0.name, value: $0.json) }
        let report = TextReport(
            json: .object(JSONObject((whole.object?.members ?? []) + members)),
            lines: parts.map { $0.line(encoder.model) }
        )
        return try report.finish(context)
    }

    /// What runs of every vault compare by: embedded once here, so that no run need do it.
    private static func learn(_ encoder: Encoder, _ context: CommandContext) async throws(CommandError) {
        do throws(StageFailure) {
            try await ModelSetup.embedder(of: encoder, context).learn()
        } catch {
            throw CommandError(error, at: nil, input: "embed")
        }
    }

    private static func part(
        _ name: String,
        _ store: any EmbeddingStore,
        _ embedder: EncoderEmbedder,
        _ options: StoredVaultOptions,
        _ context: CommandContext
    ) async throws(CommandError) -> EmbeddedPart {
        let things = name == "hints" ? "hints" : "items of the catalogue"
        do throws(EmbeddingBackfill.Failure) {
            let done = try await EmbeddingBackfill(store, embedder, limit: options.shared.deadline ?? .seconds(60)).run(
                vault: options.vault
            ) { progress in
                context.progress("\(progress.done) of \(max(progress.total, progress.done)) \(things) embedded")
            }
            return EmbeddedPart(
                name: name,
                things: things,
                pending: done.total,
                stored: done.stored,
                left: done.left,
                wordless: done.wordless
            )
        } catch {
            switch error {
            case .database(let error): throw CommandError(amidWork: error)
            case .embedder(let failure): throw CommandError(failure, at: nil, input: "embed")
            }
        }
    }
}

/// The model that is calibrated.
struct CalibratedModel {
    let name: String
    /// Where it is, for whoever has to take another.
    let place: String
    let isReference: Bool
}

/// `embed --calibrate`: finds out what the cosines of a model mean, and keeps it beside what is known of the model.
enum ModelCalibrating {
    /// What the vectors of the calibration's texts say of their model.
    static func report(
        _ model: CalibratedModel,
        _ encoded: [Embedding],
        _ context: CommandContext
    ) throws(CommandError) -> TextReport {
        let calibration = ModelCalibration()
        var vectors: [String: Embedding] = [:]
        for (text, vector) in zip(calibration.texts, encoded) { vectors[text] = vector }
        guard let findings = calibration.findings(vectors) else {
            throw CommandError(.internalFault, "a vector is missing", at: model.name, todo: "report it")
        }
        let share = percent(findings.certainty)
        guard model.isReference || findings.profile != nil else {
            throw CommandError(
                .badInput,
                "the model tells what is related from what is not in \(share) of the cases: at least"
                    + " \(percent(ModelCalibration.leastCertainty)) are needed, and chance gives 70",
                at: model.place,
                todo: "take another model; until then runs with it go by words alone"
            )
        }
        var stored: String?
        if !model.isReference, let profile = findings.profile {
            guard let folder = ModelSetup.cacheFolder(context.environment) else {
                throw CommandError(
                    .configuration,
                    "there is no cache folder",
                    at: "embed",
                    todo: "set KNOT_CACHE or HOME"
                )
            }
            stored = try ModelRecordFiles(cache: folder).keep(profile, of: model.name)
        }
        let rest =
            stored.map { "its profile is in \($0)" }
            ?? "it is the one that thresholds were made for, and needs no profile"
        return TextReport(
            json: [
                "schema": "knot.calibration/1", "model": .string(model.name),
                "certainty": .number(findings.certainty),
                "pairs": .integer(findings.pairCount), "unrelated": .array(findings.unrelated.map(JSONValue.number)),
                "related": .array(findings.related.map(JSONValue.number)),
                "profile": stored == nil ? CosineProfile.reference.json : (findings.profile?.json ?? .null),
                "stored": JSONValue(stored),
            ],
            lines: [
                "\(model.name) tells what is related from what is not in \(share) of \(findings.pairCount) pairs; \(rest)"
            ]
        )
    }

    private static func percent(_ share: Double) -> String {
        let tenths = Int((share * 1_000).rounded())
        return "\(tenths / 10).\(tenths % 10) %"
    }
}
