package import JSONDocument
package import KnotDomain

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

extension JSONValue: SQLReadable {
    package init(_ cell: SQLCell) throws(PostgresError) {
        var text = cell.bytes
        switch cell.type {
        case .json: break
        case .jsonb:
            guard text.first == 1 else { throw cell.mismatch("it has an unknown version of jsonb") }
            text = text.dropFirst()
        default: throw cell.mismatch()
        }
        do throws(JSONSyntaxError) {
            self = try JSONParser.parse(Array(text), maximumDepth: 512)
        } catch {
            throw cell.mismatch("its JSON cannot be read")
        }
    }
}
