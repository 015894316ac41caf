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
}

/// The regularised incomplete beta function, by Lentz's evaluation of its continued fraction.
enum IncompleteBeta {
    /// I_x(a, b) for positive a and b, with x and 1 - x both given: near 1 their difference would have lost its digits.
    static func regularised(_ x: Double, complement y: Double, _ a: Double, _ b: Double) -> Double {
        guard x > 0 else { return 0 }
        guard y > 0 else { return 1 }
        let logFront = a * logarithm(x, complement: y) + b * logarithm(y, complement: x) - logBeta(a, b)
        // The fraction converges fast on this side of the mean; the other side is its mirror image.
        if x < (a + 1) / (a + b + 2) { return exp(logFront) * fraction(x, a, b) / a }
        return 1 - exp(logFront) * fraction(y, b, a) / b
    }

    private static func logarithm(_ x: Double, complement y: Double) -> Double { y < 0.5 ? log1p(-y) : log(x) }

    /// ln B(a, b), with a series where two logarithms of huge gammas would cancel.
    private static func logBeta(_ a: Double, _ b: Double) -> Double {
        guard a > 100, b == 0.5 else { return lgamma(a) + lgamma(b) - lgamma(a + b) }
        let square = 1 / (a * a)
        let series = (1.0 / 8 - square * (1.0 / 192 - square * (1.0 / 640 - square * 17.0 / 14_336))) / a
        return lgamma(0.5) - 0.5 * log(a) + series
    }

    private static func fraction(_ x: Double, _ a: Double, _ b: Double) -> Double {
        let tiny = 1e-300
        func away(_ value: Double) -> Double { value.magnitude < tiny ? tiny : value }
        var c = 1.0
        var d = 1 / away(1 - (a + b) * x / (a + 1))
        var result = d
        for step in 1...100_000 {
            let m = Double(step)
            let even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
            d = 1 / away(1 + even * d)
            c = away(1 + even / c)
            result *= d * c
            let odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
            d = 1 / away(1 + odd * d)
            c = away(1 + odd / c)
            let change = d * c
            result *= change
            if (change - 1).magnitude < 1e-16 { break }
        }
        return result
    }
}
