import JSONDocument

/// One row of the peers' harness: one library, or our own library, on one workload.
struct PeerRow {
    let workload: String
    let peer: String
    let medianSeconds: Double
    let leastSeconds: Double
    /// The median over rounds of this one's time / the fastest one's.
    let slowerThanBest: Double
    let recall: Double?

    init?(_ value: JSONValue) {
        guard let workload = value["workload"]?.string, let peer = value["peer"]?.string,
            let median = value["median_s"]?.double, let least = value["min_s"]?.double,
            let slower = value["slower_than_best"]?.double, value["threads"]?.int == 1
        else { return nil }
        self.workload = workload
        self.peer = peer
        medianSeconds = median
        leastSeconds = least
        slowerThanBest = slower
        recall = value["recall"]?.double
    }

    var isOurs: Bool { peer.hasPrefix("CANDIDATE") }
    /// One call for each vault, where the others are asked for all vaults at once.
    var isLoop: Bool { peer.hasSuffix("loop") }
}
