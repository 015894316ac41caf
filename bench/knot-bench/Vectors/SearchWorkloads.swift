import JSONDocument
import VectorSearch

/// The sheet's searches over one body of rows, as races between kernels, paths and thread counts.
struct SearchWorkloads {
    let corpus: VectorCorpus
    let options: VectorOptions

    /// One query over more and more rows.
    var scans: [Race] {
        options.sizes([1_000, 10_000, 100_000, 1_000_000]).map { race("W1", queries: 1, rows: $0) }
    }

    /// Many queries at once.
    var batches: [Race] {
        options.sizes([2_000, 100_000, 1_000_000]).flatMap { rows in
            [64, 256].map { race("W2", queries: $0, rows: rows) }
        }
    }

    /// More and more queries over the same rows.
    var queryCounts: [Race] {
        let rows = min(100_000, corpus.count)
        guard let choice = options.choices.first else { return [] }
        return [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1_024].map { count in
            Race(
                workload: "queries",
                queries: count,
                rows: rows,
                contenders: [
                    contender(choice, SearchCall(queries: count, rows: rows), name: choice.label)
                ]
            )
        }
    }

    /// What it costs to want more matches, or only good ones.
    var demands: [Race] {
        let rows = min(100_000, corpus.count)
        guard let choice = options.choices.first else { return [] }
        let limits = [10, 1, 100, 1_000].map { limit in
            contender(
                choice,
                SearchCall(queries: 1, rows: rows, limit: limit),
                name: "the best \(limit)",
                reference: "the best 10"
            )
        }
        let thresholds = [Float]([0.3, 0.6, 0.8, 0.95]).map { threshold in
            contender(
                choice,
                SearchCall(queries: 1, rows: rows, threshold: threshold),
                name: "at least \(Statistics.fixed(Double(threshold), decimals: 2))",
                reference: "the best 10"
            )
        }
        return [Race(workload: "threshold", queries: 1, rows: rows, contenders: limits + thresholds)]
    }

    /// What it costs to leave rows out.
    var filters: [Race] {
        guard let choice = options.choices.first else { return [] }
        let sizes = Set([min(100_000, corpus.count), corpus.count]).sorted()
        return sizes.flatMap { rows in
            [1, 64].filter { $0 == 1 || rows <= 100_000 }.map { count in
                var contenders = [
                    contender(choice, SearchCall(queries: count, rows: rows), name: "all rows")
                ]
                for percent in [100, 90, 50, 25, 10, 1] {
                    for spread in RowSelection.Spread.allCases {
                        let selection = RowSelection(percent: percent, of: rows, spread: spread)
                        contenders.append(
                            contender(
                                choice,
                                SearchCall(queries: count, rows: rows, selection: selection),
                                name: "\(percent) % \(spread.rawValue)",
                                reference: "all rows"
                            )
                        )
                    }
                }
                return Race(workload: "filter.\(count)", queries: count, rows: rows, contenders: contenders)
            }
        }
    }

    private func race(_ workload: String, queries: Int, rows: Int) -> Race {
        var contenders: [Contender] = []
        let call = SearchCall(queries: queries, rows: rows)
        for choice in options.choices where queries * rows <= choice.mostPairs {
            let name = "\(choice.label) 1 thread"
            contenders.append(contender(choice, call, name: name))
            // A scan's speed depends on how memory is asked for, and the best way on the CPU: both are shown.
            if queries == 1, let other = choice.otherwise {
                contenders.append(contender(other, call, name: "\(other.label) 1 thread", reference: name))
            }
            guard choice.role != nil, Machine.cores > 1 else { continue }
            var all = call
            all.threads = Machine.cores
            contenders.append(
                contender(choice, all, name: "\(choice.label) \(Machine.cores) threads", reference: name)
            )
        }
        return Race(workload: workload, queries: queries, rows: rows, contenders: contenders)
    }

    private func contender(
        _ choice: KernelChoice,
        _ call: SearchCall,
        name: String,
        reference: String? = nil
    ) -> Contender {
        let corpus = corpus
        let last = LastEffort()
        let rows = Double(call.selection?.count ?? call.rows)
        let row = choice.usesCodes ? SearchCall.codeBytes : SearchCall.rowBytes
        return Contender(
            name: name,
            kernel: choice.name,
            path: choice.usesCodes ? "codes" : "floats",
            threads: call.threads,
            work: Work(
                bytes: rows * Double(row),
                operations: 2 * rows * Double(SyntheticVectors.dimension * call.queries),
                arithmetic: choice.arithmetic
            ),
            reference: reference == name ? nil : reference,
            role: choice.role,
            facts: {
                let pairs = last.value.map { Double($0.rescored) / Double(call.queries) }
                return [("rescored_per_query", JSONValue(pairs.map(Statistics.rounded)))]
            },
            run: { last.value = try corpus.search(choice, call) }
        )
    }
}
