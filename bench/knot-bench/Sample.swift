import FoundationEssentials
import JSONDocument

/// The times of one workload with its spread and size.
struct Sample {
    let name: String
    let size: String
    /// Milliseconds, one for each round, in the order they were measured.
    let times: [Double]
    /// Milliseconds of processor time that all threads together used in each round; empty where it was not measured.
    var processor: [Double] = []

    static let header =
        "workload".padded(32)
        + ["median", "p95", "min", "max", "cpu"].map { $0.leading(9) }.joined() + "  size"

    var row: String {
        name.padded(32)
            + [quantile(0.5), quantile(0.95), quantile(0), quantile(1)].map { Self.text($0).leading(9) }.joined()
            + (medianProcessor.map(Self.text) ?? "–").leading(9) + "  \(size)"
    }

    func quantile(_ share: Double) -> Double { Self.quantile(times, share) }

    private var medianProcessor: Double? { processor.isEmpty ? nil : Self.quantile(processor, 0.5) }

    private static func quantile(_ values: [Double], _ share: Double) -> Double {
        let sorted = values.sorted()
        return sorted[min(sorted.count - 1, Int(share * Double(sorted.count)))]
    }

    /// Appends one line for each sample, so that earlier runs stay.
    static func keep(_ samples: [Sample], in folder: String) throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let url = URL(filePath: "\(folder)/engine.jsonl")
        var data = (try? Data(contentsOf: url)) ?? Data()  // No earlier file is a beginning, not an error.
        for sample in samples { data.append(contentsOf: JSONWriter.bytes(sample.json) + [0x0A]) }
        try data.write(to: url, options: .atomic)
    }

    var json: JSONValue {
        [
            "workload": .string(name), "size": .string(size), "rounds": .integer(times.count),
            "median_ms": .number(Self.rounded(quantile(0.5))), "p95_ms": .number(Self.rounded(quantile(0.95))),
            "min_ms": .number(Self.rounded(quantile(0))), "max_ms": .number(Self.rounded(quantile(1))),
            "median_cpu_ms": medianProcessor.map { .number(Self.rounded($0)) } ?? .null,
            "cpu": .string(Machine.cpu), "cores": .integer(Machine.cores), "commit": .string(Machine.commit),
            "swift": .string(Machine.compiler),
        ]
    }

    private static func rounded(_ value: Double) -> Double { (value * 1_000).rounded() / 1_000 }

    private static func text(_ value: Double) -> String {
        let thousandths = Int((value * 1_000).rounded())
        return "\(thousandths / 1_000).\(String(String(thousandths % 1_000 + 1_000).dropFirst()))"
    }
}
