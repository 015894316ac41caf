/// When a session's plans are given up, so that they are made anew by what the tables hold by then.
///
/// A plan that was made while a table was empty takes any index for as good as the right one, and may read all of it once for
/// each row that is asked for; the server itself makes plans anew only after it has analyzed the table, minutes later. Young
/// sessions make theirs anew often, since it is on their first night that tables grow from nothing.
struct PlanRenewal {
    static let statement: SQLQuery = "discard plans"

    private static let first = Duration.seconds(1)
    private static let longest = Duration.seconds(60)

    private var due: ContinuousClock.Instant
    private var pause = first

    init(at now: ContinuousClock.Instant = .now) {
        due = now + Self.first
    }

    /// Whether it is time; then the next time is set, each twice as long after the one before, up to a minute.
    mutating func isDue(at now: ContinuousClock.Instant = .now) -> Bool {
        guard now >= due else { return false }
        pause = min(pause * 2, Self.longest)
        due = now + pause
        return true
    }
}
