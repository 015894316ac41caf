/// `knot-bench engine`: measures whole runs of the engine and start-up, and keeps the figures.
struct EngineBench {
    private var folder = "bench/results/\(Machine.day)-\(Machine.cpuSlug)"
    private var rounds = 300
    /// The one workload to measure; all and start-up where it is nil.
    private var only: String?
    private let showsNodes: Bool

    static let usage = "knot-bench [engine] [--results DIR] [--rounds N] [--only WORKLOAD] [--nodes]"

    private static let workloads = [
        ("engine.words.rules", "choice-of-three", true, 100),
        ("engine.words.recorded", "choice-of-three", false, 100),
        ("engine.words.rules.39", "choice-of-three", true, 39),
        ("engine.classic", "classic", true, 100),
        ("engine.classic.39", "classic", true, 39),
    ]

    init(_ arguments: ArraySlice<String>) throws {
        showsNodes = arguments.contains("--nodes")
        var arguments = arguments.filter { $0 != "--nodes" }[...]
        while let flag = arguments.popFirst() {
            switch (flag, arguments.popFirst()) {
            case ("--results", let value?): folder = value
            case ("--rounds", let value?): rounds = Int(value) ?? rounds
            case ("--only", let value?): only = value
            default: throw BenchUsage(Self.usage)
            }
        }
    }

    func run() throws {
        print("machine: \(Machine.cpu), \(Machine.cores) cores; times in ms")
        var samples: [Sample] = []
        for isPoolKnown in [false, true] {
            for (name, pipeline, readsByRules, candidates) in Self.workloads {
                let full = isPoolKnown ? "\(name).known" : name
                if let only, only != full { continue }
                let workload = try EngineWorkload(
                    pipeline,
                    readsByRules: readsByRules,
                    candidates: candidates,
                    isPoolKnown: isPoolKnown
                )
                samples.append(try workload.measure(full, rounds: rounds, showsNodes: showsNodes))
            }
        }
        for byWords in only == nil ? [true, false] : [] {
            samples.append(try StartUp.measure(runs: 20, byWords: byWords))
        }
        print(Sample.header)
        for sample in samples { print(sample.row) }
        try Sample.keep(samples, in: folder)
        print("kept in \(folder)/engine.jsonl")
    }
}
