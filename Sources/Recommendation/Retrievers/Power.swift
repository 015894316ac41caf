#if canImport(Glibc)
import Glibc
#endif

/// The few powers the weights need.
enum Power {
    /// One half to the given power.
    static func half(_ exponent: Double) -> Double { exp2(-exponent) }
}
