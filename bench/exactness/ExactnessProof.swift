import VectorSearch

/// Holds every kind of kernels this CPU has, by floats and by codes and with several numbers of threads, to a plain full
/// computation: the same rows in the same order with the same bits.
package enum ExactnessProof {
    package static let threads = [1, 2, 3, 5]

    /// Proves that many random pairs of a row and a query, and that many adversarial matrices.
    ///
    /// - Returns: What was proven, in a sentence.
    /// - Throws: `ExactnessFailure` at the first difference; it names the seed of its challenge.
    package static func run(pairs: Int, matrices: Int, seed: UInt64) throws -> String {
        var seeds = SeededRandom(seed: seed)
        var (proven, searches, randomMatrices) = (0, 0, 0)
        while proven < pairs {
            // Sizes on both sides of what is searched one by one and in tiles.
            let queries = seeds.pick([1, 3, 7, 8, 40, 100])
            let rows = min(
                seeds.pick([500, 3_000, 8_000]),
                max(100, 400_000 / queries),
                max(100, (pairs - proven) / queries + 1)
            )
            var maker = ChallengeMaker(seed: seeds.next())
            searches += try maker.pairs(rows: rows, queries: queries).verify(threads: threads)
            proven += rows * queries
            randomMatrices += 1
        }
        for number in 0..<matrices {
            var maker = ChallengeMaker(seed: seeds.next())
            // Each number of threads meets every kind of challenge; all of them for each would tell little more.
            let some = [threads[number % threads.count], threads[(number + 1) % threads.count]]
            searches += try maker.adversarial().verify(threads: some)
        }
        let names = Kernels.available.map(\.name).joined(separator: ", ")
        return "\(proven) pairs in \(randomMatrices) random matrices and \(matrices) adversarial matrices, "
            + "\(searches) searches by \(names): the same rows, order and bits as the plain computation (seed \(seed))"
    }
}
