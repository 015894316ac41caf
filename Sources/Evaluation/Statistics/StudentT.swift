#if canImport(Glibc)
import Glibc
#endif

/// Student's t distribution, by the regularised incomplete beta function; accurate to better than 1e-12.
package struct StudentT: Sendable {
    package let degrees: Double

    /// Degrees of freedom, above 0.
    package init(degrees: Double) {
        precondition(degrees > 0, "a t distribution needs more than no degrees of freedom")
        self.degrees = degrees
    }

    /// The probability of a value up to this one.
    package func cumulative(_ t: Double) -> Double {
        guard !t.isNaN else { return .nan }
        let tail = upperTail(t.magnitude)
        return t > 0 ? 1 - tail : tail
    }

    /// The probability of a value above this one, accurate where it is tiny.
    package func upperTail(_ t: Double) -> Double {
        if t < 0 { return 1 - upperTail(-t) }
        if t.isInfinite { return 0 }
        let square = t * t
        let whole = degrees + square
        // A t beyond the square root of the largest number has no tail left.
        guard whole.isFinite else { return 0 }
        return 0.5 * IncompleteBeta.regularised(degrees / whole, complement: square / whole, degrees / 2, 0.5)
    }

    /// The probability of a value at least as far from 0, on either side.
    package func twoSided(_ t: Double) -> Double { min(1, 2 * upperTail(t.magnitude)) }

    /// The value that a given probability lies below; infinite at 0 and 1.
    package func quantile(_ probability: Double) -> Double {
        guard probability > 0 else { return -.infinity }
        guard probability < 1 else { return .infinity }
        if probability < 0.5 { return -quantile(1 - probability) }
        let tail = 1 - probability
        var (low, high) = (0.0, 1.0)
        while upperTail(high) > tail, high < 1e300 { (low, high) = (high, high * 2) }
        // Halving ends at neighbouring numbers: as exact as the distribution itself.
        while true {
            let middle = low + (high - low) / 2
            guard middle > low, middle < high else { return middle }
            if upperTail(middle) > tail { low = middle } else { high = middle }
        }
    }
}
