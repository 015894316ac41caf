import KnotDomain
import Testing

@Suite("A decimal amount")
struct DecimalAmountTests {
    @Test(arguments: [
        "", ".", "-", "1.", ".5", "1,5", "abc", "1e", "1e999", "٣", "99999999999999999999", "1.2.3", "+1", "0x1",
    ])
    func `is no number that is written otherwise`(text: String) {
        #expect(DecimalAmount(text) == nil)
    }

    @Test(arguments: [
        ("29.36", "USD", 2_936), ("29.365", "USD", 2_936), ("29.375", "USD", 2_938), ("29.3651", "USD", 2_937),
        ("-0.5", "USD", -50), ("0.005", "USD", 0), ("0.015", "USD", 2), ("-0.015", "USD", -2), ("1200", "JPY", 1_200),
        ("1200.5", "JPY", 1_200), ("1201.5", "JPY", 1_202), ("1.2345", "KWD", 1_234), ("1.2e3", "USD", 120_000),
        ("12E-1", "USD", 120), ("0e90", "USD", 0), ("0.1", "USD", 10), ("1e-30", "USD", 0),
    ])
    func `counts the currency's smallest coins, halves to even`(text: String, currency: String, minor: Int) throws {
        #expect(DecimalAmount(text)?.minorUnits(of: try #require(Currency(currency))) == minor)
    }

    @Test func `is unknown where it does not fit`() {
        #expect(DecimalAmount("9223372036854775807")?.minorUnits(of: .usd) == nil)
        #expect(DecimalAmount("1e90")?.minorUnits(of: .usd) == nil)
    }
}
