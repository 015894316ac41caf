import JSONDocument
import TextEncoding
import VectorSearch

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
