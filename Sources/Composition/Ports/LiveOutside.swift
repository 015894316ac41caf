import ChoiceService
package import Console
import HTTPClient
import JSONDocument
package import KnotDomain
package import LiveProviders
import Recommendation
import StageGraph
import Threads
import Tracing

/// Where a live run's answers come from, and whether they are written down.
package enum LiveTraffic: Sendable, Equatable {
    /// From services and pages.
    case asked
    /// From services and pages, and the file of that path keeps them.
    case recorded(String)
    /// From the file of that path; nothing is sent.
    case played(String)
}

/// What a call does with replies that are kept for the time when a service does not answer.
package enum ReplyUse: Sendable {
    /// They stand in, and new ones are kept.
    case kept
    /// They stand in, and nothing is written.
    case read
    /// Nothing that a service answered before stands in for what it answers now.
    case unused
}

/// What a call may reach outside: services, and the pages of what they have, over one client; or a tape of both.
package struct LiveOutside: Sendable {
    package let services: LiveServices
    /// Nil where nobody is to look: what is shown is of unknown availability then.
    let pages: (any AvailabilityChecker)?
    /// The origins of this machine that offers may lead to.
    private let trusted: Set<String>
    private let tape: Tape

    /// What becomes of the traffic.
    private enum Tape: Sendable {
        case none
        case recording(TrafficRecorder, path: String, settings: [ProviderName: [String: String]], pages: [String]?)
        case playing(TrafficPlayer, path: String)
    }

    package init(
        _ context: CommandContext,
        _ traffic: LiveTraffic = .asked,
        replies: ReplyUse = .kept
    ) throws(CommandError) {
        switch traffic {
        case .asked: try self.init(context, recordingTo: nil, replies)
        case .recorded(let path): try self.init(context, recordingTo: path, replies)
        case .played(let path): try self.init(playing: path)
        }
    }

    private init(_ context: CommandContext, recordingTo path: String?, _ replies: ReplyUse) throws(CommandError) {
        let client: any HTTPSender
        do throws(HTTPFailure) {
            client = CallSpans(over: try HTTPClient())
        } catch {
            throw .noHTTP(error)
        }
        let timers = DeadlineTimers()
        let environment = context.environment
        let looks = try PageLooks(environment)
        trusted = looks?.trusted ?? []
        var recorder: TrafficRecorder?
        if path != nil { recorder = TrafficRecorder(try Self.scrubber(environment)) }
        let sparesThisMachine = try Self.sparesThisMachine(environment)
        let place = try ReplyPlace(environment)
        services = LiveServices(
            context,
            in: replies == .unused ? nil : place,
            isReadOnly: replies == .read,
            over: client,
            timers,
            recorder,
            sparesThisMachine
        )
        pages = looks.map { looks in
            var sender = client
            var resolver: any NameResolver = SystemResolver(timers: timers)
            if let recorder {
                sender = recorder.sender(PageLooks.service, over: sender, hidesQuery: false)
                resolver = recorder.resolver(over: resolver)
            }
            let probe = looks.probe(over: sender, resolver: resolver, timers)
            return recorder?.checker(over: probe) ?? probe
        }
        if let recorder, let path {
            let settings = services.settings { environment[$0] }
            tape = .recording(recorder, path: path, settings: settings, pages: looks?.trusted.sorted())
        } else {
            tape = .none
        }
    }

    /// `KNOT_LIVE_LIMITS=none` spares simulators on this machine the rates and quotas of the services that they stand for.
    private static func sparesThisMachine(_ environment: Environment) throws(CommandError) -> Bool {
        switch environment["KNOT_LIVE_LIMITS"] ?? "" {
        case "", "services": return false
        case "none": return true
        default:
            throw CommandError(
                .configuration,
                "it is neither services nor none",
                at: "KNOT_LIVE_LIMITS",
                todo: "set it to none for simulators on this machine, or leave it out"
            )
        }
    }

    private init(playing path: String) throws(CommandError) {
        let bytes = try InputFile.read(path)
        let tape: TrafficTape
        do throws(SealedLinesError) {
            tape = try TrafficTape(ndjson: bytes)
        } catch {
            throw CommandError(
                .badInput,
                "\(error.message) (line \(error.line))",
                at: path,
                todo: "record the traffic again"
            )
        }
        let player = TrafficPlayer(tape, tape.scrubber)
        let clock = MachineClock()
        services = LiveServices(
            environment: { tape.variable($0) },
            zones: ZoneCache(),
            now: { clock.now() },
            sending: { player.sender($0.capability.name.rawValue) }
        )
        pages = tape.pages.map { trusted in
            // Which look a host turned away is on the tape: what it asked for then delays and refuses none now.
            let looks = PageLooks(trusted: Set(trusted), sparesHosts: false)
            let probe = looks.probe(over: player.sender(PageLooks.service), resolver: player.resolver, DeadlineTimers())
            return player.checker(over: probe)
        }
        trusted = Set(tape.pages ?? [])
        self.tape = .playing(player, path: path)
    }

    /// What answers a run in the place of fixtures and catalogues; refused where nothing is set up.
    func providers() throws(CommandError) -> [any CandidateProvider] {
        let ready = try services.required().map { OpenOffers($0, trusted: trusted) }
        guard case .playing(let player, _) = tape else { return ready }
        return ready.map { player.provider(over: $0) }
    }

    /// Who has to hear of a run, so that what is recorded of it also says whom it did not wait for.
    var observers: [any RunObserver] {
        guard case .recording(let recorder, _, _, _) = tape else { return [] }
        return [LateServices(recorder: recorder)]
    }

    /// Keeps what was recorded, also of a run that failed, or says why it could not be kept.
    package func keepTraffic(of vault: String?, _ context: CommandContext) -> CommandError? {
        do throws(CommandError) {
            try writeTraffic(of: vault, context)
            return nil
        } catch {
            return error
        }
    }

    /// Whoever forgets the vault finds the file again.
    private func writeTraffic(of vault: String?, _ context: CommandContext) throws(CommandError) {
        guard case .recording(let recorder, let path, let settings, let pages) = tape else { return }
        guard let tape = recorder.tape(of: settings, pages: pages, about: vault) else {
            throw CommandError(
                .unavailable,
                "the traffic is more than \(TrafficRecorder.mostBytes >> 20) MiB",
                at: path,
                todo: "record a run that asks for less"
            )
        }
        if let vault { try WrittenFiles(context.environment).note(path, vault: vault) }
        try AtomicFile.write(tape.ndjson(), to: path)
    }

    /// Refuses a run that was played and asked something that the tape has no answer to.
    func checkPlayed() throws(CommandError) {
        guard case .playing(let player, let path) = tape, !player.missed.isEmpty else { return }
        let missed = player.missed.sorted { $0.key < $1.key }.map { "\($0.value) of \($0.key)" }
        throw CommandError(
            .badInput,
            "the traffic has no answer to calls that this run makes: \(missed.joined(separator: ", "))",
            at: path,
            todo: "play it with the vault, the pipeline and the --as-of that it was recorded with"
        )
    }

    private static func scrubber(_ environment: Environment) throws(CommandError) -> Scrubber {
        do throws(LiveServices.ShortSecret) {
            return try LiveServices.scrubber { environment[$0] }
        } catch {
            throw CommandError(
                .configuration,
                "\(error.variable) is too short to be kept out of a recording",
                at: "--record-traffic",
                todo: "set the whole key; one has at least \(Scrubber.leastLength) characters"
            )
        }
    }
}

