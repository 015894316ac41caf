/// How `knot-bench vectors` was called.
struct VectorOptions {
    var isQuick = false
    /// The most rows of any workload.
    var rows: Int?
    /// Nil for every kind this CPU has.
    var kernels: String?
    var file: String?
    var folder = ".build/bench-vectors"
    var spectrum = SyntheticVectors.Spectrum.hard
    /// Nil for every workload; else those whose name begins so.
    var only: String?

    static let usage = """
        knot-bench vectors [--quick] [--rows N] [--kernels NAME] [--spectrum hard|easy] [--only WORKLOAD] \
        [--json FILE] [--data DIR]
        """

    init(_ arguments: ArraySlice<String>) throws {
        var arguments = arguments
        while let flag = arguments.popFirst() {
            if flag == "--quick" {
                isQuick = true
                continue
            }
            guard let value = arguments.popFirst() else { throw BenchUsage(Self.usage) }
            switch flag {
            case "--rows":
                guard let count = Int(value), count >= 2_000 else { throw BenchUsage("--rows is at least 2000") }
                rows = count
            case "--kernels": kernels = value
            case "--json": file = value
            case "--data": folder = value
            case "--only": only = value
            case "--spectrum":
                guard let found = SyntheticVectors.Spectrum(rawValue: value) else { throw BenchUsage(Self.usage) }
                spectrum = found
            default: throw BenchUsage(Self.usage)
            }
        }
        if let kernels, !KernelChoice.present.contains(where: { $0.name == kernels }) {
            let present = KernelChoice.present.map(\.name).joined(separator: ", ")
            throw BenchUsage("--kernels is one of those this CPU has: \(present)")
        }
    }

    var mostRows: Int { rows ?? (isQuick ? 20_000 : 1_000_000) }

    var choices: [KernelChoice] { KernelChoice.present.filter { kernels == nil || $0.name == kernels } }

    var pace: Race.Pace { isQuick ? Race.Pace(rounds: 3, leastSeconds: 0.005, budgetSeconds: 2) : Race.Pace() }

    /// The sizes of the sheet that fit, and the largest there is.
    func sizes(_ wanted: [Int]) -> [Int] {
        let fitting = wanted.filter { $0 <= mostRows }
        return fitting.count < wanted.count && fitting.last != mostRows ? fitting + [mostRows] : fitting
    }

    func wants(_ workload: String) -> Bool { only.map { workload.hasPrefix($0) } ?? true }
}
