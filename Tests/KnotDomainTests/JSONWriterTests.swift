import Testing

@testable import JSONDocument

@Suite("Writing JSON") struct JSONWriterTests {
    /// Examples of RFC 8785 and the ends of what each layout is for.
    private static let numbers: [(Double, String)] = [
        (0, "0"), (-0.0, "0"), (1, "1"), (-1, "-1"), (0.5, "0.5"), (4.5, "4.5"), (2e-3, "0.002"), (1e30, "1e+30"),
        (1e-27, "1e-27"), (1e20, "100000000000000000000"), (1e21, "1e+21"), (1e-6, "0.000001"), (1e-7, "1e-7"),
        (-0.00001, "-0.00001"), (9_007_199_254_740_992, "9007199254740992"), (Double.leastNonzeroMagnitude, "5e-324"),
        (-Double.leastNonzeroMagnitude, "-5e-324"), (Double.greatestFiniteMagnitude, "1.7976931348623157e+308"),
        (Double(bitPattern: 0x41B3_DE43_5555_5553), "333333333.3333332"),
        (Double(bitPattern: 0x444B_1AE4_D6E2_EF50), "1e+21"),
        (Double(bitPattern: 0x444B_1AE4_D6E2_EF4E), "999999999999999700000"), (.nan, "null"), (.infinity, "null"),
    ]

    @Test func `writes a number as ECMAScript does`() {
        for (number, text) in Self.numbers { #expect(JSONWriter.text(.number(number)) == text) }
    }

    @Test(arguments: [1, 2, 3] as [UInt64]) func `writes numbers that read back the same`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<20_000 {
            let number = Double(bitPattern: random.next())
            guard number.isFinite else { continue }
            let text = JSONWriter.text(.number(number))
            #expect(Double(text) == number, "seed \(seed): \(text)")
            #expect(!text.hasSuffix(".0") && !text.hasSuffix("."), "seed \(seed): \(text)")
        }
    }

    @Test(arguments: [1, 2, 3] as [UInt64]) func `sorts members by UTF-16 units, equal ones as they come`(seed: UInt64)
    {
        let parts = [
            "", "a", "b", "z", "_", "\u{7F}", "\u{80}", "é", "\u{7FF}", "\u{800}", "\u{D7FF}", "\u{E000}", "\u{FFFF}",
            "\u{10000}", "😀", "\u{10FFFF}",
        ]
        var random = SeededGenerator(seed: seed)
        for round in 0..<2_000 {
            let count = round % 5 == 0 ? 50 : Int(random.next() % 20)
            let members = (0..<count).map { number in
                let name = (0..<random.next() % 4).map { _ in parts[Int(random.next() % UInt64(parts.count))] }.joined()
                return JSONObject.Member(name: name, value: .integer(number))
            }
            let sorted = members.indices.sorted { left, right in
                let (first, second) = (Array(members[left].name.utf16), Array(members[right].name.utf16))
                return first == second ? left < right : first.lexicographicallyPrecedes(second)
            }
            #expect(JSONWriter.canonicalOrder(of: members) == sorted, "seed \(seed), round \(round)")
        }
    }

    @Test func `escapes only what must be escaped`() {
        let text = "\"\\/\u{8}\u{9}\u{A}\u{C}\u{D}\u{1}\u{1F}\u{7F}é😀"
        #expect(JSONWriter.text(.string(text)) == #""\"\\/\b\t\n\f\r\u0001\u001f"# + "\u{7F}é😀\"")
        #expect(JSONWriter.text(.string("")) == "\"\"")
    }

    @Test func `lays values out in three ways`() {
        let value: JSONValue = ["b": [1, [true, nil]], "a": ["z": [], "y": [:]], "c": [1, 2]]
        #expect(JSONWriter.text(value, style: .canonical) == #"{"a":{"y":{},"z":[]},"b":[1,[true,null]],"c":[1,2]}"#)
        #expect(JSONWriter.text(value, style: .compact) == #"{"b":[1,[true,null]],"a":{"z":[],"y":{}},"c":[1,2]}"#)
        let pretty = """
            {
              "b": [
                1,
                [true, null]
              ],
              "a": {
                "z": [],
                "y": {}
              },
              "c": [1, 2]
            }
            """
        #expect(JSONWriter.text(value, style: .pretty) == pretty)
    }
}
