import FoundationEssentials
import KnotDomain
import Recommendation

/// The machine's own clock: used only where neither the command line nor a fixture says what time it is.
struct MachineClock: WallClock {
    func now() -> Instant {
        Instant(millisecondsSinceEpoch: Int64((Date().timeIntervalSince1970 * 1_000).rounded()))
    }
}