/// Tells a recorder of services that a run went on without.
private struct LateServices: RunObserver {
    let recorder: TrafficRecorder

    func observe(_ event: RunObservation) {
        guard case .finished(let report) = event else { return }
        let late = Set(report.nodes.filter { $0.failure?.code == StageFailure.deadline }.map(\.node))
        for node in report.plan.nodes where late.contains(node.id) && node.stage.kind == SourceProvider.kind {
            if let name = node.parameters.settings["provider"]?.value.string { recorder.wentOn(without: name) }
        }
    }
}

/// Whether pages are looked at, and which of this machine need no vetting.
private struct PageLooks {
    /// What calls to pages are recorded under.
    static let service = "pages"

    let trusted: Set<String>
    let sparesHosts: Bool

    init(trusted: Set<String>, sparesHosts: Bool) {
        self.trusted = trusted
        self.sparesHosts = sparesHosts
    }

    /// `KNOT_PAGES` is `none`, or names origins of this machine that may be looked at; nil where nobody looks.
    init?(_ environment: Environment) throws(CommandError) {
        let written = environment["KNOT_PAGES"] ?? ""
        guard written != "none" else { return nil }
        let origins = written.split(separator: ",").map { $0.filter { !$0.isWhitespace } }
        var trusted: Set<String> = []
        for origin in origins {
            // Whatever else is reached goes through the vetting of addresses, whoever names it.
            guard let url = try? HTTPURL(origin), url.isLoopback, url.target == "/", !origin.hasSuffix("/") else {
                throw CommandError(
                    .configuration,
                    "it is neither none nor a list of origins of this machine",
                    at: "KNOT_PAGES",
                    todo: "set it as in KNOT_PAGES=http://127.0.0.1:8080, or leave it out"
                )
            }
            // As it is compared: with the port that a short one means, and an address in its one form.
            trusted.insert(url.origin)
        }
        self.init(trusted: trusted, sparesHosts: true)
    }

