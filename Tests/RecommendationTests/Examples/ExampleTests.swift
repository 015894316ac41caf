import JSONDocument
import KnotDomain
import Recommendation
import Shipped
import StageGraph
import Testing

@Suite("The README's examples")
struct ExampleTests {
    @Test func `a stage of one's own joins the catalogue and is checked like any other`() throws {
        var catalog = StageCatalog<StagePorts>.knot
        catalog.add(FilterLoud.self) { values, _ in FilterLoud(limit: values[FilterLoud.limit]) }
        let patch: JSONValue = [
            "nodes": ["avoids": ["inputs": ["pool": "loud"]]],
            "add": [
                [
                    "id": "loud", "kind": "filter.loud", "after": "dislikes", "inputs": ["pool": "dislikes"],
                    "parameters": ["limit": 1],
                ]
            ],
        ]
        let layers = [ExperimentLayer(file: "quiet.json", patch: patch)]
        let definition = try PipelineLoader(source: ShippedPipelines()).load("choice-of-three", experiments: layers)
        let plan = try Plan(definition, catalog: catalog)
        #expect(plan["loud"]?.stage.kind == "filter.loud")
        #expect(plan.identity != (try ShippedPipelines.plan("choice-of-three")).identity)
    }

    @Test func `a provider of one's own answers or says that it cannot`() async throws {
        let query = ProviderQuery(
            provider: .catalogue,
            phrases: ["a kite"],
            types: [.gift],
            budget: Budget(minimum: 0, maximum: 10_000, currency: .usd),
            place: nil,
            until: nil,
            limit: 10
        )
        #expect(try await ShelfProvider(shelf: [], isOpen: true).candidates(for: query).isEmpty)
        let failure = await #expect(throws: StageFailure.self) {
            try await ShelfProvider(shelf: [], isOpen: false).candidates(for: query)
        }
        #expect(failure?.failureClass == .provider)
    }
}
