/// SplitMix64: the same numbers from the same seed, on every machine.
package struct SeededRandom: RandomNumberGenerator {
    private var state: UInt64

    package init(seed: UInt64) { state = seed }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var word = state
        word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
        return word ^ (word >> 31)
    }

    /// Between -1 and 1, more often near 0: the mean of two uniform numbers.
    package mutating func bell() -> Float {
        let word = next()
        let (high, low) = (Int32(truncatingIfNeeded: word >> 32), Int32(truncatingIfNeeded: word))
        return (Float(high >> 8) + Float(low >> 8)) / 16_777_216
    }

    package mutating func pick<Element>(_ choices: [Element]) -> Element {
        choices[Int.random(in: 0..<choices.count, using: &self)]
    }

    package mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &self) < percent }
}
