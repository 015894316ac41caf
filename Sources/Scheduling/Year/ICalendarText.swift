package import KnotDomain

/// Writes the lines of an iCalendar file (RFC 5545): escaped, folded, and ended as it asks.
package struct ICalendarText: Sendable {
    private(set) package var text = ""

    package init() {}

    /// Adds a line of a property whose value is not a text, such as a date.
    package mutating func line(_ name: String, raw value: String) {
        append("\(name):\(value)")
    }

    /// Adds a line of a property whose value is a text.
    package mutating func line(_ name: String, text value: String) {
        append("\(name):\(Self.escaped(value))")
    }

    /// `20260516`.
    package static func date(_ day: CivilDate) -> String { day.description.filter { $0 != "-" } }

    /// `20260509T172100Z`: universal time, which no calendar has to have a zone for.
    package static func moment(_ instant: Instant) -> String {
        let time = LocalDateTime(secondsSinceEpoch: Int(instant.secondsSinceEpoch)).description
        return time.filter { $0 != "-" && $0 != ":" } + "Z"
    }

    /// A text as a value: separators behind a backslash, line ends as `\n`, other controls left out.
    package static func escaped(_ value: String) -> String {
        var escaped = ""
        var isAfterReturn = false
        for scalar in value.unicodeScalars {
            switch scalar {
            case "\\", ";", ",": escaped += "\\\(scalar)"
            case "\r": escaped += "\\n"
            case "\n": escaped += isAfterReturn ? "" : "\\n"
            case "\t": escaped += " "
            case _ where scalar.properties.generalCategory == .control: break
            default: escaped.unicodeScalars.append(scalar)
            }
            isAfterReturn = scalar == "\r"
        }
        return escaped
    }

    /// A line has at most 75 bytes; what is longer goes on in the next one behind a space, never inside a character.
    private mutating func append(_ line: String) {
        var room = 75
        for scalar in line.unicodeScalars {
            let width = Unicode.UTF8.width(scalar)
            if width > room {
                text += "\r\n "
                room = 74
            }
            text.unicodeScalars.append(scalar)
            room -= width
        }
        text += "\r\n"
    }
}

extension YearAhead {
    /// The year as a file for any calendar: a whole-day event for each milestone, with its reminders as alarms.
    ///
    /// An event's UID is its milestone, so a file that is read again replaces what it brought before, whatever day that had.
    package var iCalendar: String {
        var file = ICalendarText()
        file.line("BEGIN", raw: "VCALENDAR")
        file.line("VERSION", raw: "2.0")
        file.line("PRODID", raw: "-//knot-recommend//calendar//EN")
        file.line("CALSCALE", raw: "GREGORIAN")
        file.line("METHOD", raw: "PUBLISH")
        file.line("NAME", text: "Days of \(partnerName)")
        // What most programs read instead of NAME.
        file.line("X-WR-CALNAME", text: "Days of \(partnerName)")
        var days = Dictionary(grouping: entries, by: \.milestone.id)
        for entry in entries {
            if let all = days.removeValue(forKey: entry.milestone.id) { add(entry, and: all.dropFirst(), to: &file) }
        }
        file.line("END", raw: "VCALENDAR")
        return file.text
    }

    /// A milestone's first day, and the others that some holidays have in a year.
    private func add(_ entry: Entry, and others: ArraySlice<Entry>, to file: inout ICalendarText) {
        let day = ICalendarText.date(entry.date)
        file.line("BEGIN", raw: "VEVENT")
        file.line("UID", text: "\(entry.milestone.id)@knot-recommend")
        file.line("DTSTAMP", raw: ICalendarText.moment(now))
        file.line("DTSTART;VALUE=DATE", raw: day)
        file.line("DTEND;VALUE=DATE", raw: ICalendarText.date(entry.date.adding(days: 1)))
        for other in others { file.line("RDATE;VALUE=DATE", raw: ICalendarText.date(other.date)) }
        file.line("SUMMARY", text: entry.milestone.name)
        if let note = ReminderWords.note(entry.basis) { file.line("DESCRIPTION", text: note) }
        file.line("CATEGORIES", text: entry.milestone.kind.rawValue)
        file.line("TRANSP", raw: "TRANSPARENT")
        for reminder in entry.reminders + others.flatMap(\.reminders) {
            guard let moment = reminder.sendsAt else { continue }
            let left = subject.zone.rules.localDate(at: moment).days(until: reminder.key.occurrence)
            file.line("BEGIN", raw: "VALARM")
            file.line("ACTION", raw: "DISPLAY")
            file.line("DESCRIPTION", text: "\(entry.milestone.name) in \(left) \(left == 1 ? "day" : "days")")
            file.line("TRIGGER;VALUE=DATE-TIME", raw: ICalendarText.moment(moment))
            file.line("END", raw: "VALARM")
        }
        file.line("END", raw: "VEVENT")
    }
}
