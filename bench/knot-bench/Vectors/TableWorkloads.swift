/// Many small problems: a vault's few hints against its few candidates, and dense tables of similarities.
struct TableWorkloads {
    let corpus: VectorCorpus
    let options: VectorOptions

    /// Ten thousand vaults of forty rows and two queries each, the best eight; or as many as there are rows.
    var smallVaults: Race {
        let shape = VaultShape(rows: 40, queries: 2, limit: 8)
        let vaults = min(10_000, corpus.count / shape.rows)
        let bytes = Double(vaults * (shape.rows + shape.queries) * SearchCall.rowBytes)
        let operations = Double(2 * vaults * shape.rows * shape.queries * SyntheticVectors.dimension)
        return race("W3a", queries: shape.queries, rows: shape.rows) { choice, threads in
            // Forty rows are fewer than codes pay for: every kernel reads the rows themselves.
            (
                "floats", Work(bytes: bytes, operations: operations, arithmetic: choice.arithmeticOfFloats),
                { [corpus] in
                    let index = try corpus.index(choice.byFloats, rows: corpus.count)
                    try SideBySide.run(vaults, threads: threads) { part, _ in
                        guard try corpus.searchVaults(index, shape, vaults: part).isFinite else {
                            throw BenchUsage("a score is not a number")
                        }
                    }
                }
            )
        }
    }

    /// Two thousand dense tables of 500 × 70, every similarity wanted.
    var dense: Race {
        let shape = TableShape(rows: 500, columns: 70)
        let tables = min(2_000, corpus.count / shape.rows)
        let bytes = Double(tables * (shape.rows + shape.columns) * SearchCall.rowBytes)
        let operations = Double(2 * tables * shape.rows * shape.columns * SyntheticVectors.dimension)
        let size = shape.rows * shape.columns
        let buffers = (0..<Machine.cores).map { thread in
            TableBuffer(places: size * (thread == 0 ? tables : tables / Machine.cores + 1))
        }
        return race("W3b", queries: shape.columns, rows: shape.rows) { choice, threads in
            (
                "floats", Work(bytes: bytes, operations: operations, arithmetic: choice.arithmeticOfFloats),
                { [corpus] in
                    try SideBySide.run(tables, threads: threads) { part, thread in
                        try corpus.products(choice, shape, tables: part, into: &buffers[thread].values)
                    }
                }
            )
        }
    }

    private typealias Entry = (path: String, work: Work, run: () throws -> Void)

    private func race(
        _ workload: String,
        queries: Int,
        rows: Int,
        _ entry: (KernelChoice, Int) -> Entry
    ) -> Race {
        var contenders: [Contender] = []
        for choice in options.choices {
            let one = "\(choice.name) 1 thread"
            for threads in choice.role == .default && Machine.cores > 1 ? [1, Machine.cores] : [1] {
                let made = entry(choice, threads)
                contenders.append(
                    Contender(
                        name: threads == 1 ? one : "\(choice.name) \(threads) threads",
                        kernel: choice.name,
                        path: made.path,
                        threads: threads,
                        work: made.work,
                        reference: threads == 1 ? nil : one,
                        role: choice.role,
                        run: made.run
                    )
                )
            }
        }
        return Race(workload: workload, queries: queries, rows: rows, contenders: contenders)
    }
}
