package import KnotDomain

/// The sentences in which a plan explains itself.
package struct ReminderWords: Sendable {
    private let zone: ZoneRules
    private let now: Instant

    /// The sentences of a plan that was made at this moment.
    package init(zone: ZoneRules, now: Instant) {
        self.zone = zone
        self.now = now
    }

    /// `Sat 9 May 2026 at 13:21`, on the person's clock.
    package func time(_ moment: Instant) -> String {
        let local = zone.local(at: moment)
        func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(Self.date(local.date)) at \(padded(local.hour)):\(padded(local.minute))"
    }

    /// `Sat 9 May 2026`.
    package static func date(_ day: CivilDate) -> String {
        let names = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
        let parts = day.dayAndMonth.split(separator: " ")
        return "\(names[day.weekday.rawValue - 1]) \(parts[0]) \(parts[1].prefix(3)) \(day.year)"
    }

    /// What is done about a reminder, and why.
    package func text(_ outcome: ReminderDecision.Outcome) -> String {
        switch outcome {
        case .plan(let moment, let timing): "\(time(moment))\(Self.note(timing))"
        case .keep(let moment, let timing):
            "\(time(moment))\(Self.note(timing)), \(moment <= now ? "due" : "as planned")"
        case .move(let before, let moment, let timing):
            "\(time(moment))\(Self.note(timing)), moved from \(time(before))"
        case .cancel(let reason): "cancelled: \(Self.text(reason))"
        case .begun: "begun, and tried until it goes out or is put aside"
        case .used(.sent): "sent before"
        case .used(.failed): "failed before, and is put aside"
        case .used(.calledOff): "called off, and does not come"
        case .skip(let reason): "none: \(Self.text(reason))"
        }
    }

    private static func note(_ timing: ReminderDecision.Timing) -> String {
        switch timing {
        case .onItsDay: ""
        case .laterThan(let day): ", since \(date(day)) has no allowed time"
        case .late: ", late, for all that were missed"
        }
    }

    package static func text(_ reason: ReminderDecision.Reason) -> String {
        switch reason {
        case .standsIn(let days): "its time is over, and the reminder \(days) days ahead stands for it"
        case .nextIsNear(let days): "its time is over, and the reminder \(days) days ahead comes soon"
        case .dayHasCome: "its day is here"
        case .remindersOff: "reminders are turned off"
        case .noTimeLeft: "no allowed time is left before the day"
        case .dayIsFull: "the day has as many reminders as a day may have"
        case .neverAllowed: "quiet hours leave no time to send it"
        case .dayChanged: "the milestone is gone or has another day now"
        }
    }

    /// How an occurrence's day was found, where that is not plain.
    package static func note(_ basis: Occurrence.Basis) -> String? {
        switch basis {
        case .stored: nil
        case .leapDay: "29 February, observed on this day"
        case .computed(let holiday): "worked out for \(holiday.rawValue)"
        case .listed(let holiday): HolidayTable.of(holiday).map { "as listed: \($0.source)" }
        }
    }

    /// Why a milestone has no day.
    package static func text(_ end: Occurrence) -> String {
        switch end {
        case .on(let day, _): "on \(date(day))"
        case .past(let day): "it was on \(date(day)) and does not come again"
        case .unknown(let holiday, let year):
            "the day of \(holiday.rawValue) is not known here after \(year); store it as a milestone of one time"
        }
    }
}
