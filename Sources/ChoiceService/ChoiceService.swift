import FoundationEssentials
package import JSONDocument
package import KnotDomain
package import Recommendation
package import StageGraph

/// Makes a set for a request, or finds the one that the request has already: load, run, save.
///
/// Vaults come through one port and sets go through another, so that a command, a worker, a stream of lines and a web page
/// are callers of the same service.
package struct ChoiceService: Sendable {
    /// What is to be done for a request.
    package enum Preparation: Sendable {
        case run(PreparedRun)
        /// The request was answered before, and this is the answer.
        case answered(ChoiceAnswer)
    }

    package let plan: Plan
    package let vaults: any VaultLoading
    package let choices: any ChoiceStoring
    package let seed: UInt64
    /// The threads of all stages together.
    let threads: Int
    let budget: TimeBudget
    let clock: any WallClock
    private let zones: any ZoneSource
    private let engine: Engine
    /// Nil where nobody follows what runs ask outside.
    package var follower: (any RunFollowing)?

    package init(
        _ plan: Plan,
        vaults: any VaultLoading,
        choices: any ChoiceStoring = NoChoices(),
        seed: UInt64 = 0,
        threads: Int,
        budget: TimeBudget = .unlimited,
        clock: any WallClock = MachineClock(),
        zones: any ZoneSource = ZoneCache()
    ) {
        self.plan = plan
        self.vaults = vaults
        self.choices = choices
        self.seed = seed
        self.threads = threads
        self.budget = budget
        self.clock = clock
        self.zones = zones
        engine = Engine(threads: threads)
    }

    /// For how long a set is chosen again while other sets of its vault are faster, where the deadline allows it.
    private static let patience = Duration.seconds(300)

    /// The set of a request: made and stored, or the one that it has already.
    ///
    /// Where the vault has another set meanwhile, which may hold the same items, it is read and chosen for again.
    package func choose(
        _ request: ChoiceRequest,
        _ watch: RunWatch = RunWatch(),
        as style: JSONWriter.Style = .pretty
    ) async throws(ChoiceError) -> ChoiceAnswer {
        let end = budget.until(Self.patience)
        var rounds = 0
        while true {
            let start = ContinuousClock.now
            switch try await prepare(request) {
            case .answered(let answer): return answer
            case .run(let prepared):
                do throws(ChoiceError) {
                    let finished = await run(prepared, watch)
                    try watch.check?()
                    return try await Self.save(finished, as: style, in: choices)
                } catch {
                    rounds += 1
                    guard error.asksForAnother(request), await Self.pause(after: .now - start, rounds, until: end)
                    else { throw error }
                }
            }
        }
    }

    /// Waits by chance, longer each time, so that many runs of one vault come one after the other; false where there is no
    /// time for another that takes as long.
    private static func pause(
        after took: Duration,
        _ rounds: Int,
        until end: ContinuousClock.Instant
    ) async -> Bool {
        let pause = took * Double.random(in: 0...Double(1 << min(rounds, 6)))
        guard .now + pause + took < end else { return false }
        // A cancelled sleep ends in the next run, which refuses to begin.
        do { try await ContinuousClock().sleep(for: pause) } catch {}
        return true
    }

    // MARK: Load

    package func prepare(_ request: ChoiceRequest) async throws(ChoiceError) -> Preparation {
        // First of all: the answer holds whatever has become of the vault since.
        if let name = request.name {
            let known = try await choices.answers(to: name, of: [request.vault], pipelineHash: plan.identity)
            if let answer = known.values.first { return .answered(try Self.answer(answer, to: request)) }
        }
        let prepared = try prepared(request, try await vaults.load(request.vault))
        guard let reroll = request.reroll, let identity = identity(of: prepared),
            let set = try await choices.answer(to: identity, pipelineHash: plan.identity)
        else { return .run(prepared) }
        return .answered(try ChoiceAnswer(set, for: reroll.refresh))
    }

    /// An earlier answer where the request means the same as then.
    static func answer(_ answer: EarlierAnswer, to request: ChoiceRequest) throws(ChoiceError) -> ChoiceAnswer {
        guard answer.isFor(request.occasion) else { throw .requestKnown(place: "vault \(request.vault)") }
        return try ChoiceAnswer(answer.set)
    }

    /// The identity that a run will have; nil where only the run can say why there is none.
    private func identity(of prepared: PreparedRun) -> RunIdentity? {
        let request = prepared.ports.request
        guard let asOf = request.asOf else { return nil }
        return prepared.name.identity(of: prepared.loaded.vault, request.occasion, asOf: asOf, zones: zones)
    }

    /// The run of a request on a vault that was read for it.
    package func prepared(_ request: ChoiceRequest, _ loaded: LoadedVault) throws(ChoiceError) -> PreparedRun {
        var occasion = try Self.occasion(of: request, in: loaded)
        var overdue: MilestoneID?
        var asOf = request.asOf ?? loaded.asOf
        let digest: String
        let isLive: Bool
        switch loaded.inputs {
        case .files(let known):
            digest = known
            isLive = false
        case .parts(let parts):
            let moment = asOf ?? clock.now()
            asOf = moment
            overdue = request.occasion == nil ? self.overdue(occasion, of: loaded.vault, at: moment) : nil
            if overdue != nil { occasion = .tier(.justBecause) }
            let model = loaded.embedder.map { JSONValue.string($0.model) } ?? .null
            digest = InputDigest.of([loaded.vault.json] + parts + [.string(moment.iso8601), model])
            isLive = true
        }
        var run = RunRequest(
            vaultID: loaded.vault.id,
            occasion: occasion,
            asOf: asOf,
            refresh: request.reroll?.refresh,
            isLive: isLive || loaded.asksServices
        )
        run.cards = request.cards
        return PreparedRun(
            plan: plan,
            ports: StagePorts(
                request: run,
                vaults: OneVault(vault: loaded.vault),
                reader: loaded.reader,
                fallback: loaded.fallback,
                providers: loaded.providers,
                checker: loaded.checker,
                embedder: loaded.embedder,
                zones: zones,
                rates: loaded.rates,
                clock: clock,
                sink: SetIntake(isOpen: isLive && !request.isDryRun)
            ),
            request: request,
            loaded: loaded,
            name: name(of: request, digest: digest, isLive: isLive),
            inputDigest: digest,
            seed: seed,
            overdue: overdue
        )
    }

    /// Returns the occasion's milestone if its last day is over.
    private func overdue(_ occasion: OccasionChoice, of vault: Vault, at moment: Instant) -> MilestoneID? {
        guard case .milestone(let id) = occasion, let milestone = vault.milestones.first(where: { $0.id == id }) else {
            return nil
        }
        let today = (zones.rules(named: vault.timeZone) ?? .utc).localDate(at: moment)
        let next = MilestoneCalendar.occurrence(of: milestone, onOrAfter: today, country: vault.location?.country)
        guard case .past = next else { return nil }
        return id
    }

    private func name(of request: ChoiceRequest, digest: String, isLive: Bool) -> RunIdentity.Name {
        if let reroll = request.reroll, let run = reroll.run {
            return RunIdentity.Name(kind: .refresh, request: "r:\(run):\(reroll.refresh.round)")
        }
        if let reminder = request.reminder { return RunIdentity.Name(kind: .scheduled, request: reminder.request) }
        guard isLive else {
            return .ofInputs(digest, plan: plan.identity, seed: seed, isRefresh: request.reroll != nil)
        }
        return RunIdentity.Name(kind: .onDemand, request: request.name ?? UUID().uuidString.lowercased())
    }

    /// The occasion asked for, else the one that came with the vault, else none in particular.
    static func occasion(of request: ChoiceRequest, in loaded: LoadedVault) throws(ChoiceError) -> OccasionChoice {
        guard case .milestone(let id)? = request.occasion else {
            return request.occasion ?? loaded.occasion ?? .tier(.justBecause)
        }
        let milestones = loaded.vault.milestones
        // Ids are written in either case.
        let known =
            milestones.first { $0.id == id } ?? milestones.first { $0.id.text.lowercased() == id.text.lowercased() }
        guard let known else {
            // Nobody named the milestone of a set that is chosen again but the set itself.
            if let run = request.reroll?.run { throw .milestoneGone(run: run, vault: request.vault) }
            throw .noMilestone(id, isKept: loaded.isKept)
        }
        return .milestone(known.id)
    }

    // MARK: Run

    /// Runs what was prepared; the stages have threads of their own, so waiting here keeps no other task from its thread.
    package func run(_ prepared: PreparedRun, _ watch: RunWatch = RunWatch()) async -> FinishedRun {
        let recorder = watch.records ? EffectRecorder() : nil
        var options = options(of: prepared)
        if let recorder { options.effects = .recording(recorder) }
        let ports = followed(prepared, &options)
        options.observers += watch.observers
        let run = await engine.report(prepared.plan, ports: ports, options: options)
        return FinishedRun(prepared, run, recorder?.recorded(inOrderOf: prepared.plan.nodes.map(\.id)) ?? [])
    }

    /// The ports of a run, which whoever follows it may have changed.
    func followed(_ prepared: PreparedRun, _ options: inout RunOptions) -> StagePorts {
        var ports = prepared.ports
        if let follower { options.observers += follower.follow(prepared.request, prepared.plan, &ports) }
        return ports
    }

    /// What a run is given besides its plan; anew for each, since a deadline begins with it.
    package func options(of prepared: PreparedRun) -> RunOptions {
        RunOptions(seed: prepared.seed, subject: prepared.ports.request.vaultID.text, deadline: budget.forRun)
    }

    // MARK: Save

    package static let overdueNote = "the day that its stored request is for is over, so the set is for no day"

    /// Stores a run's set where it is to be kept; the answer is what is stored now.
    private static func save(
        _ finished: FinishedRun,
        as style: JSONWriter.Style,
        in choices: some ChoiceStoring
    ) async throws(ChoiceError) -> ChoiceAnswer {
        _ = try finished.set()
        guard finished.isToBeStored else {
            var answer = ChoiceAnswer(document: try finished.document(), run: finished)
            if finished.prepared.overdue != nil { answer.notes.append(Self.overdueNote) }
            return answer
        }
        let endings = await choices.save([try choices.record(of: finished, as: style)])
        guard let ending = endings.first else { throw .noResult(finished.prepared.place) }
        let stored = try ending.get()
        var answer = try ChoiceAnswer(stored, for: finished.prepared.request.reroll?.refresh)
        answer.run = finished
        if finished.prepared.overdue != nil { answer.notes.append(Self.overdueNote) }
        guard finished.prepared.request.cards > RunRequest.ofOneSet else { return answer }
        if stored.isNew, var object = answer.document.object {
            object["further"] = try finished.document()["further"]
            answer.document = .object(object)
        } else {
            answer.notes.append("further cards are not stored; ask without --request to see some")
        }
        return answer
    }
}

/// Whether a run is recorded, who sees its steps, and who has a say before it is stored.
package struct RunWatch: Sendable {
    package var records = false
    package var observers: [any RunObserver]
    /// Asked when the run has ended: what it throws the request ends with, and nothing is stored.
    package var check: (@Sendable () throws(ChoiceError) -> Void)?

    package init(records: Bool = false, observers: [any RunObserver] = []) {
        self.records = records
        self.observers = observers
    }
}

/// Who follows runs from their request to each call that they make outside.
package protocol RunFollowing: Sendable {
    /// Called before a run: it may lay itself around ports, and hears of the run's steps.
    func follow(_ request: ChoiceRequest, _ plan: Plan, _ ports: inout StagePorts) -> [any RunObserver]
}
