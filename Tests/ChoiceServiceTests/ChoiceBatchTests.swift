import ChoiceService
import JSONDocument
import KnotDomain
import Recommendation
import StageGraph
import Synchronization
import TestSupport
import Testing

@Suite("A batch of choices") struct ChoiceBatchTests {
    /// Requests `v-0`, `v-1` and so on, counted as they are taken.
    struct Numbered: RequestSource {
        let count: Int
        var name: String?
        let underWay: Counter
        var failure: (at: Int, error: ChoiceError)?
        var isDryRun = false
        private var place = 0

        init(_ count: Int, name: String? = "r", _ underWay: Counter = .init()) {
            self.count = count
            self.name = name
            self.underWay = underWay
        }

        mutating func next(most: Int) async throws(ChoiceError) -> [ChoiceRequest] {
            if let failure, place >= failure.at { throw failure.error }
            let numbers = place..<min(count, place + most)
            place = numbers.upperBound
            underWay.add(numbers.count)
            return numbers.map { number in
                var request = ChoiceRequest(vault: VaultID("v-\(number)"), name: name)
                request.isDryRun = isDryRun
                return request
            }
        }
    }

    /// Counts the ends, and takes its time.
    final class Ends: ChoiceOutput {
        private let all = Mutex<[ChoiceEnding]>([])
        private let kept: Bool
        private let yields: Int
        private let underWay: Counter
        private let number = Counter()
        private let calls = Counter()

        init(_ underWay: Counter = .init(), yields: Int = 0, keeps: Bool = true) {
            self.underWay = underWay
            self.yields = yields
            kept = keeps
        }

        func take(_ endings: [ChoiceEnding]) async {
            calls.add(1)
            for _ in 0..<yields { await Task.yield() }
            if kept { all.withLock { $0 += endings } }
            number.add(endings.count)
            underWay.add(-endings.count)
            calls.add(-1)
        }

        var endings: [ChoiceEnding] { all.withLock { $0 } }
        var count: Int { number.now }
        /// How many calls there were at once.
        var mostCalls: Int { calls.most }
    }

    @Test(arguments: [1, 3]) func `ends each request once, with the set that it has when asked alone`(
        atOnce: Int
    ) async throws {
        let choices = MemoryChoices()
        let service = try ChoiceService.inMemory(choices)
        let alone = try await service.choose(ChoiceRequest(vault: VaultID("v-3"), name: "r"))
        let ends = Ends()
        try await service.choose(all: Numbered(40), atOnce: atOnce, into: ends)
        #expect(Set(ends.endings.map(\.request.vault)).count == 40 && ends.count == 40 && ends.mostCalls == 1)
        #expect(choices.texts.count == 40)
        for ending in ends.endings {
            let made = try ending.result.get()
            #expect(made.isStored && made.isEarlier == (ending.request.vault == VaultID("v-3")))
            let document = try JSONParser.parse(Array(made.text.utf8))
            #expect(
                document["vault_id"]?.string == ending.request.vault.text && document["outcome"]?.string == made.outcome
            )
            if made.isEarlier { #expect(document == alone.document) }
        }
        // All of it again: nothing runs, and nothing is written.
        let (writes, again) = (choices.writes.now, Ends())
        try await service.choose(all: Numbered(40), atOnce: atOnce, into: again)
        #expect(again.count == 40 && choices.writes.now == writes)
    }

    @Test func `goes on past a vault that cannot be loaded, and names it`() async throws {
        let gone = VaultID("v-7")
        let vaults = MemoryVaults(lost: { $0 == gone ? .port(MemoryChoices.Broken()) : nil })
        let ends = Ends()
        try await ChoiceService.inMemory(MemoryChoices(), vaults).choose(all: Numbered(20), atOnce: 2, into: ends)
        let failed = ends.endings.filter { if case .failure = $0.result { true } else { false } }
        #expect(ends.count == 20 && failed.map(\.request.vault) == [gone])
    }

    /// Services that are down.
    private struct Down: CandidateProvider {
        let capabilities: [ProviderCapability]

        init(_ names: [String]) {
            capabilities = ProviderCapability.wellKnown.filter { names.contains($0.name.rawValue) }
        }

        func candidates(for query: ProviderQuery) async throws(StageFailure) -> [Candidate] {
            throw StageFailure(.provider, code: "unavailable", "it replied with status 500")
        }
    }

    @Test func `names the providers that a set is short without, and none where all have answered`() async throws {
        let own = Array(MemoryVaults.scene.ports().providers.values)
        for down in [[], ["amazon"], ["amazon", "firecrawl"]] as [[String]] {
            let vaults = MemoryVaults(providers: own + [Down(down)])
            var requests = Numbered(1, name: nil)
            requests.isDryRun = true
            let ends = Ends()
            try await ChoiceService.inMemory(MemoryChoices(), vaults).choose(all: requests, atOnce: 1, into: ends)
            let made = try #require(ends.endings.first).result.get()
            #expect(!made.isStored && made.lackingSources.sorted() == down, "\(made.text)")
        }
    }

