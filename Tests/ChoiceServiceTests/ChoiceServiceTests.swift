import ChoiceService
import JSONDocument
import KnotDomain
import Recommendation
import StageGraph
import TestSupport
import Testing

@Suite("A choice that is asked for") struct ChoiceServiceTests {
    private static let vault = VaultID("v-1")

    private static func request(_ name: String? = "r") -> ChoiceRequest {
        ChoiceRequest(vault: vault, name: name)
    }

    @Test func `is stored once: the same request has the first set, and says so`() async throws {
        let choices = MemoryChoices()
        let service = try ChoiceService.inMemory(choices)
        let first = try await service.choose(Self.request())
        let second = try await service.choose(Self.request())
        #expect(first.document == second.document && choices.texts.count == 1)
        #expect(first.run != nil && first.notes.isEmpty && first.document["stored"] == true)
        #expect(second.run == nil && second.notes.first?.contains("answered before") == true)
        _ = try await service.choose(Self.request("other"))
        _ = try await service.choose(Self.request(nil))
        _ = try await service.choose(Self.request(nil))
        #expect(choices.texts.count == 4, "a request without a name is a fresh one each time")
    }

    /// The rates of a file may be old; today's prices are not converted by them unsaid.
    @Test func `is live where services answer, also for the vault of a file, of which nothing is stored`() async throws
    {
        let service = try ChoiceService.inMemory()
        var loaded = try await MemoryVaults().load(Self.vault)
        #expect(try service.prepared(Self.request(), loaded).ports.request.isLive)
        loaded.inputs = .files("0")
        #expect(try !service.prepared(Self.request(), loaded).ports.request.isLive)
        loaded.asksServices = true
        let prepared = try service.prepared(Self.request(), loaded)
        #expect(prepared.ports.request.isLive && !prepared.isKept)
    }

