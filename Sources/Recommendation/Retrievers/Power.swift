#if canImport(Glibc)
import Glibc
#endif

/// The few powers the weights need.
enum Power {
    /// One half to the given power.
    static func half(_ exponent: Double) -> Double { exp2(-exponent) }

    /// The power to which two has to be raised.
    static func exponent(ofTwo value: Double) -> Double { log2(value) }
}
