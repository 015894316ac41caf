import Arguments
import Composition
import Console
import Delivery
import Glibc
import KnotDomain
import LiveProviders
import Recommendation
import VectorSearch
import Verbs

/// What `doctor` says of the things that a worker needs besides: its processor's kernels, services, the way out, and room.
enum OperationChecks {
    static func all(_ options: SharedOptions, _ context: CommandContext) async -> [DoctorCheck] {
        [kernels(options.kernels), await services(context), delivery(context.environment)] + disks(context.environment)
    }

    /// Which kernels this processor has; the answers are the same with any, the speed is not.
    static func kernels(
        _ choice: KernelChoice,
        best: String = Kernels.best.name,
        available: [String] = Kernels.available.map(\.name)
    ) -> DoctorCheck {
        let name = "processor"
        let all = "of \(available.joined(separator: ", "))"
        if case .named(let asked) = choice { return DoctorCheck(name, .fine, "kernels \(asked), as asked, \(all)") }
        guard best != "scalar" else {
            let detail = "no kernels for this processor, so that searches take many times longer: use one with AVX2"
            return DoctorCheck(name, .warning, detail)
        }
        return DoctorCheck(name, .fine, "kernels \(best), \(all)")
    }

    // MARK: Services

    private static func services(_ context: CommandContext) async -> DoctorCheck {
        let name = "services"
        do throws(CommandError) {
            let services = try LiveOutside(context).services
            let left = await services.callsLeft(context.environment)
            return self.services(
                services.entries.map { entry in
                    let service = entry.capability.name
                    return switch entry.setup {
                    case .ready: ServiceState(name: service.rawValue, isReady: true, left: left[service])
                    case .missing, .missingEither: ServiceState(name: service.rawValue)
                    case .unusable(let why): ServiceState(name: service.rawValue, problem: why)
                    }
                }
            )
        } catch {
            return DoctorCheck(name, error)
        }
    }

    /// A service that somebody has set up so that it does not work is a failure, one that nobody has is none; a quota that
    /// is used up costs a day's offers.
    static func services(_ states: [ServiceState]) -> DoctorCheck {
        let name = "services"
        for state in states {
            guard let problem = state.problem else { continue }
            let words = TerminalText.safe(problem, limit: 200)
            return DoctorCheck(name, .failure, "\(state.name): \(words); providers list says what it takes")
        }
        let ready = states.filter(\.isReady).map(\.name)
        if let spent = states.first(where: { $0.left == 0 }) {
            let detail = "\(spent.name) has no calls left today: it is asked again tomorrow, or raise its quota"
            return DoctorCheck(name, .warning, detail)
        }
        guard !ready.isEmpty else {
            return DoctorCheck(name, .fine, "none set up for --live; providers list says what it takes")
        }
        return DoctorCheck(name, .fine, "\(ready.joined(separator: ", ")); providers check tries the keys")
    }

    // MARK: Delivery

    /// The way that the variables say, as `work` would take it.
    static func delivery(_ environment: Environment) -> DoctorCheck {
        let name = "delivery"
        let isSet = DeliveryWays.environment.contains { environment[$0].map { !$0.isEmpty } ?? false }
        guard isSet else { return DoctorCheck(name, .fine, "not set up; work takes --deliver outbox:FOLDER") }
        do throws(DeliverySettingsError) {
            let way = try DeliveryWays.configured { environment[$0] }
            guard let outbox = way as? OutboxDelivery else { return DoctorCheck(name, .fine, way.name) }
            let why: String
            switch FileStatus(path: outbox.folder)?.kind {
            case .folder? where unsafe access(outbox.folder, W_OK | X_OK) == 0:
                return DoctorCheck(name, .fine, "outbox \(outbox.folder)")
            case .folder?: why = "cannot be written to: give this user the right"
            case nil: why = "is not there: make it"
            case .regular?, .other?: why = "is no folder: name one"
            }
            return DoctorCheck(name, .failure, "the outbox \(outbox.folder) \(why)")
        } catch {
            let words = error.problems.map { "\($0.variable) \($0.message)" }.joined(separator: "; ")
            return DoctorCheck(name, .failure, "\(words): set what is missing, or give work --deliver outbox:FOLDER")
        }
    }

    // MARK: Room

    /// The places that are written to, each disk once.
    static func disks(_ environment: Environment) -> [DoctorCheck] {
        let folders = [
            environment["KNOT_OUTBOX"], ModelSetup.cacheFolder(environment), LiveServices.quotaFolder(environment), ".",
        ]
        let disks = folders.compactMap { $0.flatMap(DiskRoom.init(of:)) }
        var seen: Set<UInt> = []
        let each = disks.filter { seen.insert($0.disk).inserted }.map(disk)
        let bad = each.filter { $0.status != .fine }
        if !bad.isEmpty { return bad }
        let least = disks.min { $0.free < $1.free }
        return least.map { [disk($0)] } ?? []
    }

    /// Below a few notices' and a log's worth nothing can be done any more.
    static func disk(_ room: DiskRoom) -> DoctorCheck {
        let name = "disk"
        let found = "\(room.free >> 20) MiB free at \(room.folder)"
        if room.isWithoutFiles {
            return DoctorCheck(name, .failure, "no file can be added at \(room.folder): remove some")
        }
        let status: DoctorCheck.Status = room.free < 64 << 20 ? .failure : room.free < 1 << 30 ? .warning : .fine
        return DoctorCheck(name, status, status == .fine ? found : "\(found): make room")
    }
}

/// A service as `doctor` finds it.
struct ServiceState {
    let name: String
    var isReady = false
    /// Why it does not work although somebody has set it up.
    var problem: String?
    /// How many calls of the day are left, where the service counts them.
    var left: Int?
}

/// What is free for this user on the disk of a folder, or of the nearest one above it that is there.
struct DiskRoom {
    let folder: String
    /// The number by which the system tells disks apart.
    let disk: UInt
    /// In bytes.
    let free: UInt64
    /// Whether the disk has places for files and all are taken.
    let isWithoutFiles: Bool
}

extension DiskRoom {
    init?(of folder: String) {
        var path = folder
        while unsafe access(path, F_OK) != 0 {
            guard let end = path.lastIndex(of: "/") else { return nil }
            path = end == path.startIndex ? "/" : String(path[..<end])
        }
        var facts = statvfs()
        guard unsafe statvfs(path, &facts) == 0 else { return nil }
        self.init(
            folder: path,
            disk: UInt(facts.f_fsid),
            free: UInt64(facts.f_bavail) * UInt64(facts.f_frsize),
            isWithoutFiles: facts.f_files > 0 && facts.f_favail == 0
        )
    }
}
