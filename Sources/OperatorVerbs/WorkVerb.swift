import Arguments
import ChoiceService
import Composition
import Console
import Delivery
import Glibc
import JSONDocument
import KnotDomain
import Operations
import PostgresClient
import Recommendation
import ReminderStore
import Synchronization
import Tracing
import VaultStore
import Verbs
import Worker

extension Verb {
    static let work = Verb(
        name: .work,
        summary: "Run a worker that makes and sends due reminders",
        uses: ["[--deliver TARGET] [--listen ADDRESS] [options]", "--drain [--deliver TARGET] [options]"],
        description: """
            You can run any number of workers, on any number of machines. SIGTERM or Ctrl-C lets current work finish \
            for up to 25 seconds; another signal, over a second later, returns it at once. If work went back to the \
            queue, the exit code is that of the signal. The log goes to standard error, as JSON lines unless that is \
            a terminal. Under systemd, the worker also reports readiness and feeds the watchdog.
            """,
        examples: [
            "knot-recommend work --deliver outbox:/spool --listen 9464",
            "knot-recommend work --drain --deliver outbox:/spool # for a timer",
        ],
        flags: [.drain, .deliver, .listen, .spans, .catalogue, .readings, .rates, .concurrency, .live, .allowWeakTLS],
        texts: [
            .concurrency: "Number of reminders to process at once",
            .deadline: "Time limit for each set, such as `500ms` or `2s`",
        ],
        exitCodes: reaching + [.badInput, .notPermitted],
        perform: WorkVerb.perform
    )

    static let runDue = Verb(
        name: .runDue,
        summary: "Make and send the reminder of one notification now",
        uses: ["--notification ID [--deliver TARGET] [options]"],
        description: """
            Doesn't wait until the reminder is due, but respects the user's send window and quiet hours. Other due \
            reminders of the vault go out in the same message. Exits with 75 if the job must wait, another worker \
            holds it or it will be retried. Exits with 66 if no job is waiting. SIGTERM or Ctrl-C returns the job to \
            the queue at once.
            """,
        examples: ["knot-recommend run-due --notification $NOTIFICATION"],
        flags: [.notification, .deliver, .spans, .catalogue, .readings, .rates, .live, .allowWeakTLS],
        texts: [.deadline: "Time limit for each set, such as `500ms` or `2s`"],
        exitCodes: reaching + [.badInput, .notFound, .notPermitted],
        perform: RunDueVerb.perform
    )
}

/// What `work` and `run-due` were asked, and the worker that does it.
struct WorkerSetup {
    let worker: ReminderWorker
    let ledger: JobLedger
    /// The connections of its queue.
    let pool: ConnectionPool

    init(
        _ arguments: TypedArguments,
        _ context: CommandContext,
        _ spans: SpanExport?,
        _ observers: [any WorkerObserver] = []
    ) async throws(CommandError) {
        // What is wrong with the way out is said before anything is opened.
        let delivery = try Self.delivery(arguments, context)
        _ = try Surroundings.zones(context.environment)
        let shared = SharedOptions(arguments, context.settings)
        let options = VaultOptions(arguments, context.settings)
        let threads = shared.threads ?? MachineCores.count
        let atOnce = options.concurrency ?? min(2 * threads, 8)
        let name = WorkerID(PostgresUUID.random().description)
        let log = WorkerLog(
            name,
            context.diagnostics,
            isJSON: isatty(2) != 1,
            isQuiet: context.isQuiet && !context.isJSON
        )
        let (service, _) = try await ChoiceService.ofDatabase(
            options,
            shared,
            context,
            .ofWorker(limit: 2),
            isForMany: true,
            through: try LiveVaults.laying(arguments.has(.live) ? try LiveOutside(context, .asked) : nil)
        )
        // Connections of its own: a renewal must not wait behind vaults that are read.
        let queue = try await CommandDatabase(context).open(.ofWorker(limit: 2))
        var settings = WorkerSettings()
        settings.choosesAtOnce = atOnce
        ledger = JobLedger(queue)
        pool = queue
        var watching: [any WorkerObserver] = [log] + observers
        if let spans { watching.append(JobSpans(of: name, to: spans.exporter)) }
        // A run is followed where somebody wants spans, or where calls outside are to be told in the log.
        let sinks: [any SpanSink] = [log] + [spans?.exporter].compactMap(\.self)
        let isFollowed = spans != nil || arguments.has(.live)
        worker = ReminderWorker(
            name,
            queue: PostgresJobQueue(queue),
            maker: TrioMaker(service.following(isFollowed ? SpanSinks(sinks) : nil), atOnce: atOnce) {
                ReminderVerdict.of($0)
            },
            delivery: delivery,
            observer: WorkerObservers(watching),
            settings: settings
        )
    }

