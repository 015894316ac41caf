/// A mean with its interval and what it rests on.
package struct Estimate: Sendable, Hashable {
    /// Nil where no vault has a value.
    package let mean: Double?
    /// By bootstrap at 95 %; nil below two values.
    package let interval: ClosedRange<Double>?
    package let count: Int
    package let undefinedCount: Int

    init(_ values: [Double?], _ bootstrap: Bootstrap) {
        let defined = DefinedMean(values)
        mean = defined.mean
        count = defined.count
        undefinedCount = defined.undefinedCount
        interval = bootstrap.interval(of: values)
    }
}
