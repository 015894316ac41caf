import KnotDomain
import Testing

@Suite struct MoneyTests {
    @Test(arguments: ["", "US", "USDD", "U$D", "12A", "ÜSD"]) func `refuses what is no currency code`(code: String) {
        #expect(Currency(code) == nil)
    }

    @Test(arguments: [
        ("USD", 4_200, "USD 42.00"), ("jpy", 3_000, "JPY 3000"), ("KWD", 1_250, "KWD 1.250"), ("USD", 5, "USD 0.05"),
        ("EUR", -150, "EUR -1.50"), ("KWD", 0, "KWD 0.000"), ("KRW", -7, "KRW -7"), ("CLF", 12_345, "CLF 1.2345"),
        ("USD", Int.min, "USD -92233720368547758.08"),
    ])
    func `writes an amount by its currency's code`(code: String, amount: Int, text: String) throws {
        #expect(Money(amount, try #require(Currency(code))).description == text)
    }

    @Test func `knows the currencies without two digits behind the point`() throws {
        let none = "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF"
        for code in none.split(separator: " ") { #expect(try #require(Currency(String(code))).exponent == 0) }
        for code in "BHD IQD JOD KWD LYD OMR TND".split(separator: " ") {
            #expect(try #require(Currency(String(code))).exponent == 3)
        }
        for code in ["USD", "EUR", "HUF", "TWD", "MGA"] { #expect(try #require(Currency(code)).exponent == 2) }
    }
}
