import TestSupport
import Testing

@testable import PostgresClient

@Suite("A UUID")
struct PostgresUUIDTests {
    @Test(arguments: [
        "", "0", "00000000-0000-0000-0000-00000000000", "00000000-0000-0000-0000-00000000000g",
        "00000000+0000-0000-0000-000000000000", "{0000000-0000-0000-0000-00000000000}",
        "０0000000-0000-0000-0000-000000000000",
    ])
    func `is not read from anything else`(text: String) {
        #expect(PostgresUUID(text) == nil)
    }

    @Test func `prints what it read in lower case`() {
        let text = "01234567-89AB-cdef-FEDC-ba9876543210"
        #expect(PostgresUUID(text)?.description == text.lowercased())
        #expect(PostgresUUID(text.filter { $0 != "-" })?.description == text.lowercased())
    }

    @Test func `is ordered as its text is`() {
        var generator = SeededRandom(seed: 11)
        for _ in 0..<200 {
            let one = PostgresUUID(high: generator.next(), low: generator.next())
            let other = PostgresUUID(
                high: Bool.random(using: &generator) ? one.high : generator.next(),
                low: generator.next()
            )
            #expect((one < other) == (one.description < other.description), "seed 11: \(one) \(other)")
            #expect(PostgresUUID(one.description) == one, "seed 11")
        }
    }
}
