import VectorSearch

/// Makes challenges from a seed.
package struct ChallengeMaker {
    private var random: SeededRandom
    private let seed: UInt64

    package init(seed: UInt64) {
        self.seed = seed
        random = SeededRandom(seed: seed)
    }

    /// Many rows in clusters, as embeddings are, of the usual dimension and others.
    ///
    /// Clusters may follow one another, so that what the first rows tell of the others is wrong.
    package mutating func pairs(rows count: Int, queries queryCount: Int) -> Challenge {
        let dimension = random.pick([768, 768, 768, 384, 1_000, 100])
        let centers = (0..<20).map { _ in (0..<dimension).map { _ in random.bell() } }
        func nearby(_ random: inout SeededRandom) -> [Float] {
            let spread = random.pick([0.05, 0.3, 1, 3] as [Float])
            return random.pick(centers).map { $0 + spread * random.bell() }
        }
        var rows = (0..<count).map { _ in nearby(&random) }
        if random.chance(30) {
            let spread = random.pick([0.05, 0.3] as [Float])
            rows = (0..<count).map { row in
                centers[row * centers.count / count].map { $0 + spread * random.bell() }
            }
        }
        let queries = (0..<queryCount).map { _ in nearby(&random) }
        return Challenge(
            rows: rows,
            queries: queries,
            dimension: dimension,
            limit: random.pick([1, 5, 10, 10, 10, 40, 100]),
            threshold: random.pick([-.infinity, -.infinity, 0, 0.5]),
            filter: random.chance(70) ? .all : filter(rows: count),
            name: "seed \(seed): \(count) × \(dimension), \(queryCount) queries"
        )
    }

    /// Few rows of the worst kinds.
    package mutating func adversarial(rowsAtMost most: Int = 1_200) -> Challenge {
        let dimension = random.pick([1, 2, 3, 15, 16, 17, 31, 33, 63, 64, 65, 100, 128, 255, 300, 768, 769])
        let maker = AdversarialRows(dimension: dimension)
        let sizes = [0, 1, 2, 7, 63, 64, 65, 80, 96, 97, 127, 128, 129, 200, 300, 500, 700, 1_200]
        let count = min(most, random.pick(sizes), max(8, 200_000 / dimension))
        // A palette of few kinds makes matrices of one mood; all kinds together make the rest.
        let all = AdversarialRows.Kind.allCases
        let palette =
            random.chance(30) ? all : (0..<Int.random(in: 1...4, using: &random)).map { _ in random.pick(all) }
        var rows: [[Float]] = []
        for _ in 0..<count { rows.append(maker.row(random.pick(palette), after: rows, &random)) }
        if random.chance(5), let first = rows.first { rows = rows.map { _ in first } }
        let queryCount = random.pick([1, 1, 2, 3, 7, 8, 9, 16, 33])
        var queries: [[Float]] = []
        for _ in 0..<queryCount {
            if random.chance(40), !rows.isEmpty {
                queries.append(random.pick(rows))
            } else {
                queries.append(maker.row(random.pick(all), after: rows, &random))
            }
        }
        return Challenge(
            rows: rows,
            queries: queries,
            dimension: dimension,
            limit: random.pick([0, 1, 1, 2, 3, 5, 8, 10, 10, 40, count, count + 5, .max]),
            threshold: threshold(rows, queries),
            filter: filter(rows: count),
            name: "seed \(seed): \(count) × \(dimension) of \(palette.count) kinds, \(queryCount) queries"
        )
    }

    /// Also the score of a pair, bit by bit, so that the threshold itself must be let in.
    private mutating func threshold(_ rows: [[Float]], _ queries: [[Float]]) -> Float {
        guard !rows.isEmpty, random.chance(40) else { return -.infinity }
        if random.chance(50) { return random.pick([-1, -0.0, 0, 0.3, 0.999_999, 1, 1.5, .infinity]) }
        return PlainVector(random.pick(rows)).cosine(with: PlainVector(random.pick(queries))) ?? 0
    }

    private mutating func filter(rows count: Int) -> RowFilter {
        let percent = random.pick([0, 1, 10, 50, 90, 99, 100])
        switch Int.random(in: 0..<5, using: &random) {
        case 0, 1: return .all
        case 2: return .rows(RowBitmap(rowCount: count) { _ in random.chance(percent) })
        case 3:
            let start = Int.random(in: 0...count, using: &random)
            return .rows(RowBitmap(rowCount: count) { $0 >= start && $0 < start + count * percent / 100 })
        default:
            let digit = random.pick(Array("0123456789"))
            return .ids { $0.contains(digit) }
        }
    }
}
