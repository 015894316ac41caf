import JSONDocument
import KnotDomain
import Recommendation
import StageGraph
import TestSupport
import Testing

/// What the result says of prices: as listed, for two, and in the budget's currency.
@Suite struct MoneyInResultTests {
    private struct Row: Equatable {
        let price: Int?
        let currency: String?
        let party: Int?
        let total: Int?
        let budget: Int?
    }

    private static func row(of candidate: Candidate, budget: Budget? = nil) async throws -> Row {
        var scene = Scene([candidate, .invented("clock", "Oak mantel clock", price: nil)])
        if let budget { scene.budget = budget }
        let document = try #require(try await scene.run().document())
        let choice = try #require(
            document["choices"]?.array?.first { $0["candidate_id"]?.string == candidate.id.text },
            "candidate \(candidate.id) is not shown"
        )
        return Row(
            price: choice["price_cents"]?.int,
            currency: choice["currency"]?.string,
            party: choice["party"]?.int,
            total: choice["total_cents"]?.int,
            budget: choice["budget_cents"]?.int
        )
    }

    @Test func `a listed price is the total`() async throws {
        let row = try await Self.row(of: .invented("a", "Supper for two", type: .date, price: 9_000))
        #expect(row == Row(price: 9_000, currency: "USD", party: 1, total: 9_000, budget: 9_000))
    }

    @Test(arguments: ["$45 per person", "USD 45 a head", "$45.00 pp, wine included", "Menu: $45 each"])
    func `a price that a text gives per head counts twice`(text: String) async throws {
        let row = try await Self.row(of: .invented("a", "Supper", type: .date, description: text, price: 4_500))
        #expect(row == Row(price: 4_500, currency: "USD", party: 2, total: 9_000, budget: 9_000))
    }

    @Test(arguments: [
        ("45 per person", 2, 9_000), ("Flat shipping of $8.95", 1, 5_395), ("Price is per person", 2, 9_000),
    ])
    func `a price per head without a currency counts twice, and a fee in the text counts`(
        text: String,
        party: Int,
        total: Int
    ) async throws {
        let row = try await Self.row(of: .invented("a", "Supper", type: .date, description: text, price: 4_500))
        #expect(row == Row(price: 4_500, currency: "USD", party: party, total: total, budget: total))
    }

    @Test func `twice the amount per head is the total already`() async throws {
        let row = try await Self.row(
            of: .invented("a", "Supper", type: .date, description: "$45 per person", price: 9_000)
        )
        #expect(row == Row(price: 9_000, currency: "USD", party: 1, total: 9_000, budget: 9_000))
    }

    @Test func `yen have no cents and dinars have a thousand`() async throws {
        let yen = try await Self.row(of: .invented("a", "Fan", price: 3_000, currency: "JPY"))
        #expect(yen == Row(price: 3_000, currency: "JPY", party: 1, total: 3_000, budget: 2_000))
        let inYen = try await Self.row(
            of: .invented("a", "Fan", price: 3_000, currency: "USD"),
            budget: Budget(minimum: 4_500, maximum: 4_500, currency: Currency("JPY") ?? .usd)
        )
        #expect(inYen == Row(price: 3_000, currency: "USD", party: 1, total: 3_000, budget: 4_500))
    }

    @Test func `conversion rounds halves to even`() async throws {
        // 75 pence at 0.75 for a dollar would be whole; at 0.752 the quotient is rounded to the nearest cent.
        let row = try await Self.row(of: .invented("a", "Fan", price: 7_500, currency: "GBP"))
        #expect(row.budget == 9_973)
    }

    @Test(arguments: [(2_000, true), (20_000, true), (1_999, false), (20_001, false)])
    func `both bounds belong to the budget`(price: Int, isInside: Bool) async throws {
        let run = try await Scene([.invented("a", "Fan", price: price)]).run()
        #expect(run.shown == (isInside ? ["a"] : []))
    }

    @Test func `an unknown price is null, not zero`() async throws {
        let row = try await Self.row(of: .invented("a", "Fan", price: nil))
        #expect(row == Row(price: nil, currency: "USD", party: 1, total: nil, budget: nil))
    }

    private static func saysOldRates(asOf: String, currency: String, isLive: Bool) async throws -> Bool {
        var scene = Scene([.invented("a", "Fan", price: 7_500, currency: currency)])
        scene.asOf = asOf
        var ports = scene.ports()
        ports.request = RunRequest(
            vaultID: ports.request.vaultID,
            occasion: ports.request.occasion,
            asOf: ports.request.asOf,
            isLive: isLive
        )
        let reasons = try await scene.run(ports: ports).report.reasons.filter { $0.code == "rates_stale" }
        #expect(reasons.allSatisfy { !$0.degrades && $0.detail.contains("2026-01-01") }, "\(reasons)")
        return !reasons.isEmpty
    }

    @Test func `rates older than thirty days are said of a live run whose prices they convert`() async throws {
        #expect(try await Self.saysOldRates(asOf: "2026-02-01T12:00:00Z", currency: "GBP", isLive: true))
        #expect(try await !Self.saysOldRates(asOf: "2026-01-31T12:00:00Z", currency: "GBP", isLive: true))
        #expect(try await !Self.saysOldRates(asOf: "2026-02-01T12:00:00Z", currency: "USD", isLive: true))
        // One without a rate is another reason.
        #expect(try await !Self.saysOldRates(asOf: "2026-02-01T12:00:00Z", currency: "NOK", isLive: true))
        #expect(try await !Self.saysOldRates(asOf: "2026-02-01T12:00:00Z", currency: "GBP", isLive: false))
    }
}
