#if canImport(Glibc)
import Glibc
#endif

/// A call into something that neither returns in time nor hears of cancellation.
enum BlockedCall {
    /// Keeps the calling thread for a quarter of a second.
    static func hold() { usleep(250_000) }
}
