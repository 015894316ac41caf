import JSONDocument
import KnotDomain
import Testing

@Suite struct RatesTests {
    private func currency(_ code: String) throws -> Currency { try #require(Currency(code)) }

    private func read(_ text: String) throws -> (rates: Rates?, paths: [String]) {
        let reader = JSONReader(try JSONParser.parse(text))
        let rates = Rates(reading: reader, source: "test")
        return (rates, reader.problems.list.map(\.path))
    }

    @Test func `notes every problem at its path`() throws {
        let (rates, paths) = try read(
            #"{"schema":"x","as_of":"2026-02-30","base":"US","per_base":{"EUR":0,"GBP":-1,"JPY":"x","euro":1}}"#
        )
        #expect(rates == nil)
        #expect(
            paths == [
                "$.schema", "$.as_of", "$.base", "$.per_base.EUR", "$.per_base.GBP", "$.per_base.JPY",
                "$.per_base.euro",
            ]
        )
        #expect(try read("[]").rates == nil)
        #expect(
            try read(#"{"schema":"knot.rates/1","as_of":"2026-01-01","base":"USD","per_base":{"USD":2}}"#).rates == nil
        )
        #expect(
            try read(#"{"schema":"knot.rates/1","as_of":"2026-01-01","base":"USD","per_base":[]}"#).paths == [
                "$.per_base"
            ]
        )
    }

    @Test func `does not convert a currency that is not listed, nor an amount that does not fit`() throws {
        #expect(Rates.embedded.convert(100, from: try currency("XTS"), to: .usd) == nil)
        #expect(Rates.embedded.convert(100, from: .usd, to: try currency("SEK")) == nil)
        #expect(Rates.embedded.convert(.max, from: .usd, to: try currency("MXN")) == nil)
        #expect(Rates.embedded.convert(.max, from: .usd, to: .usd) == .max)
    }

    @Test(arguments: [
        (4_200, "USD", "EUR", 3_620), (3_000, "JPY", "USD", 2_000), (2_000, "USD", "JPY", 3_000),
        (1, "USD", "JPY", 2), (3, "USD", "JPY", 4), (-3, "USD", "JPY", -4), (5, "USD", "JPY", 8),
        (10_000, "GBP", "USD", 13_298), (10_000, "EUR", "GBP", 8_724), (0, "USD", "EUR", 0),
    ])
    func `converts by the contract's formula, halves to even`(
        amount: Int,
        from: String,
        to: String,
        expected: Int
    ) throws {
        #expect(Rates.embedded.convert(amount, from: try currency(from), to: try currency(to)) == expected)
    }

    @Test func `respects three digits behind the point`() throws {
        let rates = try #require(
            Rates(asOf: CivilDate(daysSinceEpoch: 0), base: .usd, perBase: [try currency("KWD"): 0.31], source: "test")
        )
        #expect(rates.convert(10_000, from: .usd, to: try currency("KWD")) == 31_000)
        #expect(rates.convert(31_000, from: try currency("KWD"), to: .usd) == 10_000)
    }

    @Test func `stays within one unit of the same sum in floating point`() throws {
        let seed: UInt64 = 21
        var generator = SeededGenerator(seed: seed)
        let rates = Rates.embedded
        for _ in 0..<5_000 {
            let from = try #require(rates.currencies.randomElement(using: &generator))
            let to = try #require(rates.currencies.randomElement(using: &generator))
            let amount = Int.random(in: 0...10_000_000, using: &generator)
            let scale = [0: 1.0, 2: 100.0]
            let rateFrom = try #require(rates.perBase(from))
            let rateTo = try #require(rates.perBase(to))
            let sum = Double(amount) / (scale[from.exponent] ?? 0) / rateFrom * rateTo * (scale[to.exponent] ?? 0)
            let found = try #require(rates.convert(amount, from: from, to: to))
            #expect(abs(Double(found) - sum) <= 0.5 + 1e-6, "seed \(seed): \(amount) \(from) to \(to)")
        }
    }

    @Test func `refuses rates that are no rates`() {
        for rate in [0, -1, Double.nan, .infinity] {
            #expect(Rates(asOf: CivilDate(daysSinceEpoch: 0), base: .usd, perBase: [.usd: rate], source: "") == nil)
        }
    }

    @Test func `reads back what it writes`() throws {
        let text = JSONWriter.text(Rates.embedded.json)
        let again = try #require(Rates(reading: JSONReader(try JSONParser.parse(text)), source: "embedded"))
        #expect(again == Rates.embedded)
        #expect(again.asOf.description == "2026-01-01")
    }
}