    func standing(of notification: PostgresUUID) async throws(CommandError) -> JobStanding? {
        do throws(VaultStoreError) {
            return try await ledger.standing(of: notification, until: .now + .seconds(15))
        } catch {
            throw CommandError(error)
        }
    }

    /// Has the worker look as soon as somebody says that something is due, for as long as the task is not cancelled; one that
    /// ends when nothing is due waits for nothing.
    func listening(_ isDraining: Bool) -> Task<Void, Never> {
        let (worker, target) = (worker, pool.target)
        return Task {
            if !isDraining { await QueueListener(target).listen { worker.lookNow() } }
        }
    }

    /// Where notices go, by the flag or else by the variables.
    private static func delivery(
        _ arguments: TypedArguments,
        _ context: CommandContext
    ) throws(CommandError) -> any NoticeDelivery {
        var typed: [String: String] = [:]
        if let words = arguments.text(.deliver) {
            let parts = words.split(separator: ":", maxSplits: 1).map(String.init)
            typed["KNOT_DELIVERY"] = parts.first ?? ""
            if parts.count == 2 {
                guard parts[0] == "outbox" else {
                    throw .usage(arguments.verb, "only outbox has a folder", todo: "set the variables of \(parts[0])")
                }
                typed["KNOT_OUTBOX"] = parts[1]
            }
        }
        let said = typed
        do throws(DeliverySettingsError) {
            return try DeliveryWays.configured { said[$0] ?? context.environment[$0] }
        } catch {
            throw CommandError(
                .configuration,
                "notices cannot be delivered",
                at: error.problems.first?.variable ?? "KNOT_DELIVERY",
                todo: "set it, or give --deliver outbox:FOLDER",
                problems: error.problems.map { CommandProblem(path: $0.variable, $0.message) }
            )
        }
    }
}

/// `work`: the queue's worker.
enum WorkVerb {
    static func perform(
        _ arguments: TypedArguments,
        _ context: CommandContext
    ) async throws(CommandError) -> ExitCode {
        Engine.prepareLexicon()
        let watching = try WorkerWatching(arguments, context)
        return try await SpanExport.following(to: arguments.text(.spans), context) { spans async throws(CommandError) in
            watching.follow(spans)
            let setup = try await WorkerSetup(arguments, context, spans, watching.observers)
            let worker = setup.worker
            let stop = PoliteStop(worker)
            SignalWatch.handOver { stop.take($0) }
            defer { SignalWatch.handOver(to: nil) }
            let summary: WorkerSummary
            do throws(WorkerStop) {
                let counting = watching.counting(setup.ledger)
                let looking = watching.looking(at: setup.pool, context)
                let listening = setup.listening(arguments.has(.drain))
                defer {
                    counting.cancel()
                    looking.cancel()
                    listening.cancel()
                }
                summary = try await worker.run(arguments.has(.drain) ? .whileDue : .endless)
            } catch {
                throw CommandError(error)
            }
            return try TextReport(json: summary.json, lines: [summary.line], exitCode: stop.exitCode).finish(context)
        }
    }
}

/// What signals do to a worker: the first lets it come to its end, where there is time for that; a later one gives all back.
private final class PoliteStop: Sendable {
    private struct State {
        var first: ContinuousClock.Instant?
        var isAbandoned = false
        var number: Int32 = 0
    }

    private let worker: ReminderWorker
    /// Whether a first signal lets it come to its end.
    private let hasGrace: Bool
    private let state = Mutex(State())

    init(_ worker: ReminderWorker, hasGrace: Bool = true) {
        self.worker = worker
        self.hasGrace = hasGrace
    }

    /// That of a stop which left work behind; a worker that came to its end is done.
    var exitCode: ExitCode {
        state.withLock { state in
            guard state.isAbandoned || state.first != nil && worker.isCutShort else { return .done }
            return state.number == SIGINT ? .interrupted : .terminated
        }
    }

