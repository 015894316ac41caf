/// The command was called in a way it does not know.
struct BenchUsage: Error, CustomStringConvertible {
    let description: String

    init(_ usage: String) { description = "usage: \(usage)" }
}
