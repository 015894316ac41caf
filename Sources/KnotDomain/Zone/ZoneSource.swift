/// Where zones are looked up by name.
package protocol ZoneSource: Sendable {
    /// Nil when there is no such zone or its rules cannot be used.
    func rules(named name: String) -> ZoneRules?

    /// The release of the zone data, such as `2025b`, where it is known.
    var version: String? { get }
}