    func take(_ number: Int32) -> Bool {
        guard [SIGTERM, SIGINT, SIGHUP].contains(number) else { return false }
        let isLast = state.withLock { state in
            state.number = number
            guard let first = state.first else {
                state.first = .now
                state.isAbandoned = !hasGrace
                return !hasGrace
            }
            // Whoever signals a whole group signals twice.
            guard !state.isAbandoned, first.duration(to: .now) > .seconds(1) else { return false }
            state.isAbandoned = true
            return true
        }
        worker.drain()
        if isLast {
            let worker = worker
            Task {
                await worker.abandon()
                // What does not end by itself now is left behind.
                do { try await ContinuousClock().sleep(for: .seconds(1)) } catch {}
                SignalWatch.end(by: number)
            }
        }
        return true
    }
}

/// `run-due`: one reminder, as an outside scheduler wants it.
enum RunDueVerb {
    static func perform(
        _ arguments: TypedArguments,
        _ context: CommandContext
    ) async throws(CommandError) -> ExitCode {
        guard let text = arguments.text(.notification) else { throw .missing(.notification, .runDue) }
        let nothing = CommandError(
            .notFound,
            "notification \(text) has no job that waits",
            at: FlagName.notification.typed,
            todo: "knot-recommend jobs list shows what there is; plan makes jobs"
        )
        guard let notification = PostgresUUID(text) else { throw nothing }
        Engine.prepareLexicon()
        return try await SpanExport.following(to: arguments.text(.spans), context) { spans async throws(CommandError) in
            let setup = try await WorkerSetup(arguments, context, spans)
            let worker = setup.worker
            // Whoever waits for one reminder asks again; without this its lease would run out as that of a crash.
            let stop = PoliteStop(worker, hasGrace: false)
            SignalWatch.handOver { stop.take($0) }
            defer { SignalWatch.handOver(to: nil) }
            let ending: JobEnding?
            do throws(JobQueueError) {
                ending = try await worker.run(only: NotificationID(text))
            } catch {
                throw CommandError(error)
            }
            if let reason = worker.stopReason { throw CommandError(reason) }
            if stop.exitCode != .done, ending?.isOver != true { return stop.exitCode }
            guard let ending else {
                switch try await setup.standing(of: notification) {
                case .held?:
                    throw CommandError(
                        .tryAgain,
                        "the job of notification \(text) is in another worker's hands",
                        at: FlagName.notification.typed,
                        todo: "ask again later: it is done there, or given back"
                    )
                case .toldTogether(let job, let attempt)?:
                    return try report(job, .completed, "told_together", attempt, nil).finish(context)
                case .ended?, nil: throw nothing
                }
            }
            return try report(ending.job, ending.outcome, ending.code, ending.attempt, ending.trace).finish(context)
        }
    }

    private static func report(
        _ job: JobID,
        _ outcome: JobEnding.Outcome,
        _ code: String?,
        _ attempt: Int,
        _ trace: String?
    ) -> TextReport {
        let exitCode: ExitCode =
            switch outcome {
            case .completed, .cancelled: .done
            case .snoozed, .retried, .lost, .released: .tryAgain
            case .dead: .unavailable
            }
        return TextReport(
            json: [
                "schema": "knot.run-due/1", "job_id": .string(job.description), "outcome": .string(outcome.rawValue),
                "code": JSONValue(code), "attempt": .integer(attempt), "trace_id": JSONValue(trace),
            ],
            lines: ["job \(job) \(outcome.rawValue)" + (code.map { ": \($0)" } ?? "")],
            exitCode: exitCode
        )
    }
}

extension CommandError {
    fileprivate init(_ stop: WorkerStop) {
        let code: ExitCode =
            switch stop.kind {
            case .configuration: .configuration
            case .notPermitted: .notPermitted
            case .unavailable: .unavailable
            }
        self.init(code, stop.detail, at: stop.code, todo: "mend it and start again; what was claimed is given back")
    }

    fileprivate init(_ error: JobQueueError) {
        let code: ExitCode =
            switch error.kind {
            case .transient: .unavailable
            case .permanent: .notPermitted
            case .unknown: .tryAgain
            }
        self.init(code, "the queue cannot be asked: \(error)", at: "the database", todo: "try again")
    }
}
