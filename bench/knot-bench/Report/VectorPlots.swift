/// The two plots of a report: what a search costs as the rows grow, and as the queries grow.
enum VectorPlots {
    /// The harness' names and what the plot calls them.
    private static let peers = [
        ("faiss.knn IP", "faiss"), ("numpy (OpenBLAS)", "numpy"), ("simsimd.cdist", "simsimd"),
        ("usearch exact", "usearch"), ("numkong.cdist", "numkong"),
    ]
    private static let ours: [(String, String, Plot.Series.Kind)] = [
        ("CANDIDATE int8+rerank exact", "knot, as used", .ours), ("CANDIDATE f32", "knot, f32 alone", .oursFloats),
    ]

    static func rows(_ evidence: Evidence) -> Plot {
        let sizes = [1_000, 10_000, 100_000, 1_000_000]
        return Plot(
            title: "One query: time against rows",
            subtitle: "exact top ten of 768 dimensions, one thread, all in the same rounds",
            xLabel: "rows",
            yLabel: "milliseconds",
            series: series(evidence, sizes.map { (Double($0), "W1 1x\($0)") })
                + limits(evidence) { $0.workload == "W1" && $0.isDefault }
        )
    }

    static func queries(_ evidence: Evidence, rows: Int) -> Plot {
        let counts = [1, 64, 256]
        return Plot(
            title: "\(rows) rows: time against queries",
            subtitle: "exact top ten of 768 dimensions, one thread, all in the same rounds",
            xLabel: "queries in one call",
            yLabel: "milliseconds for all of them",
            series: series(evidence, counts.map { (Double($0), "\($0 == 1 ? "W1" : "W2") \($0)x\(rows)") })
                + limits(evidence, against: \.queries) {
                    ["W1", "W2"].contains($0.workload) && $0.rows == rows && $0.isDefault
                }
        )
    }

    private static func series(_ evidence: Evidence, _ places: [(x: Double, workload: String)]) -> [Plot.Series] {
        guard let results = evidence.peers else { return own(evidence, places) }
        let names = peers.map { ($0.0, $0.1, Plot.Series.Kind.peer) } + ours
        return names.compactMap { peer, name, kind in
            let points = places.compactMap { place in
                results.rows(of: place.workload).first { $0.peer == peer }.map { (place.x, $0.medianSeconds * 1_000) }
            }
            return points.count < 2 ? nil : Plot.Series(name: name, kind: kind, points: points)
        }
    }

    /// Without the peers' run there are our own measurements.
    private static func own(_ evidence: Evidence, _ places: [(x: Double, workload: String)]) -> [Plot.Series] {
        let kinds: [(String, Plot.Series.Kind, (VectorRow) -> Bool)] = [
            ("knot, as used", .ours, \.isDefault), ("knot, f32 alone", .oursFloats, \.isFloatsAlone),
        ]
        return kinds.compactMap { name, kind, isMeant in
            let points = places.compactMap { place in
                evidence.rows.first {
                    "\($0.workload) \($0.queries)x\($0.rows)" == place.workload && $0.threads == 1 && isMeant($0)
                }
                .map { (place.x, $0.milliseconds) }
            }
            return points.count < 2 ? nil : Plot.Series(name: name, kind: kind, points: points)
        }
    }

    private static func limits(
        _ evidence: Evidence,
        against axis: (VectorRow) -> Int = \.rows,
        of isMeant: (VectorRow) -> Bool
    ) -> [Plot.Series] {
        let points = evidence.rows.filter { isMeant($0) && $0.threads == 1 }
            .compactMap { row in row.share.map { (x: Double(axis(row)), y: row.milliseconds * $0) } }
            .sorted { $0.x < $1.x }
        return points.count < 2 ? [] : [Plot.Series(name: "the machine's limit", kind: .limit, points: points)]
    }
}
