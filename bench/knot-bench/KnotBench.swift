#if canImport(Glibc)
import Glibc
#endif

/// Measures in release and keeps the figures:
/// `knot-bench [engine|vectors|exactness|report|database|retrieval|words|catalogue-plots]`.
///
/// Without a verb the engine is measured.
@main
struct KnotBench {
    static func main() async throws {
        var arguments = CommandLine.arguments.dropFirst()
        // Without a verb the engine is measured, whatever options follow.
        let verb = arguments.first.flatMap { $0.hasPrefix("-") ? nil : $0 } ?? "engine"
        if arguments.first == verb { arguments.removeFirst() }
        do {
            switch verb {
            case "engine": try EngineBench(arguments).run()
            case "vectors": try VectorBench(arguments).run()
            case "exactness": try ExactnessBench(arguments).run()
            case "report": try ReportBench(arguments).run()
            case "database": try await DatabaseBench(arguments).run()
            case "words": try WordWeightsBench(arguments).run()
            case "retrieval": if try !RetrievalBench(arguments).run() { exit(1) }
            case "catalogue-plots": try CataloguePlots(arguments).run()
            default:
                throw BenchUsage(
                    "knot-bench [engine|vectors|exactness|report|database|retrieval|words|catalogue-plots] [options]"
                )
            }
        } catch let usage as BenchUsage {
            print(usage)
            exit(2)
        }
    }
}
