/// Makes rows that arithmetic likes least.
struct AdversarialRows {
    enum Kind: CaseIterable {
        case bell, unit, zero, negativeZero, denormal, oneNaN, infinite, huge, tiny, wideRange, spike, oneHot, constant
        case copy, doubledCopy, negatedCopy, almostCopy, sparse, pastFloat
    }

    let dimension: Int

    /// A row of that kind; copies are of a row made before.
    func row(_ kind: Kind, after rows: [[Float]], _ random: inout SeededRandom) -> [Float] {
        let earlier = rows.isEmpty ? nil : random.pick(rows)
        var row = (0..<dimension).map { _ in random.bell() }
        let place = Int.random(in: 0..<dimension, using: &random)
        switch kind {
        case .bell: break
        case .unit:
            let length = row.reduce(0) { $0 + $1 * $1 }.squareRoot()
            if length > 0 { row = row.map { $0 / length } }
        case .zero: row = row.map { _ in 0 }
        case .negativeZero: row = row.map { _ in -0.0 }
        case .denormal: row = row.map { $0 * .leastNormalMagnitude / 1_024 }
        case .oneNaN: row[place] = random.chance(50) ? .nan : .signalingNaN
        case .infinite: row[place] = random.chance(50) ? .infinity : -.infinity
        case .huge: row = row.map { $0 * 3e38 }
        case .tiny: row = row.map { $0 * 1e-37 }
        case .wideRange:
            row = row.map {
                $0 * Float(sign: .plus, exponent: random.pick([-120, -60, -7, 0, 7, 60, 120]), significand: 1)
            }
        case .spike: row[place] = random.pick([1e3, 1e6, -1e6, 1e20])
        case .oneHot:
            row = row.map { _ in 0 }
            row[place] = random.pick([1, -1, .leastNonzeroMagnitude, 3e38])
        case .constant: row = row.map { _ in 0.5 }
        case .copy: row = earlier ?? row
        // A power of two changes no bit of the cosine, so these tie.
        case .doubledCopy: row = earlier?.map { $0 * 2 } ?? row
        case .negatedCopy: row = earlier?.map { -$0 } ?? row
        case .almostCopy:
            row = earlier ?? row
            row[place] = random.chance(50) ? row[place].nextUp : row[place].nextDown
        case .sparse: row = row.map { random.chance(95) ? 0 : $0 }
        case .pastFloat: row = row.map { $0 > 0 ? Float.greatestFiniteMagnitude : -Float.greatestFiniteMagnitude }
        }
        return row
    }
}
