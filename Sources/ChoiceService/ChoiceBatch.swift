import JSONDocument
import KnotDomain
import Recommendation
import StageGraph
import Synchronization
import Threads

extension ChoiceService {
    /// Makes a set for each request, at most so many at once; every request ends once, in the output.
    ///
    /// Throws what keeps all further requests from a set; what was begun before that has ended, too.
    package func choose(
        all requests: some RequestSource,
        atOnce: Int,
        into output: some ChoiceOutput
    ) async throws(ChoiceError) {
        try await choose(all: requests, atOnce: atOnce, into: output, choices)
    }

    private func choose<Store: ChoiceStoring>(
        all requests: some RequestSource,
        atOnce: Int,
        into output: some ChoiceOutput,
        _ store: Store
    ) async throws(ChoiceError) {
        let batch = ChoiceBatch(self, store, atOnce: max(1, atOnce))
        await withTaskCancellationHandler {
            await batch.run(requests, into: output)
        } onCancel: {
            batch.stop(.cancelled)
        }
        if let error = batch.stoppedBy { throw error }
    }
}

/// A batch under way, as a line of stages: requests are read in groups, run, their sets written down and stored
/// together, and their ends handed out, each stage while the others are at work.
///
/// What lies between two stages is bounded, so memory is, however many requests there are; a slow output slows all.
final class ChoiceBatch<Store: ChoiceStoring>: Sendable {
    private let service: ChoiceService
    private let store: Store
    private let atOnce: Int
    /// Several requests run at once, each on one thread of an engine, and not one request on several threads: handing its
    /// stages from thread to thread would cost more than it gains.
    private let engines: [Engine]
    /// One for each request that runs at once.
    private let executor: StageExecutor
    private let loaded = BoundedChannel<LoadedRun>(limit: GroupSize.most)
    private let chosen = BoundedChannel<ChosenRun>(limit: 2)
    private let recorded: BoundedChannel<WrittenRun>
    private let ended = BoundedChannel<ChoiceEnding>(limit: BatchSize.stored)
    private let stopped = Mutex<ChoiceError?>(nil)

    init(_ service: ChoiceService, _ store: Store, atOnce: Int) {
        self.service = service
        self.store = store
        self.atOnce = atOnce
        let threads = service.threads
        let count = min(threads, atOnce)
        engines = (0..<count).map { Engine(threads: threads / count + ($0 < threads % count ? 1 : 0)) }
        executor = StageExecutor(threads: atOnce)
        recorded = BoundedChannel(limit: 2 * BatchSize.stored)
    }

    var stoppedBy: ChoiceError? { stopped.withLock { $0 } }

    /// Begins nothing more; what was begun comes to its end.
    func stop(_ error: ChoiceError) {
        stopped.withLock { $0 = $0 ?? error }
    }

    private var isStopped: Bool { stopped.withLock { $0 != nil } }