    @Test func `stands for the occasion that it was for; leaving that open means the same`() async throws {
        let service = try ChoiceService.inMemory()
        let first = try await service.choose(Self.request())
        var same = Self.request()
        same.occasion = .tier(.minorOccasion)
        #expect(try await service.choose(same).document == first.document)
        for occasion in [OccasionChoice.tier(.majorMilestone), .milestone(MilestoneID("milestone-1"))] {
            var other = Self.request()
            other.occasion = occasion
            await #expect { try await service.choose(other) } throws: {
                if case .requestKnown? = $0 as? ChoiceError { true } else { false }
            }
        }
    }

    @Test(arguments: [2, 8]) func `is stored once however many ask at the same time`(callers: Int) async throws {
        let barrier = Barrier(callers)
        // All of them have looked for an answer before any of them stores one.
        let choices = MemoryChoices { await barrier.arrive() }
        let service = try ChoiceService.inMemory(choices)
        let answers = try await withThrowingTaskGroup(of: ChoiceAnswer.self) { group in
            for _ in 0..<callers { group.addTask { try await service.choose(Self.request()) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(choices.texts.count == 1 && choices.writes.now == callers)
        #expect(answers.allSatisfy { $0.document == answers[0].document && $0.run != nil })
        #expect(answers.count { $0.notes.isEmpty } == 1, "one of them made the set, the others found it")
    }

    @Test(arguments: MemoryChoices.Fault.allCases)
    func `is never called stored when storing fails, and asking again ends in one set`(
        fault: MemoryChoices.Fault
    ) async throws {
        let choices = MemoryChoices([fault])
        let service = try ChoiceService.inMemory(choices)
        await #expect { try await service.choose(Self.request()) } throws: {
            if case .port(let error)? = $0 as? ChoiceError { error is MemoryChoices.Broken } else { false }
        }
        #expect(choices.texts.count == (fault.leavesSet ? 1 : 0))
        let again = try await service.choose(Self.request())
        #expect((again.run == nil) == fault.leavesSet && again.document["stored"] == true)
        #expect(choices.texts.count == 1)
    }

    @Test func `is chosen again while other sets of the vault are faster, as long as its deadline allows`() async throws
    {
        let choices = MemoryChoices(rivals: 15)
        let answer = try await ChoiceService.inMemory(choices).choose(Self.request())
        #expect(answer.document["stored"] == true && answer.notes.isEmpty)
        #expect(choices.writes.now == 16 && choices.texts.count == 1)
        let contended = MemoryChoices(rivals: .max)
        let service = try ChoiceService.inMemory(contended, budget: TimeBudget(.seconds(2)))
        let start = ContinuousClock.now
        await #expect { _ = try await service.choose(Self.request()) } throws: {
            if case .overtaken(.byAnotherSet, _)? = $0 as? ChoiceError { true } else { false }
        }
        #expect(contended.writes.now > 1 && contended.texts.isEmpty && .now - start < .seconds(2))
    }

    @Test func `of a reminder is not chosen again here: whoever holds its job looks first`() async throws {
        let choices = MemoryChoices(rivals: 1)
        var request = Self.request(nil)
        request.reminder = ChoiceRequest.Reminder(request: "m:a:2026-05-16:7", job: "j", token: "t", history: "h")
        await #expect { _ = try await ChoiceService.inMemory(choices).choose(request) } throws: {
            if case .overtaken(.byAnotherSet, _)? = $0 as? ChoiceError { true } else { false }
        }
        #expect(choices.writes.now == 1)
    }

    @Test func `is not stored when it is cancelled before its run has ended`() async throws {
        let barrier = Barrier(2)
        let choices = MemoryChoices()
        let service = try ChoiceService.inMemory(choices, MemoryVaults { await barrier.arrive() })
        let task = Task { try await service.choose(Self.request()) }
        while await barrier.arrived == 0 { await Task.yield() }
        task.cancel()
        await barrier.open()
        await #expect { try await task.value } throws: {
            if case .failed(let failure, _, _)? = $0 as? ChoiceError {
                failure.failureClass == .cancelled
            } else {
                false
            }
        }
        #expect(choices.texts.isEmpty && choices.writes.now == 0)
    }

    @Test func `is stored nowhere in a dry run, under the identity that it would have`() async throws {
        let choices = MemoryChoices()
        let service = try ChoiceService.inMemory(choices)
        var dry = Self.request()
        dry.isDryRun = true
        let answer = try await service.choose(dry)
        #expect(choices.texts.isEmpty && choices.writes.now == 0 && answer.document["stored"] == false)
        let kept = try await service.choose(Self.request())
        #expect(kept.document["run_id"] == answer.document["run_id"])
    }

    @Test func `for a milestone that the vault has not fails before anything runs`() async throws {
        let service = try ChoiceService.inMemory()
        var request = Self.request()
        request.occasion = .milestone(MilestoneID("Milestone-1"))
        #expect(
            try await service.choose(request).document["milestone_id"] == "milestone-1",
            "ids are written in either case"
        )
        var missing = Self.request("other")
        missing.occasion = .milestone(MilestoneID("milestone-2"))
        await #expect { try await service.choose(missing) } throws: {
            if case .noMilestone(MilestoneID("milestone-2"), isKept: true)? = $0 as? ChoiceError { true } else { false }
        }
    }

    // MARK: Re-rolls

    private static func reroll(_ document: JSONValue, _ reason: RefreshReason) throws -> ChoiceRequest {
        var request = ChoiceRequest(vault: vault)
        let refresh = RefreshDocument.next(after: JSONReader(document), reason: reason, rejected: [1])
        request.reroll = .init(run: try #require(document["run_id"]?.string), refresh: try #require(refresh))
        return request
    }

    @Test func `again has one set for the same reasons, and is refused for others`() async throws {
        let choices = MemoryChoices()
        let service = try ChoiceService.inMemory(choices)
        let first = try await service.choose(Self.request()).document
        let second = try await service.choose(try Self.reroll(first, .showDifferent))
        let again = try await service.choose(try Self.reroll(first, .showDifferent))
        #expect(again.document == second.document && again.run == nil && choices.texts.count == 2)
        await #expect { try await service.choose(try Self.reroll(first, .tooCheap)) } throws: {
            if case .refreshKnown? = $0 as? ChoiceError { true } else { false }
        }
    }
}
