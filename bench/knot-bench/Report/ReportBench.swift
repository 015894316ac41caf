import FoundationEssentials
import JSONDocument

/// `knot-bench report`: puts a run of the peers and a run of our own side by side.
struct ReportBench {
    var peersFile: String?
    var vectorsFile: String?
    var triedFile = "bench/tried.json"
    var folder = "bench/results/\(Machine.day)-\(Machine.cpuSlug)"

    static let usage = "knot-bench report --vectors FILE [--peers FILE] [--tried FILE] [--results DIR]"

    init(_ arguments: ArraySlice<String>) throws {
        var arguments = arguments
        while let flag = arguments.popFirst() {
            guard let value = arguments.popFirst() else { throw BenchUsage(Self.usage) }
            switch flag {
            case "--peers": peersFile = value
            case "--vectors": vectorsFile = value
            case "--tried": triedFile = value
            case "--results": folder = value
            default: throw BenchUsage(Self.usage)
            }
        }
    }

    func run() throws {
        guard let vectorsFile else { throw BenchUsage(Self.usage) }
        let files = FileManager.default
        let lines = try VectorRow.read(file: vectorsFile)
        let evidence = Evidence(peers: try peersFile.map(PeerResults.init), lines: lines)
        // Nothing tried is nothing to tell.
        let tried = try files.contents(atPath: triedFile).map { try JSONParser.parse([UInt8]($0)) } ?? .null
        try files.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try keep(VectorReport(evidence: evidence, tried: tried).markdown, as: "vectors.md")
        let text = lines.map { JSONWriter.text($0) + "\n" }.joined()
        try keep(text, as: "vectors.jsonl")
        if let peersFile { try keep(String(contentsOf: URL(filePath: peersFile), encoding: .utf8), as: "peers.json") }
        let plots = [
            ("cost-by-rows.svg", VectorPlots.rows(evidence)),
            ("cost-by-queries-1e5.svg", VectorPlots.queries(evidence, rows: 100_000)),
            ("cost-by-queries-1e6.svg", VectorPlots.queries(evidence, rows: 1_000_000)),
        ]
        for (name, plot) in plots where !plot.series.isEmpty { try keep(PlotDrawing(plot).svg, as: name) }
        for goal in Goals.all { print(goal.line(evidence)) }
    }

    private func keep(_ text: String, as name: String) throws {
        try Data(text.utf8).write(to: URL(filePath: "\(folder)/\(name)"), options: .atomic)
        print("kept \(folder)/\(name)")
    }
}
