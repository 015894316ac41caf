/// Where something is, seen from where the couple lives.
package enum PlaceVerdict: Sendable, Hashable {
    case here
    /// Another town that can be reached; kilometres where they are known.
    case near(Double?)
    case unknown
    /// A namesake, another country, or simply too far.
    case elsewhere(String)
}
