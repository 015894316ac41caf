import FoundationEssentials
import JSONDocument

/// Writes the table, the lines and the plots of one run.
struct VectorReport {
    let evidence: Evidence
    /// What was tried where a target is missed, by the target's name.
    let tried: JSONValue

    var markdown: String {
        ([heading, limits, goals, attempts, kernels, filters, files, notes].filter { !$0.isEmpty })
            .joined(separator: "\n\n") + "\n"
    }

    private var heading: String {
        let machine = evidence.rows.first?.json
        let said = ["cpu", "compiler", "commit"].compactMap { machine?[$0]?.string }.filter { !$0.isEmpty }
        let cores = machine?["cores"]?.int.map { "\($0) cores" }
        let peers = evidence.peers.map { "Peers: \($0.versions); \($0.coreTypes)." } ?? "The peers were not run."
        return """
            # Exact search over vectors

            \((said.prefix(1) + [cores].compactMap(\.self) + said.dropFirst()).joined(separator: ", ")). \(peers)
            Ratios are medians of ratios within rounds; shares are medians of shares within rounds, with the limit
            measured in the same round.
            """
    }

    private var limits: String {
        guard !evidence.limits.isEmpty else { return "" }
        let table = evidence.limits.compactMap { row -> String? in
            guard let limit = row["limit"]?.string.flatMap(Limit.init), let threads = row["threads"]?.int else {
                return nil
            }
            let rates = ["before", "middle", "after"].map { row[$0]?.double.map { Statistics.text($0) } ?? "" }
            return "| \(limit.label) | \(threads) | \(rates.joined(separator: " | ")) | \(limit.unit) |"
        }
        return """
            ## The machine's limits

            | limit | threads | before | in the middle | after | |
            |---|---|---|---|---|---|
            \(table.joined(separator: "\n"))
            """
    }

    private var goals: String {
        """
        ## Targets

        | # | workload | target | minimum | measured | of the limit | verdict | notes |
        |---|---|---|---|---|---|---|---|
        \(Goals.all.map { $0.line(evidence) }.joined(separator: "\n"))
        """
    }

    private var attempts: String {
        let members = (tried.object?.members ?? []).compactMap { member -> String? in
            guard let texts = member.value.array?.compactMap(\.string), !texts.isEmpty else { return nil }
            return "### \(member.name)\n\n" + texts.map { "* \($0)" }.joined(separator: "\n")
        }
        return members.isEmpty ? "" : "## What was tried\n\n" + members.joined(separator: "\n\n")
    }

    private var kernels: String {
        table(
            "Every kernel and thread count",
            evidence.rows.filter { ["W1", "W2", "W3a", "W3b", "queries", "threshold"].contains($0.workload) }
        )
    }

    private var filters: String {
        table("Filtered search", evidence.rows.filter { $0.workload.hasPrefix("filter") })
    }

    private var files: String { table("A mapped file", evidence.rows.filter { $0.workload == "file" }) }

    private func table(_ title: String, _ rows: [VectorRow]) -> String {
        guard !rows.isEmpty else { return "" }
        let lines = rows.map { row in
            let spread = ["median_ms", "p95_ms", "min_ms"].map {
                row.json[$0]?.double.map { Statistics.text($0) } ?? ""
            }
            let share = row.share.map { "\(Statistics.fixed($0 * 100, decimals: 0)) % of \(row.limit ?? "")" } ?? ""
            let ratio = row.timesReference.map { "\(Statistics.fixed($0, decimals: 2))× \(row.reference ?? "")" } ?? ""
            return "| \(row.workload) | \(row.queries) × \(row.rows) | \(row.name) | \(row.threads) "
                + "| \(spread.joined(separator: " | ")) | \(share) | \(ratio) |"
        }
        return """
            ## \(title)

            | workload | queries × rows | | threads | median ms | p95 | min | share | against |
            |---|---|---|---|---|---|---|---|---|
            \(lines.joined(separator: "\n"))
            """
    }

    private var notes: String {
        """
        ## Notes

        * The harness' rows `CANDIDATE bf16 approx` are our exact search again: there is no approximate path.
        * The peers are given rows of length 1 and do not divide by lengths; ours keeps the length of each row beside
          it, worked out once, as the peers' own indexes are.
        * Bytes are those a search cannot avoid: one code, its scale and its reach for each row, or the row itself.
        """
    }
}
