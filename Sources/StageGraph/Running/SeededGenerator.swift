import Digest
import JSONDocument

/// xoshiro256** started by SplitMix64: the same numbers for the same seed on every machine.
package struct SeededGenerator: RandomNumberGenerator, Sendable {
    private var words: (UInt64, UInt64, UInt64, UInt64)

    package init(seed: UInt64) {
        var mixer = seed
        words = (Self.mix(&mixer), Self.mix(&mixer), Self.mix(&mixer), Self.mix(&mixer))
    }

    package mutating func next() -> UInt64 {
        let result = Self.rotate(words.1 &* 5, by: 7) &* 9
        let shifted = words.1 << 17
        words.2 ^= words.0
        words.3 ^= words.1
        words.1 ^= words.2
        words.0 ^= words.3
        words.2 ^= shifted
        words.3 = Self.rotate(words.3, by: 45)
        return result
    }

    /// A number in 0..<1 with 53 random bits.
    package mutating func unit() -> Double {
        Double(next() >> 11) * 0x1p-53
    }

    private static func rotate(_ word: UInt64, by count: UInt64) -> UInt64 {
        word << count | word >> (64 - count)
    }

    private static func mix(_ state: inout UInt64) -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var word = state
        word = (word ^ word >> 30) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ word >> 27) &* 0x94D0_49BB_1331_11EB
        return word ^ word >> 31
    }
}

/// Randomness that depends on the run's seed, its subject and the node's name, and on nothing else.
enum NodeSeed: Sendable {
    case given(UInt64)
    case derived(run: UInt64, subject: String, node: NodeID)

    var value: UInt64 {
        switch self {
        case .given(let seed): return seed
        case .derived(let run, let subject, let node):
            // As text: a JSON number cannot hold every 64-bit seed.
            let form: JSONValue = [.string(String(run)), .string(subject), .string(node.text)]
            return SHA256Digest(of: JSONWriter.bytes(form, style: .canonical)).prefix64
        }
    }
}
