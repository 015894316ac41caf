import FoundationEssentials

#if canImport(Glibc)
import Glibc
#endif

/// The three functions a distance on a sphere needs.
enum Trigonometry {
    static func sine(_ angle: Double) -> Double { sin(angle) }
    static func cosine(_ angle: Double) -> Double { cos(angle) }
    static func arcsine(_ ratio: Double) -> Double { asin(ratio) }
}
