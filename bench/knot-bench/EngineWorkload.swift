import Evaluation
import Fixtures
import JSONDocument
import KnotDomain
import Recommendation
import Shipped
import StageGraph

/// One judged vault with twelve hints that is offered many candidates, those of several vaults together.
struct EngineWorkload {
    private let fixtureCase: FixtureCase
    private let plan: Plan
    private let candidates: Int
    /// Whether the texts of the candidates have been read by an earlier run, as in a batch over one catalogue.
    private let isPoolKnown: Bool
    private let engine = Engine(threads: Machine.cores)
    private let zones = ZoneCache()

    init(_ pipeline: String = ShippedPipelines.standard, readsByRules: Bool, candidates: Int, isPoolKnown: Bool) throws
    {
        self.candidates = candidates
        self.isPoolKnown = isPoolKnown
        let loader = FixtureLoader(readings: readsByRules ? .rules : .beside)
        let files = try FixtureLoader.files(in: "fixtures/vaults")
        let cases = try files.map { try loader.load($0) }
        guard let base = cases.first(where: { $0.fixture.vault.hints.count == 12 }) else {
            throw FixtureError(.missing, file: "fixtures/vaults", "no vault has twelve hints")
        }
        let crowd = cases.flatMap { found in found.fixture.candidates.map { $0.renamed("\(found.stem)-\($0.id)") } }
        let facts = Dictionary(
            uniqueKeysWithValues: crowd.prefix(candidates).map {
                ($0.id, AvailabilityFact(check: .available, checkedPriceCents: nil))
            }
        )
        let fixture = Fixture(
            name: "crowd",
            story: nil,
            asOf: base.fixture.asOf,
            request: base.fixture.request,
            vault: base.fixture.vault,
            candidates: CandidateList(Array(crowd.prefix(candidates))),
            facts: facts,
            judgments: nil
        )
        fixtureCase = FixtureCase(
            stem: base.stem,
            fixture: fixture,
            reader: base.reader,
            rates: base.rates,
            digest: base.digest,
            occasion: base.occasion
        )
        plan = try ShippedPipelines.plan(pipeline)
    }

    /// Milliseconds inside the process, from the vault to the finished result.
    func measure(_ name: String, rounds: Int, showsNodes: Bool = false) throws -> Sample {
        let clock = ContinuousClock()
        var times: [Double] = []
        var processor: [Double] = []
        var nodes: [[NodeReport]] = []
        let shelf = OfferCache()
        for round in 0..<rounds + 20 {
            let start = clock.now
            let used = Machine.processorTime
            var ports = StagePorts(
                fixtureCase,
                asOf: nil,
                zones: zones,
                clock: FixtureClock(Instant(millisecondsSinceEpoch: 0))
            )
            ports.offerCache = isPoolKnown ? shelf : OfferCache()
            let options = RunOptions(seed: 0, subject: fixtureCase.fixture.vault.id.text)
            let run = engine.run(plan, ports: ports, options: options)
            guard run.outcome == .complete || run.outcome == .degraded else {
                throw FixtureError(.malformed, file: name, "the run ended \(run.outcome)")
            }
            nodes.append(run.report.nodes)
            // The first rounds warm caches that a long-lived process has warm.
            guard round >= 20 else { continue }
            times.append((clock.now - start) / .milliseconds(1))
            processor.append((Machine.processorTime - used) / .milliseconds(1))
        }
        let hints = fixtureCase.fixture.vault.hints.count
        let size =
            "\(candidates) candidates, \(hints) hints, \(Machine.cores) threads, a \(isPoolKnown ? "known" : "new") pool"
        if showsNodes { NodeTimes.show(nodes) }
        return Sample(name: name, size: size, times: times, processor: processor)
    }
}

extension Candidate {
    /// The same candidate under another id, so that the pools of several vaults can stand together.
    fileprivate func renamed(_ id: String) -> Candidate {
        Candidate(
            id: CandidateID(id),
            provider: provider,
            type: type,
            title: title,
            description: description,
            url: "\(url)#\(id)",
            imageURL: imageURL,
            priceCents: priceCents,
            currency: currency,
            merchant: merchant,
            location: location,
            startsAt: startsAt,
            rating: rating,
            reviewCount: reviewCount,
            shipsInDays: shipsInDays,
            tags: tags
        )
    }
}
