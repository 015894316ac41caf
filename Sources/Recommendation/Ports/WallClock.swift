package import KnotDomain

/// Tells the time of day; stages never ask the machine.
package protocol WallClock: Sendable {
    func now() -> Instant
}
