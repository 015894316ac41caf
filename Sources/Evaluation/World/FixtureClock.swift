package import KnotDomain
import Recommendation

/// A clock that stands still.
package struct FixtureClock: WallClock {
    private let instant: Instant

    package init(_ instant: Instant) {
        self.instant = instant
    }

    package func now() -> Instant { instant }
}
