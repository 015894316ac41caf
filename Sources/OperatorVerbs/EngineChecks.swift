import Arguments
import Composition
import Console
import Fixtures
import Glibc
import KnotDomain
import PipelineInput
import Recommendation
import Scheduling
import Shipped
import StageGraph
import TextEncoding
import Verbs

/// What `doctor` says of the parts of the engine: everything a run would stumble over is found here first.
enum EngineChecks {
    /// The pipelines, the embedding model, the cache and the exchange rates, as a run with these options would use them.
    static func all(_ options: SharedOptions, _ context: CommandContext) -> [DoctorCheck] {
        // What is laid over a pipeline is laid over the one that was chosen, and the shipped ones are looked at as they are.
        let others = ShippedPipelines.names.map(PipelineReference.shipped).filter { $0 != options.pipeline }
        return [context.pipelines.check(options.pipeline, options)] + others.map { context.pipelines.check($0, nil) }
            + [model(options, context), cache(context), rates(context)] + named(context)
    }

    /// The catalogue and the readings that runs are to use, where the settings name any.
    private static func named(_ context: CommandContext) -> [DoctorCheck] {
        var checks: [DoctorCheck] = []
        if let path = context.settings.text(.catalogue) {
            checks.append(DoctorCheck("offers") { () throws(CommandError) in try NamedInputs.catalogue(path) })
        }
        if case .recorded(let path) = ReadingsSource(context.settings.text(.readings)) {
            checks.append(DoctorCheck("readings") { () throws(CommandError) in try NamedInputs.readings(path) })
        }
        return checks
    }

    /// Loads the model and embeds a text: a folder that is there is no model yet.
    static func model(_ options: SharedOptions, _ context: CommandContext) -> DoctorCheck {
        let name = "model"
        guard options.model != .none else { return DoctorCheck(name, .fine, "none, as asked: runs go by words alone") }
        do throws(CommandError) {
            guard let encoder = try ModelSetup.encoder(options, context) else {
                return DoctorCheck(
                    name,
                    .warning,
                    "none is set up, so that runs go by words alone: make setup gets one"
                )
            }
            _ = try reporting { try encoder.encode(["a walk by the sea"]) }
            let found = "\(encoder.model) in \(encoder.settings.folder)"
            guard ModelSetup.profile(of: encoder, context.environment) != nil else {
                let detail = "\(found) has no profile, so that runs go by words alone: embed --calibrate makes one"
                return DoctorCheck(name, .warning, detail)
            }
            return DoctorCheck(name, .fine, found)
        } catch {
            return DoctorCheck(name, error)
        }
    }

    /// Without a cache everything works and takes longer.
    private static func cache(_ context: CommandContext) -> DoctorCheck {
        let name = "cache"
        guard let folder = ModelSetup.cacheFolder(context.environment) else {
            return DoctorCheck(name, .warning, "there is no folder for it: set KNOT_CACHE or HOME")
        }
        guard ModelSetup.canWrite(folder) else {
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
        return DoctorCheck(name) { () throws(CommandError) in
            let rates = try reporting {
                try FixtureLoader.document(FixtureLoader.bytes(path), path) { Rates(reading: $0, source: path) }
            }
            return "\(path), of \(rates.asOf)"
        }
    }
}

/// The checks that need nothing but the machine: zones, memory, places to write.
enum MachineChecks {
    static func all(_ environment: Environment) -> [DoctorCheck] {
        [timeZones(environment), cores(), memory(), writing(environment)]
    }

    /// A zone database that does not know a change of law is too old: reminders there go out an hour off.
    static func timeZones(_ environment: Environment) -> DoctorCheck {
        let path = Surroundings.zoneFolder(environment)
        let directory = ZoneDirectory(path: path)
        let version = directory.version ?? "of unknown version"
        guard directory.rules(named: "America/Vancouver") != nil else {
            return DoctorCheck("time zones", .failure, "no zone files in \(path): install the tzdata")
        }
        if let fact = ZoneFact.unknown(to: directory).first {
            let missing = "\(fact.zone): \(fact.what), since \(fact.release)"
            return DoctorCheck(
                "time zones",
                .warning,
                "tzdata \(version) in \(path) is stale (\(missing)): update the tzdata"
            )
        }
        return DoctorCheck("time zones", .fine, "tzdata \(version) in \(path)")
    }

    private static func cores() -> DoctorCheck {
        let count = sysconf(Int32(_SC_NPROCESSORS_ONLN))
        return DoctorCheck("cores", .fine, "\(count) online")
    }

    private static func memory() -> DoctorCheck {
        let bytes = sysconf(Int32(_SC_AVPHYS_PAGES)) * sysconf(Int32(_SC_PAGESIZE))
        let megabytes = bytes >> 20
        guard megabytes >= 256 else {
            return DoctorCheck("memory", .warning, "\(megabytes) MiB free: large pools of candidates may not fit")
        }
        return DoctorCheck("memory", .fine, "\(megabytes) MiB free")
    }

    /// Recordings and traces are written where the person says, most often here.
    private static func writing(_ environment: Environment) -> DoctorCheck {
        let isWritable = unsafe access(".", W_OK) == 0
        return isWritable
            ? DoctorCheck("writing", .fine, "this folder can be written to")
            : DoctorCheck(
                "writing",
                .warning,
                "this folder cannot be written to: name another one for --record and --trace"
            )
    }
}
