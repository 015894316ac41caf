/// A day of the week, numbered as ISO 8601 does.
package enum Weekday: Int, CaseIterable, Sendable, Hashable {
    case monday = 1
    case tuesday
    case wednesday
    case thursday
    case friday
    case saturday
    case sunday
}