    /// Returns when every request has ended, or when what was begun before a stop has.
    func run(_ requests: some RequestSource, into output: some ChoiceOutput) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { [self] in
                await withTaskGroup(of: Void.self) { making in
                    making.addTask { [self] in
                        await load(requests)
                        loaded.finish()
                    }
                    making.addTask { [self] in
                        await withTaskGroup(of: Void.self) { choosing in
                            for number in 0..<atOnce {
                                let engine = engines[number % engines.count]
                                choosing.addTask(executorPreference: executor) { [self] in await choose(on: engine) }
                            }
                        }
                        chosen.finish()
                    }
                    making.addTask { [self] in
                        while let item = await chosen.receive() { await record(item) }
                        recorded.finish()
                    }
                    making.addTask { [self] in await save() }
                }
                ended.finish()
            }
            group.addTask { [self] in
                while true {
                    let endings = await ended.receive(most: BatchSize.stored)
                    if endings.isEmpty { return }
                    await output.take(endings)
                }
            }
        }
    }

    private func end(_ endings: [ChoiceEnding]) async {
        for case .failure(let error) in endings.map(\.result) where error.isOfEveryRequest { stop(error) }
        await ended.send(endings)
    }

    private func end(_ request: ChoiceRequest, _ error: ChoiceError) async {
        await end([ChoiceEnding(request, .failure(error))])
    }

    // MARK: Stages

    private func load(_ source: some RequestSource) async {
        var source = source
        var size = GroupSize()
        while !isStopped {
            let start = ContinuousClock.now
            let requests: [ChoiceRequest]
            do throws(ChoiceError) {
                requests = try await source.next(most: size.count)
            } catch {
                return stop(error)
            }
            guard !requests.isEmpty else { return }
            let group = await service.vaults.load(together: requests.map(\.vault))
            size.learn(bytes: group.byteCount, vaults: requests.count)
            let answers = await answers(to: requests)
            let now = ContinuousClock.now
            let reading = (now - start) / requests.count
            var runs: [LoadedRun] = []
            var endings: [ChoiceEnding] = []
            for (request, vault) in zip(requests, group.vaults) {
                do throws(ChoiceError) {
                    if let answer = try answers[request].map({ (found) throws(ChoiceError) in try found.get() }) {
                        endings.append(ChoiceEnding(request, .success(try Self.made(answer, request))))
                    } else {
                        let prepared = try service.prepared(request, try vault.get())
                        runs.append(LoadedRun(prepared, reading: reading, since: now))
                    }
                } catch {
                    endings.append(ChoiceEnding(request, .failure(error)))
                }
            }
            await end(endings)
            await loaded.send(runs)
        }
    }

    /// What the requests of callers with names of their own were answered with before, or why that is not known.
    private func answers(to requests: [ChoiceRequest]) async -> [ChoiceRequest: Result<EarlierAnswer, ChoiceError>] {
        var found: [ChoiceRequest: Result<EarlierAnswer, ChoiceError>] = [:]
        for (name, requests) in Dictionary(grouping: requests, by: \.name) {
            guard let name else { continue }
            do throws(ChoiceError) {
                let known = try await store.answers(
                    to: name,
                    of: requests.map(\.vault),
                    pipelineHash: service.plan.identity
                )
                for request in requests { found[request] = known[request.vault].map { .success($0) } }
            } catch {
                for request in requests { found[request] = .failure(error) }
            }
        }
        return found
    }

    private static func made(
        _ answer: EarlierAnswer,
        _ request: ChoiceRequest
    ) throws(ChoiceError) -> ChoiceEnding.Made {
        guard answer.isFor(request.occasion) else { throw .requestKnown(place: "vault \(request.vault)") }
        return ChoiceEnding.Made(
            outcome: answer.outcome,
            text: answer.set.text,
            isStored: true,
            isEarlier: true,
            times: BatchTimes()
        )
    }

    /// Runs on a thread of its own, which each run blocks.
    private func choose(on engine: Engine) async {
        while let item = await loaded.receive() {
            // What was only read may be left as it is.
            if isStopped { continue }
            let prepared = item.prepared
            let start = ContinuousClock.now
            var options = service.options(of: prepared)
            let ports = service.followed(prepared, &options)
            let run = engine.run(prepared.plan, ports: ports, options: options)
            var times = BatchTimes()
            times.reading = item.reading
            times.waiting = start - item.since
            times.choosing = .now - start
            let finished = ChosenRun(FinishedRun(prepared, run), times)
            // Where one runs after another, the next must not wait until this one is written down.
            if atOnce == 1 { await chosen.send(finished) } else { await record(finished) }
        }
    }

    /// Makes the record of a set; what is not to be stored ends here.
    private func record(_ item: ChosenRun) async {
        let run = item.run
        let request = run.prepared.request
        do throws(ChoiceError) {
            _ = try run.set()
            if run.isToBeStored {
                // Nothing is printed of it now, and a later reader lays it out anew.
                let record = try store.record(of: run, as: .compact)
                await recorded.send(
                    WrittenRun(
                        request: request,
                        record: record,
                        outcome: run.run.outcome.rawValue,
                        times: item.times,
                        isOverdue: run.prepared.overdue != nil
                    )
                )
            } else {
                var made = ChoiceEnding.Made(
                    outcome: run.run.outcome.rawValue,
                    text: JSONWriter.text(try run.document(), style: .compact),
                    isStored: false,
                    isEarlier: false,
                    times: item.times
                )
                made.isOverdue = run.prepared.overdue != nil
                made.lackingSources = run.run.report.reasons
                    .filter { $0.degrades && ["provider_failed", "provider_partial"].contains($0.code) }
                    .compactMap { $0.node?.text }
                await end([ChoiceEnding(request, .success(made))])
            }
        } catch {
            await end(request, error)
        }
    }

    private func save() async {
        while true {
            let items = await recorded.receive(
                most: BatchSize.stored,
                enough: BatchSize.stored,
                patience: BatchSize.patience
            )
            guard !items.isEmpty else { return }
            let start = ContinuousClock.now
            let stored = await store.save(items.map(\.record))
            let share = (.now - start) / items.count
            var endings: [ChoiceEnding] = []
            var overtaken: [WrittenRun] = []
            for (item, result) in zip(items, stored) {
                if case .failure(let error) = result, error.asksForAnother(item.request) {
                    overtaken.append(item)
                } else {
                    endings.append(Self.ending(item, result, storing: share))
                }
            }
            await end(endings)
            // One after another, so that those of one vault are not faster than each other again.
            for item in overtaken { await end([await chooseAgain(item, storing: share)]) }
        }
    }

    /// The end of a request whose vault has had another set meanwhile.
    private func chooseAgain(_ item: WrittenRun, storing: Duration) async -> ChoiceEnding {
        let start = ContinuousClock.now
        do throws(ChoiceError) {
            let answer = try await service.choose(item.request, as: .compact)
            var times = item.times
            times.choosing += .now - start
            times.storing = storing
            var made = ChoiceEnding.Made(
                outcome: answer.document["outcome"]?.string ?? "",
                text: JSONWriter.text(answer.document, style: .compact),
                isStored: answer.document["stored"]?.bool ?? false,
                isEarlier: false,
                times: times
            )
            made.isOverdue = item.isOverdue
            return ChoiceEnding(item.request, .success(made))
        } catch {
            return ChoiceEnding(item.request, .failure(error))
        }
    }

    private static func ending(
        _ item: WrittenRun,
        _ stored: Result<StoredAnswer, ChoiceError>,
        storing: Duration
    ) -> ChoiceEnding {
        var times = item.times
        times.storing = storing
        do throws(ChoiceError) {
            let set = try stored.get()
            // Where another process was faster, the first set is what counts.
            let outcome =
                set.isNew ? item.outcome : try StoredResult(set.text, run: set.run, vault: set.vault).outcome
            var made = ChoiceEnding.Made(
                outcome: outcome,
                text: set.text,
                isStored: true,
                isEarlier: false,
                times: times
            )
            made.isOverdue = item.isOverdue
            return ChoiceEnding(item.request, .success(made))
        } catch {
            return ChoiceEnding(item.request, .failure(error))
        }
    }

    // MARK: On the way

    /// A request whose vault was read; it is handed on, never copied.
    private final class LoadedRun: Sendable {
        let prepared: PreparedRun
        let reading: Duration
        /// When it was read.
        let since: ContinuousClock.Instant

        init(_ prepared: PreparedRun, reading: Duration, since: ContinuousClock.Instant) {
            self.prepared = prepared
            self.reading = reading
            self.since = since
        }
    }

    /// A run that has ended, and is yet to be written down.
    private final class ChosenRun: Sendable {
        let run: FinishedRun
        /// Up to here.
        let times: BatchTimes

        init(_ run: FinishedRun, _ times: BatchTimes) {
            self.run = run
            self.times = times
        }
    }

    /// A set that is ready to be stored with others.
    private struct WrittenRun: Sendable {
        let request: ChoiceRequest
        let record: Store.Record
        /// How the run ended.
        let outcome: String
        /// Up to here.
        let times: BatchTimes
        let isOverdue: Bool
    }
}

/// How many sets are stored in one transaction.
private enum BatchSize {
    /// A COMMIT costs as much for one as for so many; fewer wait a moment for others.
    static let stored = 64
    static let patience = Duration.milliseconds(50)
}
