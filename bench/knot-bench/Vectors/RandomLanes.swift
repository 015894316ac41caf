/// Sixteen generators side by side, so that a million rows of noise take a second and not a minute.
struct RandomLanes {
    private var lanes: SIMD16<UInt32>
    private var scalar: UInt64

    init(seed: UInt64) {
        scalar = seed
        lanes = SIMD16(repeating: 0)
        // Xorshift never leaves zero, so no lane may begin there.
        for lane in 0..<16 { lanes[lane] = UInt32(truncatingIfNeeded: nextWord()) | 1 }
    }

    /// SplitMix64: any seed gives well spread words.
    mutating func nextWord() -> UInt64 {
        scalar &+= 0x9E37_79B9_7F4A_7C15
        var word = scalar
        word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
        return word ^ (word >> 31)
    }

    /// Below the bound, which is small against 2⁶⁴.
    mutating func next(below bound: Int) -> Int { Int(nextWord() % UInt64(bound)) }

    mutating func uniform(_ range: ClosedRange<Float>) -> Float {
        range.lowerBound + (range.upperBound - range.lowerBound) * Float(nextWord() >> 40) / Float(1 << 24)
    }

    /// Nearly normal numbers of mean 0 and variance 1: four uniform ones added.
    ///
    /// A rotation adds hundreds of these, and the sums are normal.
    mutating func normals() -> SIMD16<Float> {
        var sum = SIMD16<UInt32>(repeating: 0)
        for _ in 0..<2 {
            lanes ^= lanes &<< 13
            lanes ^= lanes &>> 17
            lanes ^= lanes &<< 5
            sum &+= (lanes & 0xFFFF) &+ (lanes &>> 16)
        }
        // Each of the four is uniform on 0...65535: together mean 131070 and standard deviation 65536 / √3.
        return (SIMD16<Float>(SIMD16<Int32>(truncatingIfNeeded: sum)) - 131_070)
            * (1.732_050_8 / 65_536)
    }
}
