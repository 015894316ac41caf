import JSONDocument

/// Everything a report is made from: the peers' rows and our own.
struct Evidence {
    let peers: PeerResults?
    let rows: [VectorRow]
    /// The limits' own rows: before, in the middle of and after the run.
    let limits: [JSONValue]

    init(peers: PeerResults?, lines: [JSONValue]) {
        self.peers = peers
        rows = lines.compactMap(VectorRow.init)
        limits = lines.filter { $0["workload"]?.string == "limit" }
    }

    /// The row of the kernels that are used by default, or of those named.
    func row(
        _ workload: String,
        queries: Int? = nil,
        rows count: Int? = nil,
        kernel: String? = nil,
        path: String? = nil,
        threads: Int = 1
    ) -> VectorRow? {
        rows.first { row in
            row.workload == workload && queries.map { row.queries == $0 } ?? true
                && count.map { row.rows == $0 } ?? true && kernel.map { row.kernel == $0 } ?? row.isDefault
                && path.map { row.path == $0 } ?? true && row.threads == threads
        }
    }
}
