#if canImport(Glibc)
import Glibc
#endif

/// How little known the items of a list are.
package enum Novelty {
    /// The mean of -log2((popularity + 1) / (users + 1)) in bits; smoothed, so that what nobody knows has a value.
    package static func selfInformation(popularity: [Int], users: Int) -> Double? {
        guard !popularity.isEmpty else { return nil }
        let sum = popularity.reduce(0.0) { $0 - log2((Double($1) + 1) / (Double(users) + 1)) }
        return sum / Double(popularity.count)
    }
}
