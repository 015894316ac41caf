import JSONDocument
import KnotDomain
import Recommendation
import StageGraph
import Threads
import VaultStore

/// A batch under way, as a line of stages: vaults are read in groups, chosen for, their sets written down and stored
/// together, each stage while the others are at work.
///
/// What lies between two stages is bounded, so that memory is, however many vaults there are.
struct BatchWork: Sendable {
    private static let page = 500
    private static let mostTogether = 64
    /// Fewer than these wait a moment for others, since a COMMIT costs as much for one as for all.
    private static let enoughTogether = 64
    private static let moment = Duration.milliseconds(50)
    private static let storingLimit = Duration.seconds(30)

    private let vaults: VaultDesk
    /// Several vaults are chosen for at once, each on one thread of a desk, and not one vault on several threads: those
    /// would spend more on handing it to and fro.
    private let desks: [ChoiceDesk]
    private let asked: VaultRequest
    private let shared: SharedOptions
    private let board: BatchBoard
    private let chosenAtOnce: Int
    /// One for each vault that is chosen for at once.
    private let choosers: StageExecutor
    private let read = Handover<BatchVault>(limit: GroupSize.most)
    private let chosen: Handover<ChosenVault>
    private let finished = Handover<FinishedVault>(limit: 2 * mostTogether)

    init(
        _ vaults: VaultDesk,
        _ asked: VaultRequest,
        _ shared: SharedOptions,
        threads: Int,
        chosenAtOnce: Int,
        on board: BatchBoard
    ) {
        self.vaults = vaults
        self.asked = asked
        self.shared = shared
        self.board = board
        self.chosenAtOnce = chosenAtOnce
        let count = min(threads, chosenAtOnce)
        desks = (0..<count).map { ChoiceDesk(threads: threads / count + ($0 < threads % count ? 1 : 0)) }
        choosers = StageExecutor(threads: chosenAtOnce)
        chosen = Handover(limit: 2)
    }

