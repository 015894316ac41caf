import Glibc

/// Nanoseconds since 1970, by the clock of this machine: spans of several machines lie side by side by it.
package struct UnixTime: Sendable, Hashable, Comparable {
    package let nanoseconds: UInt64

    package init(nanoseconds: UInt64) { self.nanoseconds = nanoseconds }

    package static var now: UnixTime {
        var time = timespec()
        // The structure outlives the call, which fills it.
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        return UnixTime(nanoseconds: UInt64(max(0, time.tv_sec)) * 1_000_000_000 + UInt64(max(0, time.tv_nsec)))
    }

    package static func + (time: UnixTime, span: Duration) -> UnixTime {
        let (seconds, attoseconds) = span.components
        let sum = Int64(clamping: time.nanoseconds).addingReportingOverflow(
            seconds.multipliedReportingOverflow(by: 1_000_000_000).partialValue + attoseconds / 1_000_000_000
        )
        return UnixTime(nanoseconds: UInt64(max(0, sum.partialValue)))
    }

    package static func - (time: UnixTime, span: Duration) -> UnixTime { time + (.zero - span) }

    package static func < (one: UnixTime, other: UnixTime) -> Bool { one.nanoseconds < other.nanoseconds }
}
