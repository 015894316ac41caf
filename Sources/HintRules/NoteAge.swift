import KnotDomain

/// How long ago a note was taken, as far as a reading depends on it.
enum NoteAge: String {
    case current
    /// "The 20th" is over; "20 December" and "Tuesdays" come again.
    case past
    /// It counts a little less.
    case old

    private static let currentForDays: Int64 = 62
    private static let oldAfterDays: Int64 = 540
    private static let millisecondsPerDay: Int64 = 86_400_000

    init(of hint: Hint, at asOf: Instant) {
        let distance = asOf.millisecondsSinceEpoch.subtractingReportingOverflow(hint.createdAt.millisecondsSinceEpoch)
        // What is farther away than numbers reach is as old, or as new, as anything can be.
        let farthest = hint.createdAt < asOf ? Int64.max : Int64.min
        let age = distance.overflow ? farthest : distance.partialValue
        if age > Self.oldAfterDays * Self.millisecondsPerDay {
            self = .old
        } else {
            self = age > Self.currentForDays * Self.millisecondsPerDay ? .past : .current
        }
    }
}
