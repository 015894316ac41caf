package import JSONDocument
package import KnotDomain

extension YearAhead {
    /// The year as lines for people.
    package func lines(zones: any ZoneSource) -> [String] {
        let words = ReminderWords(zone: subject.zone.rules, now: now)
        var lines = [
            "The coming year of \(partnerName), \(ReminderWords.date(today)) to \(ReminderWords.date(last))",
            "times of \(subject.zone.name); quiet hours \(subject.quiet)\(subject.isEnabled ? "" : "; reminders off")",
        ]
        for entry in entries {
            let left = today.days(until: entry.date)
            let wait = left == 0 ? "today" : left == 1 ? "tomorrow" : "in \(left) days"
            lines += ["", "\(ReminderWords.date(entry.date))  \(entry.milestone.name), \(wait)"]
            if let note = ReminderWords.note(entry.basis) { lines.append("    \(note)") }
            for reminder in entry.reminders {
                let days = reminder.key.daysBefore
                let lead = "    \(days < 10 ? " " : "")\(days) days ahead: "
                lines.append(lead + words.text(reminder.outcome) + together(reminder.key))
            }
        }
        if entries.isEmpty { lines += ["", "no day that matters"] }
        let notes = notes(zones: zones)
        return lines + (notes.isEmpty ? [] : [""] + notes)
    }

    private func together(_ key: ReminderKey) -> String {
        let names = companions(of: key)
        return names.isEmpty ? "" : ", together with \(names.joined(separator: " and "))"
    }

    /// The year for programs.
    package func json(zones: any ZoneSource) -> JSONValue {
        let words = ReminderWords(zone: subject.zone.rules, now: now)
        return [
            "schema": "knot.calendar/1", "vault_id": .string(subject.vault.text), "as_of": .string(now.iso8601),
            "from": .string(today.description), "to": .string(last.description),
            "timezone": .string(subject.zone.name),
            "quiet_hours": ["start": .integer(subject.quiet.start), "end": .integer(subject.quiet.end)],
            "reminders_on": .bool(subject.isEnabled), "days": .array(entries.map { json($0, words) }),
            "messages": .array(
                messages.map { message in
                    [
                        "sends_at": .string(message.sendsAt.iso8601),
                        "reminders": .array(message.reminders.map { .string($0.description) }),
                    ]
                }
            ),
            "notes": .array(notes(zones: zones).map { .string($0) }),
        ]
    }

    private func json(_ entry: Entry, _ words: ReminderWords) -> JSONValue {
        [
            "date": .string(entry.date.description), "milestone_id": .string(entry.milestone.id.text),
            "name": .string(entry.milestone.name), "type": .string(entry.milestone.kind.rawValue),
            "recurrence": .string(entry.milestone.recurrence.rawValue),
            "note": JSONValue(ReminderWords.note(entry.basis)),
            "reminders": .array(
                entry.reminders.map { reminder in
                    let local = reminder.sendsAt.map { subject.zone.rules.local(at: $0).description }
                    return [
                        "key": .string(reminder.key.description), "days_before": .integer(reminder.key.daysBefore),
                        "sends_at": JSONValue(reminder.sendsAt?.iso8601), "local_time": JSONValue(local),
                        "says": .string(words.text(reminder.outcome)),
                    ]
                }
            ),
        ]
    }
}
