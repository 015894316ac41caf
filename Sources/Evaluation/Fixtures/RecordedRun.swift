package import JSONDocument
import KnotDomain
package import Recommendation
package import StageGraph

/// A recording that can be run again: strictly under its own plan, and as the world it saw under any other.
package struct RecordedRun: Sendable {
    package let cassette: Cassette
    package let recorded: RecordedRequest

    /// What a run is given in place of the outside.
    package struct World: Sendable {
        package let ports: StagePorts
        fileprivate let effects: [RecordedEffect]
        fileprivate let missing: CassettePlayer.Missing

        /// Anew for each run, since the player of a recording is used up by one.
        package func options(seed: UInt64, deadline: Duration? = nil) -> RunOptions {
            var options = RunOptions(seed: seed, subject: ports.request.vaultID.text, deadline: deadline)
            options.effects = .replaying(CassettePlayer(effects, missing: missing))
            return options
        }
    }

    /// Nil, with every problem noted, when the recording's request cannot be read.
    package init?(_ cassette: Cassette, reading reader: JSONReader) {
        guard let recorded = RecordedRequest(reading: reader) else { return nil }
        self.cassette = cassette
        self.recorded = recorded
    }

    /// The world for a run with this plan and seed: closed for the recorded ones, open for all others.
    package func world(for plan: Plan, seed: UInt64, _ engine: Engine) async -> World {
        isOf(plan, seed: seed) ? closed : await open(engine)
    }

    /// Whether these are the recorded plan and seed.
    package func isOf(_ plan: Plan, seed: UInt64) -> Bool {
        plan.identity == recordedPlan?.identity && seed == cassette.seed
    }

    /// Every question must be one that was recorded; behind the recording there is nothing.
    package var closed: World {
        let nowhere = UnpluggedWorld(readerName: recorded.reader)
        var ports = ports(recorded.embedder.map { UnpluggedEmbedder(model: $0, profile: recorded.profile) })
        ports.vaults = nowhere
        ports.reader = nowhere
        ports.providers = ports.providers.mapValues { _ in nowhere }
        ports.checker = nowhere
        ports.clock = nowhere
        ports.sink = nowhere
        return World(ports: ports, effects: cassette.effects, missing: .fails)
    }

    /// Other questions are answered from what the recording knows besides, and what it does not know is an outage.
    package func open(_ engine: Engine) async -> World {
        let embedder = recorded.embedder.map {
            RecordedEmbedder(model: $0, profile: recorded.profile, cassette.effects)
        }
        let world = World(ports: ports(embedder), effects: cassette.effects, missing: .asksPort)
        if let embedder, embedder.hasVectors, let plan = recordedPlan {
            // The recorded plan asks for its vectors once more, which says whose they are; its set is of no interest.
            var options = world.options(seed: cassette.seed)
            let effects = cassette.effects.filter { $0.kind != .embedding }
            options.effects = .replaying(CassettePlayer(effects, missing: .asksPort))
            _ = try? await engine.report(plan, ports: world.ports, options: options)
        }
        return world
    }

    /// Nil for a plan of another version that this one cannot run.
    private var recordedPlan: Plan? {
        try? Plan(PipelineDefinition(json: cassette.plan, file: "recording"), catalog: .knot)
    }

    private func ports(_ embedder: (any TextEmbedder)?) -> StagePorts {
        let outside = RecordedOutside(cassette, recorded)
        return StagePorts(
            request: recorded.request,
            vaults: outside,
            reader: outside,
            providers: Dictionary(
                uniqueKeysWithValues: ProviderName.allCases.map { ($0, outside as any CandidateProvider) }
            ),
            checker: outside,
            embedder: embedder,
            zones: ZoneCache(),
            rates: recorded.rates,
            clock: outside,
            sink: outside
        )
    }
}
