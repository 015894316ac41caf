import FoundationEssentials
import KnotDomain
import Recommendation

/// Measures the engine in release and keeps the figures: `knot-bench [--results DIR] [--rounds N] [--nodes]`.
@main
struct KnotBench {
    static func main() throws {
        var arguments = CommandLine.arguments.dropFirst()
        var folder = "bench/results/\(Machine.day)-\(Machine.cpuSlug)"
        var rounds = 300
        let showsNodes = arguments.contains("--nodes")
        arguments.removeAll { $0 == "--nodes" }
        while let flag = arguments.popFirst() {
            switch (flag, arguments.popFirst()) {
            case ("--results", let value?): folder = value
            case ("--rounds", let value?): rounds = Int(value) ?? rounds
            default:
                print("usage: knot-bench [--results DIR] [--rounds N] [--nodes]")
                return
            }
        }
        print("machine: \(Machine.cpu), \(Machine.cores) cores; times in ms")
        var samples: [Sample] = []
        for (label, readings) in [("rules", true), ("recorded", false)] {
            let workload = try EngineWorkload(readsByRules: readings)
            samples.append(try workload.measure("engine.words.\(label)", rounds: rounds, showsNodes: showsNodes))
        }
        samples.append(try StartUp.measure(runs: 20))
        print(Sample.header)
        for sample in samples { print(sample.row) }
        try Sample.keep(samples, in: folder)
        print("kept in \(folder)/engine.jsonl")
    }
}
