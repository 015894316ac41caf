import Evaluation
import KnotDomain
import Recommendation
import StageGraph
import TextEncoding

/// What `doctor` says of the parts of the engine: everything a run would stumble over is found here first.
enum EngineChecks {
    /// The pipelines, the embedding model, the cache and the exchange rates, as a run with these options would use them.
    static func all(_ options: SharedOptions, _ desk: PipelineDesk, _ context: CommandContext) -> [DoctorCheck] {
        // What is laid over a pipeline is laid over the one that was chosen, and the shipped ones are looked at as they are.
        let others = ShippedPipelines.names.map(PipelineReference.shipped).filter { $0 != options.pipeline }
        return [desk.check(options.pipeline, options)] + others.map { desk.check($0, nil) } + [
            model(options, context), cache(context), rates(context),
        ]
    }

    /// Loads the model and embeds a text: a folder that is there is no model yet.
    static func model(_ options: SharedOptions, _ context: CommandContext) -> DoctorCheck {
        let name = "model"
        guard options.model != .none else { return DoctorCheck(name, .fine, "none, as asked: runs go by words alone") }
        do throws(CommandError) {
            guard let encoder = try EmbedderDesk.encoder(options, context) else {
                return DoctorCheck(
                    name,
                    .warning,
                    "none is set up, so that runs go by words alone: make setup gets one"
                )
            }
            do throws(EncoderError) {
                _ = try encoder.encode(["a walk by the sea"])
            } catch {
                throw CommandError(error)
            }
            let found = "\(encoder.model) in \(encoder.settings.folder)"
            guard EmbedderDesk.profile(of: encoder, context.environment) != nil else {
                let detail = "\(found) has no profile, so that runs go by words alone: embed --calibrate makes one"
                return DoctorCheck(name, .warning, detail)
            }
            return DoctorCheck(name, .fine, found)
        } catch {
            return DoctorCheck(name, .failure, "\(error.what), \(error.place): \(error.todo)")
        }
    }

    /// Without a cache everything works and takes longer.
    private static func cache(_ context: CommandContext) -> DoctorCheck {
        let name = "cache"
        guard let folder = EmbedderDesk.cacheFolder(context.environment) else {
            return DoctorCheck(name, .warning, "there is no folder for it: set KNOT_CACHE or HOME")
        }
        guard EmbedderDesk.canWrite(folder) else {
            return DoctorCheck(
                name,
                .warning,
                "\(folder) cannot be written to, so that nothing is remembered: set KNOT_CACHE"
            )
        }
        return DoctorCheck(name, .fine, folder)
    }

    /// Reads the rates that were named, as a run does.
    private static func rates(_ context: CommandContext) -> DoctorCheck {
        let name = "rates"
        guard let path = context.settings.text(.rates) else {
            return DoctorCheck(
                name,
                .fine,
                "embedded, of \(Rates.embedded.asOf); used where no fixture or --rates has newer ones"
            )
        }
        do throws(FixtureError) {
            let bytes = try FixtureLoader.bytes(path)
            let rates = try FixtureLoader.document(bytes, path) { Rates(reading: $0, source: path) }
            return DoctorCheck(name, .fine, "\(path), of \(rates.asOf)")
        } catch {
            let error = CommandError(error)
            return DoctorCheck(name, .failure, "\(error.what), \(error.place): \(error.todo)")
        }
    }
}