    func probe(
        over sender: any HTTPSender,
        resolver: any NameResolver,
        _ timers: DeadlineTimers
    ) -> any AvailabilityChecker {
        let vetting = AddressVetting(resolver: resolver, trusted: trusted)
        var limits = PageProbe.Limits()
        limits.sparesHosts = sparesHosts
        return PageProbe(PageFetcher(sender, vetting: vetting), limits: limits, timers: timers)
    }
}

extension CommandError {
    /// What a call is refused with that would ask services where none is set up.
    package static func noService(at place: String) -> CommandError {
        CommandError(
            .configuration,
            "no service is set up, so that nobody can be asked",
            at: place,
            todo: "knot-recommend providers list says which variables set one up"
        )
    }
}

extension LiveServices {
    /// The services of an environment over one client; without a place for replies none is kept.
    fileprivate init(
        _ context: CommandContext,
        in place: ReplyPlace?,
        isReadOnly: Bool,
        over client: any HTTPSender,
        _ timers: DeadlineTimers,
        _ recorder: TrafficRecorder?,
        _ sparesThisMachine: Bool
    ) {
        let environment = context.environment
        // Where no folder can be kept, calls are paced and not counted.
        let folder = Self.quotaFolder(environment)
        let clock = MachineClock()
        // With a key that nobody could keep out of a file, nothing is kept.
        let scrubber = try? Self.scrubber { environment[$0] }
        let keeper = place == nil ? nil : scrubber
        let folderOfReplies = place == .folder ? Self.replyFolder(environment) : nil
        let door = place == .database ? ReplyDoor(context) : nil
        self.init(
            environment: { environment[$0] },
            zones: ZoneCache(),
            now: { clock.now() },
            sending: { conduct in
                let quota = folder.flatMap { conduct.ledger(in: $0) }
                let kept = keeper.map { scrubber in
                    let shared =
                        folderOfReplies.map { conduct.replies(in: $0) }
                        ?? door.map { conduct.replies(in: StoredReplies($0, of: conduct)) }
                    let keeping = shared ?? ReplyMemory()
                    return (isReadOnly ? ReadReplies(of: keeping) : keeping, scrubber)
                }
                let channel = conduct.sender(
                    over: client,
                    quota: quota,
                    pacedIn: folder,
                    timers: timers,
                    kept: kept,
                    sparesThisMachine: sparesThisMachine
                )
                let sender = scrubber.map { ScrubbedReplies(channel, $0) as any HTTPSender } ?? channel
                return recorder?.sender(conduct.capability.name.rawValue, over: sender) ?? sender
            }
        )
    }

    /// Where replies are kept for the time when a service does not answer; nil where no folder can be kept.
    private static func replyFolder(_ environment: Environment) -> String? {
        guard let folder = quotaFolder(environment) else { return nil }
        do throws(CommandError) {
            try PrivateFolder.make(for: folder + "/replies/reply", of: "replies")
            return folder + "/replies"
        } catch {
            return nil
        }
    }

    /// Returns the rest of each quota that outlives a process, as all processes of this machine have counted.
    package func callsLeft(_ environment: Environment) async -> [ProviderName: Int] {
        guard let folder = Self.quotaFolder(environment) else { return [:] }
        let now = MachineClock().now().secondsSinceEpoch
        var left: [ProviderName: Int] = [:]
        for entry in entries {
            guard let ledger = entry.conduct?.ledger(in: folder) else { continue }
            // A ledger that cannot be read says nothing here; the call that needs it says why.
            left[entry.capability.name] = try? await ledger.left(at: now, by: .now.advanced(by: .seconds(2)))
        }
        return left
    }

    /// Where the calls of all processes are counted; nil where no folder can be kept.
    package static func quotaFolder(_ environment: Environment) -> String? {
        guard let folder = WrittenFiles(environment).folder else { return nil }
        do throws(CommandError) {
            try PrivateFolder.make(for: folder + "/quota", of: "knot-recommend")
            return folder
        } catch {
            return nil
        }
    }

    /// Those that can be asked; refused where there is none, and where one was set up so that it does not work: what a
    /// fixture holds under its name would stand in for it, and look like what it has.
    package func required(at place: String = "--live") throws(CommandError) -> [any LiveService] {
        let broken = entries.compactMap { entry in entry.problem.map { "\(entry.capability.name.rawValue): \($0)" } }
        if !broken.isEmpty {
            throw CommandError(
                .configuration,
                "not every service that is set up can be asked: \(broken.joined(separator: "; "))",
                at: place,
                todo: "mend these variables or leave them out; knot-recommend providers list says what each takes"
            )
        }
        guard all.isEmpty else { return all }
        throw .noService(at: place)
    }
}
