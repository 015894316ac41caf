package import JSONDocument
package import KnotDomain

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

extension JSONValue: SQLArrayElement {
    package static var bindType: PostgresType { .jsonb }
    package static var arrayType: PostgresType { .jsonbArray }

    /// The one version of jsonb's form, then the text.
    package var bind: SQLBind {
        SQLBind(.jsonb, [1] + JSONWriter.bytes(self), flaw: hasZero ? .zeroInText : nil)
    }

    /// True when a string or a name holds U+0000, which jsonb cannot.
    private var hasZero: Bool {
        switch self {
        case .null, .bool, .integer, .number: false
        case .string(let text): text.utf8.contains(0)
        case .array(let items): items.contains(where: \.hasZero)
        case .object(let object): object.members.contains { $0.name.utf8.contains(0) || $0.value.hasZero }
        }
    }
}
