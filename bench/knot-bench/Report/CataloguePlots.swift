import FoundationEssentials
import JSONDocument

/// `knot-bench catalogue-plots`: draws what searches of catalogues cost as the offers grow, from the lines that
/// `make bench-catalogue`, `bench-catalogue-peers` and `bench-night` kept in a folder.
struct CataloguePlots {
    private var folder = "bench/results/\(Machine.day)-\(Machine.cpuSlug)"

    static let usage = "knot-bench catalogue-plots [--results DIR]"

    init(_ arguments: ArraySlice<String>) throws {
        var arguments = arguments
        while let flag = arguments.popFirst() {
            guard flag == "--results", let value = arguments.popFirst() else { throw BenchUsage(Self.usage) }
            folder = value
        }
    }

    func run() throws {
        for (name, plot) in [
            ("catalogue-by-rows.svg", search), ("catalogue-peers.svg", peers), ("catalogue-runs.svg", runs),
        ]
        where plot.series.contains(where: { $0.points.count > 1 }) {
            let path = "\(folder)/\(name)"
            try Data(PlotDrawing(plot).svg.utf8).write(to: URL(filePath: path), options: .atomic)
            print("kept \(path)")
        }
    }

    /// A vault's whole search, and its parts.
    private var search: Plot {
        let lines = lines("catalogue.jsonl")
        func series(_ name: String, _ kind: Plot.Series.Kind, _ member: String) -> Plot.Series {
            Plot.Series(name: name, kind: kind, points: points(of: lines, member))
        }
        return Plot(
            title: "A vault's search: time against offers",
            subtitle: "24 phrases, the best 600 of those that pass its rules, one thread",
            xLabel: "offers",
            yLabel: "milliseconds",
            series: [
                series("by both, with its rules", .ours, "search_ms"), series("words alone", .peer, "words_ms"),
                series("meaning alone", .oursFloats, "meaning_ms"),
                series("by both, no rules", .limit, "unfiltered_ms"),
            ]
        )
    }

    /// The same questions put to others.
    private var peers: Plot {
        let lines = lines("catalogue-peers.jsonl")
        func series(
            _ name: String,
            _ part: String,
            _ kind: Plot.Series.Kind,
            _ member: String = "cpu_ms"
        ) -> Plot.Series {
            let own = lines.filter { $0["name"]?.string == name && $0["part"]?.string == part }
            return Plot.Series(
                name: member == "cpu_ms" ? "\(name) (\(part))" : "ours (\(part))",
                kind: kind,
                points: points(of: own, member)
            )
        }
        return Plot(
            title: "The same searches by others: processor time against offers",
            subtitle: "24 phrases, the best 200 of those that pass the same rules; all find the same",
            xLabel: "offers",
            yLabel: "milliseconds of one thread",
            series: [
                series("ours", "meaning", .ours), series("faiss flat", "meaning", .peer),
                series("pgvector exact", "meaning", .peer), series("Tantivy", "words", .oursFloats, "ours_cpu_ms"),
                series("Tantivy", "words", .peer),
            ]
        )
    }

    /// Whole runs of vaults of a database.
    private var runs: Plot {
        let lines = lines("catalogue-night.jsonl")
        return Plot(
            title: "A whole run from a catalogue: time against offers",
            subtitle: "by words and meaning, stored",
            xLabel: "offers",
            yLabel: "milliseconds",
            series: [
                Plot.Series(name: "one vault alone", kind: .ours, points: points(of: lines, "alone_ms")),
                Plot.Series(
                    name: "a vault of a thousand, processor time",
                    kind: .oursFloats,
                    points: points(of: lines, "client_cpu_ms")
                ),
            ]
        )
    }

    /// None where nothing was measured yet.
    private func lines(_ name: String) -> [JSONValue] { (try? VectorRow.read(file: "\(folder)/\(name)")) ?? [] }

    private func points(of lines: [JSONValue], _ member: String) -> [(x: Double, y: Double)] {
        lines.compactMap { line in
            guard let offers = line["offers"]?.double, let value = line[member]?.double else { return nil }
            return (offers, value)
        }
        .sorted { $0.x < $1.x }
    }
}