    @Test func `ends with what meets every request, and begins nothing more`() async throws {
        let choices = MemoryChoices([.beforeCommit], brokenForAll: true)
        let ends = Ends()
        await #expect(throws: ChoiceError.self) {
            try await ChoiceService.inMemory(choices).choose(all: Numbered(5_000), atOnce: 2, into: ends)
        }
        #expect(ends.count < 1_000 && choices.texts.count < 1_000, "\(ends.count) ended")
        var source = Numbered(100)
        source.failure = (at: 20, error: .port(MemoryChoices.Broken()))
        let begun = Ends()
        await #expect(throws: ChoiceError.self) {
            try await ChoiceService.inMemory().choose(all: source, atOnce: 2, into: begun)
        }
        #expect(begun.count <= 28)
    }

    @Test func `that is cancelled stores or leaves each set, and ends`() async throws {
        let choices = MemoryChoices()
        let service = try ChoiceService.inMemory(choices)
        let ends = Ends()
        let task = Task { try await service.choose(all: Numbered(1_000_000), atOnce: 2, into: ends) }
        while ends.count == 0 { await Task.yield() }
        task.cancel()
        await #expect { try await task.value } throws: {
            if case .cancelled? = $0 as? ChoiceError { true } else { false }
        }
        let stored = ends.endings.filter { if case .success(let made) = $0.result { made.isStored } else { false } }
        #expect(stored.count == choices.texts.count, "what is stored was said, and nothing else")
    }

    /// What lies between the stages, at most: two groups of requests, the sets on their way, and the ends that wait.
    private static let most = 512

    @Test func `waits for a slow output`() async throws {
        let underWay = Counter()
        let vaults = MemoryVaults()
        let ends = Ends(underWay, yields: 2_000)
        try await ChoiceService.inMemory(MemoryChoices(), vaults)
            .choose(all: Numbered(1_500, underWay), atOnce: 2, into: ends)
        #expect(ends.count == 1_500 && underWay.now == 0 && vaults.held.now == 0)
        #expect(underWay.most <= Self.most, "\(underWay.most) were under way at once")
    }

    @Test(.timeLimit(.minutes(20))) func `of 100,000 requests holds a few hundred at any moment`() async throws {
        let underWay = Counter()
        let vaults = MemoryVaults()
        let choices = MostlyKnown()
        let ends = Ends(underWay, keeps: false)
        try await ChoiceService.inMemory(choices, vaults)
            .choose(all: Numbered(100_000, underWay), atOnce: 2, into: ends)
        #expect(ends.count == 100_000 && choices.stored.now == 100_000 / MostlyKnown.step)
        #expect(underWay.most <= Self.most, "\(underWay.most) requests were under way at once")
        // The last may still be on its way out of the thread that ran it.
        try await LastResort.wait { vaults.held.now == 0 }
        #expect(vaults.held.most <= 128 && vaults.held.now == 0, "\(vaults.held.most) vaults were held at once")
        #expect(choices.records.most <= 256, "\(choices.records.most) sets were held at once")
    }

    /// A store that has an answer to all requests but every so many, and keeps what comes in nowhere.
    private struct MostlyKnown: ChoiceStoring {
        static let step = 250

        let stored = Counter()
        /// Those that are written down and not stored yet.
        let records = Counter()

        func answers(
            to request: String,
            of vaults: [VaultID],
            pipelineHash: String
        ) async throws(ChoiceError) -> [VaultID: EarlierAnswer] {
            var answers: [VaultID: EarlierAnswer] = [:]
            for id in vaults where (Int(id.text.dropFirst(2)) ?? 0) % Self.step != 0 {
                let set = StoredAnswer(run: "run", vault: id, text: "{}", isNew: false)
                answers[id] = EarlierAnswer(set: set, outcome: "complete", occasion: nil)
            }
            return answers
        }

        func answer(to identity: RunIdentity, pipelineHash: String) async throws(ChoiceError) -> StoredAnswer? { nil }

        func record(of run: FinishedRun, as style: JSONWriter.Style) throws(ChoiceError) -> StoredAnswer {
            records.add(1)
            let text = JSONWriter.text(try run.document(), style: style)
            return StoredAnswer(run: "run", vault: run.prepared.loaded.vault.id, text: text, isNew: true)
        }

        func save(_ sets: [StoredAnswer]) async -> [Result<StoredAnswer, ChoiceError>] {
            records.add(-sets.count)
            stored.add(sets.count)
            return sets.map { .success($0) }
        }
    }
}
