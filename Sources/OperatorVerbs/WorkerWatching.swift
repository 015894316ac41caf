import Arguments
import Composition
import Console
import KnotDomain
import Operations
import PostgresClient
import ReminderStore
import Tracing
import VaultStore
import Verbs
import Worker

/// Who watches a worker besides its log: whoever asks at an address, and the service manager that waits for word.
struct WorkerWatching {
    /// Told of everything that the worker does.
    let observers: [any WorkerObserver]
    private let monitor: WorkerMonitor
    /// Nil where nobody is to ask.
    private let server: OperationsServer?

    /// Listens where `--listen` says, before the worker is made: whoever looks early is told that it is not ready.
    init(_ arguments: TypedArguments, _ context: CommandContext) throws(CommandError) {
        var versions = ["knot_build_info": ProgramVersion.number]
        versions["knot_tzdata_info"] = ZoneDirectory(path: Surroundings.zoneFolder(context.environment)).version
        let monitor = WorkerMonitor(versions: versions)
        self.monitor = monitor
        server = try ListenAddress.asked(arguments).map { address throws(CommandError) in
            try OperationsServer.listening(at: address) { monitor.answer($0) ?? .notFound }
        }
        let notifier = ServiceNotifier(context.environment.all, isAlive: { monitor.isAlive })
        observers = [monitor] + [notifier].compactMap(\.self)
    }

    /// Tells whoever asks what became of the spans, where some are drawn.
    func follow(_ spans: SpanExport?) {
        guard let exporter = spans?.exporter else { return }
        monitor.ask {
            let counts = exporter.counts
            return .init(exported: counts.exported, lost: counts.lost)
        }
    }

    /// Looks every few seconds whether schema, rights and zones are as the worker needs them, for as long as the task is not
    /// cancelled, where anybody can ask.
    func looking(at pool: ConnectionPool, _ context: CommandContext) -> Task<Void, Never> {
        let (monitor, isAsked) = (monitor, server != nil)
        let folder = Surroundings.zoneFolder(context.environment)
        return Task {
            while isAsked, !Task.isCancelled {
                monitor.saw(obstacle: ZoneDirectory(path: folder).obstacle, of: "zones")
                let needs = await WorkerNeeds.look(at: pool, until: .now + .seconds(10))
                // Where the database does not answer, the worker's own claims tell of it.
                if let needs {
                    monitor.saw(obstacle: needs.schema, of: "schema")
                    monitor.saw(obstacle: needs.rights, of: "rights")
                }
                do { try await ContinuousClock().sleep(for: .seconds(5)) } catch { return }
            }
        }
    }

    /// Counts the queue twice a minute for as long as the task is not cancelled, where anybody can ask.
    func counting(_ ledger: JobLedger) -> Task<Void, Never> {
        let (monitor, isAsked) = (monitor, server != nil)
        return Task {
            while isAsked, !Task.isCancelled {
                do {
                    let counts = try await ledger.counts(until: .now + .seconds(15))
                    monitor.saw(
                        .init(jobs: counts.byState, due: counts.due, oldestDue: counts.oldestDue ?? .zero)
                    )
                } catch {
                    // The worker's own claims tell whether the queue answers; old figures are better than none.
                }
                do { try await ContinuousClock().sleep(for: .seconds(30)) } catch { return }
            }
        }
    }
}

extension ListenAddress {
    /// Where `--listen` says; nil where it is not given.
    static func asked(_ arguments: TypedArguments) throws(CommandError) -> ListenAddress? {
        guard let text = arguments.text(.listen) else { return nil }
        if let address = ListenAddress(text) { return address }
        throw .usage(
            arguments.verb,
            "\(FlagName.listen.typed) is no address with a port",
            todo: "write it as 9464, 127.0.0.1:9464 or [::1]:9464"
        )
    }
}

extension OperationsServer {
    /// A server there, or why there is none.
    static func listening(
        at address: ListenAddress,
        _ answer: @escaping Answering
    ) throws(CommandError) -> OperationsServer {
        do throws(OperationsServerError) {
            return try OperationsServer(at: address, answer)
        } catch {
            throw CommandError(
                .unavailable,
                "nobody can be answered: \(error.address) \(error.words)",
                at: FlagName.listen.typed,
                todo: "give another address"
            )
        }
    }
}
