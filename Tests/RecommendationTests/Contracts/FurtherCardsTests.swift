import Fixtures
import JSONDocument
import KnotDomain
import Recommendation
import Shipped
import StageGraph
import TestSupport
import Testing

/// More cards than three, on demand: the set is the same, and what is shown besides is the checked reserve.
@Suite struct FurtherCardsTests {
    private static let scene: Scene = {
        let names = [
            "Oak mantel clock", "Lambswool scarf", "Slate serving tray", "Brass desk lamp", "Copper watering can",
            "Ash wood stool", "Linen apron", "Walnut chess board", "Enamel coffee pot", "Tin toy tram",
        ]
        var scene = Scene(
            names.enumerated().map { place, name in
                .invented("c\(place)", name, price: 4_000 + 700 * place, merchant: "Shop \(place)", ships: 1)
            }
        )
        for (place, check) in [(4, AvailabilityFact.Check.soldOut), (7, .gone), (8, .blocked)] {
            scene.facts["c\(place)"] = .init(check: check, checkedPriceCents: nil)
        }
        return scene
    }()

    private static func run(_ cards: Int, _ pipeline: String) async throws -> EngineRun {
        var ports = scene.ports()
        ports.request.cards = cards
        return try await scene.run(pipeline, ports: ports)
    }

    @Test(arguments: ShippedPipelines.names)
    func `the set is the same however many cards are wanted, and the others can be had`(pipeline: String) async throws {
        let three = try await Self.run(3, pipeline)
        guard case .success(let plain) = three.result else { return }
        #expect(plain.further.isEmpty)
        for cards in 4...12 {
            let run = try await Self.run(cards, pipeline)
            guard case .success(let set) = run.result else {
                Issue.record("\(cards): \(run.result)")
                continue
            }
            #expect(run.shown == three.shown, "\(cards)")
            let further = set.further.map(\.offer.candidate.id.text)
            #expect(further.count <= cards - 3 && Set(further).count == further.count)
            #expect(Set(further).isDisjoint(with: run.shown))
            // The original takes a page that answers for one that sells.
            let lost = pipeline == "classic" ? ["c7"] : ["c4", "c7"]
            #expect(Set(further).isDisjoint(with: lost), "what is sold out or gone is not shown")
            let reserve = set.further.map(\.ranked)
            #expect(zip(reserve, reserve.dropFirst()).allSatisfy { $0.score >= $1.score }, "the best first")
            #expect(set.further.map(\.position) == Array(4..<4 + further.count))
            #expect(set.further.allSatisfy { !$0.reason.isEmpty })
            #expect(run.report.ledger.violations.isEmpty)
            // Seven others are there; two are lost, and nobody is made up.
            if pipeline == ShippedPipelines.standard { #expect(further.count == min(cards - 3, 5), "\(cards)") }
            let document = run.document()
            #expect(document?["further"]?.array?.count == further.count && document?["choices"]?.array?.count == 3)
        }
    }
}
