import Composition
import Foundation
import JSONDocument
import KnotDomain
import Shipped
import StageGraph
import TestSupport
import Testing
import TextReading

@testable import Fixtures
@testable import HintRules
@testable import Recommendation

/// Offers that follow from a note about health are looked for here, and no service is asked for them.
@Suite struct PrivateNotesTests {
    private static let services: [ProviderName] = [.yelp, .amazon, .shopify, .ticketmaster]

    /// The phrases that services and a catalogue in this process are asked for.
    private static func asked(_ scene: Scene) async throws -> (told: Set<String>, here: Set<String>) {
        var ports = scene.ports()
        let outside = QueryCollector(services.map { ProviderCapability.known(as: $0) })
        let here = QueryCollector([ProviderCapability(.firecrawl, isInProcess: true)])
        for name in services { ports.providers[name] = outside }
        ports.providers[.firecrawl] = here
        _ = try await scene.run(ports: ports)
        try #require(Set(outside.queries.map(\.phrases)).count == 1)
        try #require(here.queries.count == 1)
        return (Set(outside.queries.flatMap(\.phrases)), Set(here.queries.flatMap(\.phrases)))
    }

    /// The wishes that the rules read in a note, in the words that a service would be told.
    private static func phrases(_ note: String) -> Set<String> {
        var scene = Scene()
        scene.note(note)
        let reading = RulesReader().read(scene.vault, tier: .minorOccasion, asOf: scene.now)
        return Set(reading.hints.flatMap(\.serves).compactMap { PublicPhrases.phrase($0) })
    }

    @Test(arguments: [
        "Her hearing aids whistle at the cinema and she misses half the film", "He has been sober since March",
        "Varicose veins again, her legs ache by the evening",
        "The arthritis in his hands is worse, he cannot hold the pen", "Six months pregnant and tired of it",
        "His knees are shot, no more kneeling in the beds", "After the hip replacement she cannot sit in the cinema",
        "Macular trouble: she cannot read the small print any more", "Migraines again, any perfume sets them off",
        "No alcohol for him since the new tablets", "Gout, so no red meat and no beer", "The doctor said low salt",
        "Her feet swell and hurt after every dialysis", "He is off caffeine, the heart flutters",
        "Lactose is out for her", "Her back hurts since the surgery", "The eczema flares up with wool",
        "Anxious and overwhelmed, the panic attacks are back", "Not sleeping at all, insomnia since January",
    ])
    func `what follows from a note about health is asked of no service`(note: String) async throws {
        let wanted = Self.phrases(note)
        try #require(!wanted.isEmpty)
        var scene = Scene()
        scene.note("Her garden gloves are worn through", serves: ["garden gloves"])
        scene.note(note)
        let (told, here) = try await Self.asked(scene)
        #expect(told.isDisjoint(with: wanted), "\(told.intersection(wanted))")
        #expect(told.contains("garden gloves") && wanted.isSubset(of: here))
    }

    /// Every condition that the rules know and that is no matter of taste, by every word that it is known by.
    @Test func `no marker of a condition of the body has a service asked for what serves instead`() async throws {
        let conditions = RuleTables.shared.conditions.conditions.filter { condition in
            !condition.serves.isEmpty && !condition.isTaste
                && (StrictLimits.has(condition.limit) || DelicateWords.areIn(condition.limit))
        }
        try #require(conditions.count > 10)
        for condition in conditions {
            var scene = Scene()
            // As any reader might put it, in words of no list.
            scene.note("She told me on the phone", serves: condition.serves, limits: [condition.limit])
            let told = try await Self.asked(scene).told
            let wanted = condition.serves.compactMap { PublicPhrases.phrase($0) }
            #expect(told.isDisjoint(with: wanted), "\(condition.name)")
        }
    }

    @Test func `what is without something is asked of no service, whatever note asks for it`() async throws {
        var scene = Scene()
        scene.note(
            "Loved the spritz at the wedding",
            serves: ["alcohol-free aperitif", "vegan hamper", "spritz glasses", "sugar-free treat"]
        )
        let (told, here) = try await Self.asked(scene)
        #expect(told.contains("spritz glasses") && here.contains("alcohol free aperitif"), "\(here)")
        #expect(!told.contains { $0.contains("free") || $0.contains("vegan") }, "\(told)")
    }

    @Test func `a note of grief asks for the things that it names and for nothing else`() async throws {
        var scene = Scene()
        scene.note(
            "She cried over the recipe cards of her grandmother",
            serves: ["recipe card restoration", "memorial keepsake", "shoulder massage"]
        )
        let (told, here) = try await Self.asked(scene)
        #expect(told.contains("recipe card restoration"), "\(told)")
        #expect(told.isDisjoint(with: ["memorial keepsake", "shoulder massage"]), "\(told)")
        #expect(here.contains("memorial keepsake") && here.contains("shoulder massage"))
    }

    @Test func `a phrase of the vault as a whole follows its notes`() {
        let withheld = ["alcohol-free aperitif collection", "standing-height raised garden bed"].map(PhraseReading.of)
        func isTold(_ phrase: String) -> Bool { NoteDiscretion.allows(.of(phrase), beside: withheld) }
        #expect(!isTold("raised bed for the garden") && !isTold("zero-proof celebration drink"))
        #expect(!isTold("aperitif"))
        #expect(isTold("garden party for two") && isTold("wooden board game") && isTold("dinner for two"))
    }

    @Test func `a recording asks again for what was told, and an older one for all`() async throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        // A judged vault, since only a whole one can be read from a recording; one of its notes is of bad knees.
        let found = try FixtureLoader().load(folder.appending(path: "fixtures/vaults/dev-01.json").path)
        let plan = try Scene.plan(ShippedPipelines.standard)
        func report(_ ports: StagePorts, _ effects: EffectMode) async -> EngineRun {
            await Scene.engine.report(plan, ports: ports, options: RunOptions(seed: 3, effects: effects))
        }
        for isInProcess in [false, true] {
            var ports = StagePorts(
                found,
                asOf: nil,
                zones: ZoneDirectory(),
                clock: FixtureClock(Instant(millisecondsSinceEpoch: 0))
            )
            for name in Self.services {
                ports.providers[name] = QueryCollector([ProviderCapability(name, isInProcess: isInProcess)])
            }
            let recorder = EffectRecorder()
            let run = await report(ports, .recording(recorder))
            let effects = recorder.recorded(inOrderOf: run.plan.nodes.map(\.id))
            let searches = effects.filter { $0.kind == .providerSearch && $0.key["provider"]?.string == "amazon" }
            #expect(searches.map { $0.key["withholds"] != nil } == [!isInProcess])
            ports.providers = .answering([ReplayPorts(providers: RecordedOutside.capabilities(in: effects))])
            let again = await report(ports, .replaying(CassettePlayer(effects)))
            let isReplayed = again.text() == run.text()
            #expect(isReplayed && again.outcome == run.outcome, "\(again.result)")
        }
    }
}
