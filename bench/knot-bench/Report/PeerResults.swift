import FoundationEssentials
import JSONDocument

/// What the peers' harness wrote.
struct PeerResults {
    let rows: [PeerRow]
    let meta: JSONValue

    init(file: String) throws {
        let data = try Data(contentsOf: URL(filePath: file))
        let document = try JSONParser.parse([UInt8](data))
        rows = (document["results"]?.array ?? []).compactMap(PeerRow.init)
        meta = document["meta"] ?? .null
    }

    /// The rows of that workload; a name that ends in a space is the beginning of the harness' own.
    func rows(of workload: String) -> [PeerRow] {
        rows.filter { $0.workload == workload || (workload.hasSuffix(" ") && $0.workload.hasPrefix(workload)) }
    }

    /// How many times as fast as the best of these peers ours was, within the same rounds.
    func ratio(_ workload: String, ours: String, among: (PeerRow) -> Bool = { _ in true }) -> Ratio? {
        let found = rows(of: workload)
        guard let own = found.first(where: { $0.isOurs && $0.peer == ours }),
            let best = found.filter({ !$0.isOurs && among($0) }).min(by: { $0.slowerThanBest < $1.slowerThanBest })
        else { return nil }
        return Ratio(
            value: best.slowerThanBest / own.slowerThanBest,
            peer: best.peer,
            own: own.medianSeconds,
            others: best.medianSeconds,
            isExact: own.recall.map { $0 == 1 }
        )
    }

    struct Ratio {
        let value: Double
        let peer: String
        let own: Double
        let others: Double
        /// Nil where the harness checks by itself and stops at a difference.
        let isExact: Bool?
    }

    /// The libraries and their versions in one line.
    var versions: String {
        ["numpy", "faiss", "usearch", "simsimd", "numkong", "hnswlib"]
            .compactMap { name in meta[name]?.string.map { "\(name) \($0)" } }
            .joined(separator: ", ")
    }

    /// The kernels that the linear algebra under numpy and faiss chose.
    var coreTypes: String {
        let libraries = (meta["blas"]?.array ?? []).compactMap { library -> String? in
            guard let type = library["architecture"]?.string, let version = library["version"]?.string else {
                return nil
            }
            return "OpenBLAS \(version) as \(type)"
        }
        return libraries.joined(separator: ", ")
    }
}
