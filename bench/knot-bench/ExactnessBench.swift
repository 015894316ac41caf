import Exactness

/// `knot-bench exactness`: proves that every way of searching gives the same answer, on as many cases as are asked for.
struct ExactnessBench {
    private var pairs = 10_000_000
    private var matrices = 10_000
    private var seed: UInt64 = 1

    static let usage = "knot-bench exactness [--pairs N] [--matrices N] [--seed N]"

    init(_ arguments: ArraySlice<String>) throws {
        var arguments = arguments
        while let flag = arguments.popFirst() {
            guard let value = arguments.popFirst().flatMap(UInt64.init), value <= UInt64(Int.max) else {
                throw BenchUsage(Self.usage)
            }
            switch flag {
            case "--pairs": pairs = Int(value)
            case "--matrices": matrices = Int(value)
            case "--seed": seed = value
            default: throw BenchUsage(Self.usage)
            }
        }
    }

    func run() throws {
        let clock = ContinuousClock()
        let start = clock.now
        print(try ExactnessProof.run(pairs: pairs, matrices: matrices, seed: seed))
        print("took \(clock.now - start) on \(Machine.cpu)")
    }
}
