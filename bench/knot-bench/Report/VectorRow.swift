import FoundationEssentials
import JSONDocument

/// One line that `knot-bench vectors` kept.
struct VectorRow {
    let workload: String
    let name: String
    let kernel: String
    let path: String
    let threads: Int
    let queries: Int
    let rows: Int
    let milliseconds: Double
    let limit: String?
    let limitRate: Double?
    let share: Double?
    let reference: String?
    let timesReference: Double?
    let role: ContenderRole?
    let json: JSONValue

    init?(_ value: JSONValue) {
        guard let workload = value["workload"]?.string, let name = value["name"]?.string,
            let milliseconds = value["median_ms"]?.double
        else { return nil }
        self.workload = workload
        self.name = name
        self.milliseconds = milliseconds
        kernel = value["kernel"]?.string ?? ""
        path = value["path"]?.string ?? ""
        threads = value["threads"]?.int ?? 1
        queries = value["queries"]?.int ?? 1
        rows = value["rows"]?.int ?? 0
        limit = value["limit"]?.string
        limitRate = value["limit_rate"]?.double
        share = value["share_of_limit"]?.double
        reference = value["reference"]?.string
        timesReference = value["times_reference"]?.double
        role = value["role"]?.string.flatMap(ContenderRole.init)
        json = value
    }

    var isDefault: Bool { role == .default }
    /// The widest kernels that read nothing but the rows themselves, which may be the default ones.
    var isFloatsAlone: Bool { role == .floats || (role == .default && path == "floats") }

    static func read(file: String) throws -> [JSONValue] {
        let data = try Data(contentsOf: URL(filePath: file))
        return try data.split(separator: 0x0A).map { try JSONParser.parse([UInt8]($0)) }
    }
}
