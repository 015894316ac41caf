import Glibc
import TestSupport
import Testing

@testable import HTTPClient

@Suite("An address")
struct IPAddressTests {
    @Test(
        arguments: [
            "", ":", ":::", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "1::2::3", "12345::", "g::", "1:2:3:4:5:6:7:",
            ":1:2:3:4:5:6:7",
            "::1%lo", "[::1]", "::127.0.0.256", "::127.0.0.01", "1:2:3:4:5:6:7:127.0.0.1", "127.0.0.1::", "1.2.3",
            "1.2.3.4.5",
            "1.2.3.", "01.2.3.4", "1.2.3.4 ", "1.2.3.-4", "1:2:3:4:5:6:7:8::",
        ]
    )
    func `is none in any other form than the usual one`(text: String) {
        #expect(IPAddress(text) == nil)
    }

    /// The C library is the second reader: of one mind about every text, valid or nearly so.
    @Test(arguments: [71, 72, 73] as [UInt64])
    func `is read as the C library reads it`(seed: UInt64) async {
        var random = SeededRandom(seed: seed)
        let pieces = ["0", "1", "ff", "FFFF", "abcd", "12345", ":", ":", ":", "::", ".", "127.0.0.1", "8"]
        var valid = 0
        for number in 0..<50_000 {
            if number % 500 == 0 { await Task.yield() }
            let text = (0..<Int.random(in: 1...16, using: &random)).map { _ in
                pieces.randomElement(using: &random) ?? ""
            }
            .joined()
            #expect(IPAddress(text) == Self.reading(text), "seed \(seed): \(text)")
            valid += IPAddress(text) == nil ? 0 : 1
        }
        #expect(valid > 100, "seed \(seed): too few of the texts are addresses")
    }

    @Test(arguments: [81, 82] as [UInt64])
    func `is written as it is read`(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        for _ in 0..<2_000 {
            let v4 = IPAddress.v4(UInt32.random(in: 0...UInt32.max, using: &random))
            let v6 = IPAddress.v6(
                UInt64.random(in: 0...UInt64.max, using: &random),
                UInt64.random(in: 0...7, using: &random)
            )
            #expect(IPAddress(v4.description) == v4 && IPAddress(v6.description) == v6, "seed \(seed)")
        }
    }

    private static func reading(_ text: String) -> IPAddress? {
        var four = in_addr()
        // Each structure outlives its call, which fills it.
        if unsafe inet_pton(AF_INET, text, &four) == 1 { return .v4(UInt32(bigEndian: four.s_addr)) }
        var bytes = [UInt8](repeating: 0, count: 16)
        guard unsafe inet_pton(AF_INET6, text, &bytes) == 1 else { return nil }
        let halves = [bytes[..<8], bytes[8...]].map { $0.reduce(UInt64(0)) { $0 << 8 | UInt64($1) } }
        return .v6(halves[0], halves[1])
    }
}
