import JSONDocument
import Testing

@testable import VaultStore

/// What a document says beyond its rows, of few items and of very many.
@Suite struct DocumentDifferenceTests {
    /// Rows by id, and the same as a document wrote them: some with a member left out, another spelling or more to say.
    private static func trees(_ count: Int) -> (base: JSONObject, original: JSONObject) {
        var base: [JSONObject.Member] = []
        var original: [JSONObject.Member] = []
        for number in 0..<count {
            let row: JSONObject = JSONObject([
                .init(name: "text", value: .string("note \(number)")), .init(name: "is_used", value: false),
                .init(name: "created_at", value: "2026-01-01T00:00:00Z"),
            ])
            var written = row
            if number % 3 == 0 { written["is_used"] = nil }
            if number % 5 == 0 { written["created_at"] = "2026-01-01T01:00:00+01:00" }
            if number % 7 == 0 { written["mood"] = .integer(number) }
            base.append(.init(name: "id-\(number)", value: .object(row)))
            // Half of a document's items stand in another order than the rows.
            original.insert(
                .init(name: "id-\(number)", value: .object(written)),
                at: number % 2 == 0 ? original.count : 0
            )
        }
        return (JSONObject(base), JSONObject(original))
    }

    private static func isReversible(_ base: JSONObject, _ original: JSONObject) -> Bool {
        let again = DocumentDifference(of: original, against: base).applied(to: base) { _, _, _ in true }
        return JSONWriter.bytes(.object(again), style: .canonical)
            == JSONWriter.bytes(.object(original), style: .canonical)
    }

    @Test(arguments: [0, 1, 15, 16, 17, 40, 300]) func `gives the document back`(count: Int) {
        let (base, original) = Self.trees(count)
        #expect(Self.isReversible(base, original))
        #expect(DocumentDifference(of: base, against: base).layout.isNull)
        #expect(DocumentDifference(of: base, against: base).extra.isNull)
    }

    @Test func `of ten times as many items costs nothing like a hundred times as much`() {
        func cost(_ count: Int) -> Duration {
            let (base, original) = Self.trees(count)
            let clock = ContinuousClock()
            return (0..<3).map { _ in clock.measure { #expect(Self.isReversible(base, original)) } }.min() ?? .zero
        }
        let small = cost(2_000)
        #expect(cost(20_000) < small * 40)
    }
}
