/// The mean of the values that are defined, with how many were and how many were not.
package struct DefinedMean: Sendable, Hashable {
    /// Nil where nothing is defined.
    package let mean: Double?
    package let count: Int
    package let undefinedCount: Int

    package init(_ values: [Double?]) {
        let defined = values.compactMap(\.self)
        mean = defined.isEmpty ? nil : defined.reduce(0, +) / Double(defined.count)
        count = defined.count
        undefinedCount = values.count - defined.count
    }

    /// The mean over everything with what is undefined as 0, as trec_eval has it; for comparing figures with others'.
    package var withUndefinedAsZero: Double? {
        let all = count + undefinedCount
        return all == 0 ? nil : (mean ?? 0) * Double(count) / Double(all)
    }
}
