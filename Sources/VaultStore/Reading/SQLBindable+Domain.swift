package import KnotDomain
package import PostgresClient

extension Instant: SQLArrayElement {
    package static var bindType: PostgresType { .timestamptz }
    package static var arrayType: PostgresType { .timestamptzArray }

    /// Microseconds since 2000-01-01T00:00:00Z.
    package var bind: SQLBind {
        let (sinceEpoch, overflows) = millisecondsSinceEpoch.multipliedReportingOverflow(by: 1_000)
        let (since2000, underflows) = sinceEpoch.subtractingReportingOverflow(Self.microsecondsTo2000)
        return SQLBind(.timestamptz, .bigEndian(since2000), flaw: overflows || underflows ? .outOfRange : nil)
    }

    static let microsecondsTo2000: Int64 = 946_684_800_000_000
}

extension CivilDate: SQLArrayElement {
    package static var bindType: PostgresType { .date }
    package static var arrayType: PostgresType { .dateArray }

    /// Days since 2000-01-01.
    package var bind: SQLBind {
        let days = Int32(exactly: daysSinceEpoch - Self.daysTo2000)
        return SQLBind(.date, .bigEndian(days ?? 0), flaw: days == nil ? .outOfRange : nil)
    }

    static let daysTo2000 = 10_957
}

extension Instant: SQLReadable {
    /// Whole milliseconds: what is finer is dropped, towards the past.
    package init(_ cell: SQLCell) throws(PostgresError) {
        try cell.expect(.timestamptz)
        try cell.expect(bytes: 8)
        let since2000 = cell.integer(Int64.self, at: 0)
        let (microseconds, overflows) = since2000.addingReportingOverflow(Self.microsecondsTo2000)
        // The ends of the range are the server's infinities, which are no moments.
        guard since2000 != .min, since2000 != .max, !overflows else { throw cell.mismatch("it is no moment") }
        let (quotient, remainder) = microseconds.quotientAndRemainder(dividingBy: 1_000)
        self.init(millisecondsSinceEpoch: remainder < 0 ? quotient - 1 : quotient)
    }
}

extension CivilDate: SQLReadable {
    package init(_ cell: SQLCell) throws(PostgresError) {
        try cell.expect(.date)
        try cell.expect(bytes: 4)
        let days = cell.integer(Int32.self, at: 0)
        guard days != .min, days != .max else { throw cell.mismatch("it is no day") }
        self.init(daysSinceEpoch: Int(days) + Self.daysTo2000)
    }
}
