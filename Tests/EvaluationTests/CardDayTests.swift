import Fixtures
import JSONDocument
import KnotDomain
import Recommendation
import Shipped
import StageGraph
import TestSupport
import Testing

/// For every judged vault the day on a card is the day its reason names.
@Suite("A card and its reason", .onOwnThreads) struct CardDayTests {
    private static let engine = Engine(threads: 2)

    @Test(arguments: ReplayLawTests.files) func `name one day`(file: String) async throws {
        for pipeline in ShippedPipelines.names {
            let fixtureCase = try FixtureLoader().load(file)
            let run = await Self.engine.report(
                try ShippedPipelines.plan(pipeline),
                ports: JudgedVaults.ports(fixtureCase),
                options: RunOptions(subject: "test", deadline: .seconds(600))
            )
            for choice in try #require(run.document())["choices"]?.array ?? [] {
                guard choice["starts_at"]?.string != nil else {
                    #expect(choice["starts_at_local"]?.isNull == true)
                    continue
                }
                let local = try #require(choice["starts_at_local"]?.string)
                let day = try #require(CivilDate(iso8601: String(local.prefix(10))))
                let reason = choice["reason"]?.string ?? ""
                #expect(reason.contains("It is on \(day.dayAndMonth)"), "\(pipeline): \(local), \(reason)")
                // The original shows what is far away; ours keeps to the couple's clocks.
                let isHome = choice["starts_at_zone"]?.isNull == true
                #expect(isHome || pipeline == "classic", "\(file): a place near home keeps its time")
            }
        }
    }
}
