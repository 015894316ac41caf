/// SplitMix64: the same values for the same seed.
package struct SeededRandom: RandomNumberGenerator {
    private var state: UInt64

    package init(seed: UInt64) {
        state = seed
    }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }

    /// A text of any characters a database takes, among them those that break careless programs.
    package mutating func text() -> String {
        let pieces = [
            "'", "\"", "\\", "$1", "--", ";", "\n", "é", "日本", "👩‍👩‍👧", "\u{1}", " ", "a", "%", "{", ",", "null",
        ]
        return (0..<Int.random(in: 0...12, using: &self)).map { _ in pieces.randomElement(using: &self) ?? "" }.joined()
    }
}