    /// Returns when every vault has come to its end, or when what was begun before a stop has.
    func run() async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                await readAll()
                read.close()
            }
            group.addTask {
                await withTaskGroup(of: Void.self) { choosing in
                    for number in 0..<chosenAtOnce {
                        let desk = desks[number % desks.count]
                        choosing.addTask(executorPreference: choosers) { await chooseAll(at: desk) }
                    }
                }
                chosen.close()
            }
            group.addTask {
                await writeDownAll()
                finished.close()
            }
            group.addTask { await storeAll() }
        }
    }

    // MARK: Stages

    private func readAll() async {
        var pages = VaultPages(desk: vaults, size: Self.page)
        var size = GroupSize()
        while !board.isStopped {
            let start = ContinuousClock.now
            let ids: [VaultID]
            do throws(CommandError) {
                ids = try await pages.next(most: size.count)
            } catch {
                return board.stop(error)
            }
            guard !ids.isEmpty else { return }
            let group = await vaults.prepared(ids, asked)
            size.learn(bytes: group.byteCount, vaults: ids.count)
            let now = ContinuousClock.now
            var jobs: [BatchVault] = []
            var endings: [(vault: VaultID, ending: BatchTally.Ending)] = []
            for (id, member) in group.members {
                switch member {
                case .job(let job):
                    jobs.append(BatchVault(id: id, job: job, reading: (now - start) / ids.count, since: now))
                case .answered(let outcome): endings.append((id, .answered(outcome: outcome)))
                case .failed(let error): endings.append((id, .failed(error)))
                }
            }
            board.count(endings)
            await read.put(jobs)
        }
    }

    /// Runs on a thread of its own, which each run blocks.
    private func chooseAll(at desk: ChoiceDesk) async {
        while let vault = await read.take() {
            // What was only read may be left as it is.
            if board.isStopped { continue }
            let start = ContinuousClock.now
            do throws(CommandError) {
                let run = try desk.run(vault.job, shared)
                let times = BatchTimes(reading: vault.reading, waiting: start - vault.since, choosing: .now - start)
                let item = ChosenVault(vault, run, times)
                // Where one is chosen for after another, the next must not wait until this one is written down.
                if chosenAtOnce == 1 { await chosen.put(item) } else { await writeDown(item) }
            } catch {
                board.count([(vault.id, .failed(error))])
            }
        }
    }

    private func writeDownAll() async {
        while let item = await chosen.take() { await writeDown(item) }
    }

    /// Makes the record of a set; what is not to be stored ends here.
    private func writeDown(_ item: ChosenVault) async {
        let (vault, run) = (item.vault, item.run)
        do throws(CommandError) {
            if let set = try Self.pending(item) {
                let outcome = run.outcome.rawValue
                await finished.put(FinishedVault(id: vault.id, set: set, outcome: outcome, times: item.times))
            } else {
                let ending = try await desks[0].ending(run, of: vault.job)
                board.count([(vault.id, .made(outcome: ending.outcome, isStored: ending.isStored, item.times))])
            }
        } catch {
            board.count([(vault.id, .failed(error))])
        }
    }

    private static func pending(_ item: ChosenVault) throws(CommandError) -> PendingSet? {
        guard case .database(let sink, _) = item.vault.job.keeping else { return nil }
        do throws(ChoiceStoreError) {
            return try sink.pending(item.run)
        } catch {
            throw CommandError(error, input: item.vault.job.input)
        }
    }

    private func storeAll() async {
        let store = ChoiceStore(vaults.pool)
        while true {
            let items = await finished.take(most: Self.mostTogether, enough: Self.enoughTogether, patience: Self.moment)
            guard !items.isEmpty else { return }
            let start = ContinuousClock.now
            let stored = await store.store(
                all: items.map(\.set),
                each: vaults.budget.limit(Self.storingLimit, atLeast: TimeBudget.storing)
            )
            let share = (.now - start) / items.count
            board.count(
                zip(items, stored).map { item, result in (item.id, Self.ending(item, result, storing: share)) }
            )
        }
    }

    private static func ending(
        _ item: FinishedVault,
        _ result: ChoiceStore.Stored,
        storing: Duration
    ) -> BatchTally.Ending {
        var times = item.times
        times.storing = storing
        switch result {
        case .failure(let error): return .failed(CommandError(error, input: "vault \(item.id)"))
        case .success(let set) where set.isNew: return .made(outcome: item.outcome, isStored: true, times)
        case .success(let set):
            // Somebody else was faster: the first set is what counts.
            do throws(CommandError) {
                let (document, _) = try ChoiceDesk.stored(set)
                return .made(outcome: document["outcome"]?.string ?? "", isStored: true, times)
            } catch {
                return .failed(error)
            }
        }
    }
}

/// A vault on its way through a batch; it is handed on, never copied.
final class BatchVault: Sendable {
    let id: VaultID
    let job: ChoiceJob
    let reading: Duration
    /// When it was read.
    let since: ContinuousClock.Instant

    init(id: VaultID, job: ChoiceJob, reading: Duration, since: ContinuousClock.Instant) {
        self.id = id
        self.job = job
        self.reading = reading
        self.since = since
    }
}

/// A vault of a batch whose run has ended, and is yet to be kept.
final class ChosenVault: Sendable {
    let vault: BatchVault
    let run: EngineRun
    /// Up to here.
    let times: BatchTimes

    init(_ vault: BatchVault, _ run: EngineRun, _ times: BatchTimes) {
        self.vault = vault
        self.run = run
        self.times = times
    }
}

/// A vault of a batch whose set is ready to be stored with others.
struct FinishedVault: Sendable {
    let id: VaultID
    let set: PendingSet
    /// How the run ended.
    let outcome: String
    /// Up to here.
    let times: BatchTimes
}
