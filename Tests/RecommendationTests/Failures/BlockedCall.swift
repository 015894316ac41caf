#if canImport(Glibc)
import Glibc
#endif

/// A call into something that neither returns in time nor hears of cancellation.
enum BlockedCall {
    /// Keeps the calling thread for longer than any run takes that is not to wait for it.
    static func hold() { usleep(20_000_000) }
}
