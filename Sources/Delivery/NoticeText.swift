package import KnotDomain

/// The words of a notice, composed from names of days and titles of choices, which are strangers' texts.
///
/// Whatever those hold, the words are two short lines of visible characters: no markup, no control, no change of
/// direction, and nothing cut in the middle of a character.
package struct NoticeText: Sendable, Hashable {
    /// At most `longestTitle` characters.
    package let title: String
    /// At most `Notice.longestBody` characters.
    package let body: String

    package static let longestTitle = 50
    /// The most bytes of one character: more than any emoji has, less than heaps of accents would take.
    static let longestCharacter = 40
    private static let separator = " · "
    private static let longestPartner = 20
    /// As much as names of several days take of the body where there are choices.
    private static let longestDays = 56

    /// One of the days, named and counted from the day of the reader.
    private struct Day {
        let name: String
        let when: String

        /// The name is cut, never when it is.
        func text(_ limit: Int) -> String {
            "\(NoticeText.shortened(name, to: max(1, limit - when.count - 1))) \(when)"
        }
    }

    /// - Parameters:
    ///   - partner: Whose days they are; nothing where no name is known.
    ///   - today: The day it is where the notice is read: a late reminder tells the days that are really left.
    ///   - occasions: The nearest first.
    ///   - choices: Titles of what was chosen, in their order.
    package init(partner: String?, today: CivilDate, occasions: [Notice.Occasion], choices: [String]) {
        let partner = Self.shortened(Self.visible(partner ?? ""), to: Self.longestPartner)
        let days = occasions.map { occasion in
            let name = Self.visible(occasion.name)
            return Day(name: name.isEmpty ? "A special day" : name, when: Self.when(occasion.day, today))
        }
        let titles = choices.map(Self.visible).filter { !$0.isEmpty }
        title = Self.title(partner, days)
        body = days.count > 1 ? Self.digest(days, titles) : Self.ideas(titles, within: Notice.longestBody)
    }

    private static func title(_ partner: String, _ days: [Day]) -> String {
        guard let first = days.first else { return partner.isEmpty ? "A day is coming" : "\(partner): a day is coming" }
        if days.count > 1 {
            return (partner.isEmpty ? "" : "\(partner): ") + "\(days.count) days are coming"
        }
        // "Ana: Ana's birthday in 3 days" would say it twice.
        let names = words(of: partner)
        let isNamed = partner.isEmpty || !names.isEmpty && words(of: first.name).contains(names)
        let prefix = isNamed ? "" : "\(partner): "
        return prefix + first.text(longestTitle - prefix.count)
    }

    /// All days that have room, and then ideas for the first.
    private static func digest(_ days: [Day], _ titles: [String]) -> String {
        let room = titles.isEmpty ? Notice.longestBody - 1 : longestDays
        var told: [String] = []
        for (place, day) in days.enumerated() {
            let left = days.count - place - 1
            let used = told.reduce(0) { $0 + $1.count + 2 }
            // " and 12 more" has to fit behind it where others are left.
            let free = room - used - (left > 0 ? 6 + String(left).count + 5 : 0)
            guard place == 0 || free >= min(day.name.count, 12) + day.when.count + 1 else { break }
            told.append(day.text(free))
        }
        let more = days.count - told.count
        let list = told.joined(separator: ", ") + (more > 0 ? " and \(more) more" : "") + "."
        guard !titles.isEmpty else { return list }
        return "\(list) \(ideas(titles, within: Notice.longestBody - list.count - 1))"
    }

    /// Titles of what was chosen, each with a fair part of the room: short ones leave theirs to the others.
    private static func ideas(_ titles: [String], within room: Int) -> String {
        guard !titles.isEmpty else { return "It is time to look for something." }
        let label = "Ideas: "
        // A title of fewer characters says nothing, so fewer titles are told.
        let most = max(1, (room - label.count + separator.count) / (12 + separator.count))
        let told = Array(titles.prefix(most))
        let free = room - label.count - separator.count * (told.count - 1)
        return label + fairly(told, free).joined(separator: separator)
    }

    /// Texts shortened to so many characters together.
    private static func fairly(_ texts: [String], _ room: Int) -> [String] {
        var limits = [Int](repeating: 0, count: texts.count)
        var left = room
        // From the shortest on, each may have an equal part of what is left.
        let order = texts.indices.sorted { (texts[$0].count, $0) < (texts[$1].count, $1) }
        for (done, place) in order.enumerated() {
            limits[place] = min(texts[place].count, left / (texts.count - done))
            left -= limits[place]
        }
        return texts.indices.map { shortened(texts[$0], to: limits[$0]) }
    }

    /// Whole words: "Al" is not in "Valentine".
    private static func words(of text: String) -> [String] {
        text.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init)
    }

    private static func when(_ day: CivilDate, _ today: CivilDate) -> String {
        switch today.days(until: day) {
        case ..<0: "has passed"
        case 0: "today"
        case 1: "tomorrow"
        case let days: "in \(days) days"
        }
    }
}

extension NoticeText {
    /// A stranger's text on one line: without controls, invisible characters and changes of direction, and no markup.
    package static func visible(_ text: String) -> String {
        let text = BoundaryText.clean(text, limit: 1_024)
        // Most texts are plain, and have nothing of what follows.
        let brackets = UInt8(ascii: "<")...UInt8(ascii: ">")
        if text.utf8.allSatisfy({ $0 < 0x7F && !brackets.contains($0) }) { return text }
        // By scalars: with an accent over it, a bracket is another character, and to HTML still a bracket.
        let scalars = text.unicodeScalars.map { scalar -> Unicode.Scalar in
            switch scalar {
            case "<": "‹"
            case ">": "›"
            default: scalar
            }
        }
        var kept = String.UnicodeScalarView()
        for character in String(String.UnicodeScalarView(scalars)) {
            let whole = character.unicodeScalars
            kept += character.utf8.count <= longestCharacter ? whole[...] : whole.prefix(1)
        }
        // A mark without a letter would sit on whatever stands before the text.
        let marks: [Unicode.GeneralCategory] = [.nonspacingMark, .spacingMark, .enclosingMark]
        return String(kept.drop { $0 == " " || marks.contains($0.properties.generalCategory) })
    }

    /// The text, or its beginning with an ellipsis, in at most so many characters; cut between characters only.
    package static func shortened(_ text: String, to limit: Int) -> String {
        guard text.count > limit else { return text }
        guard limit > 0 else { return "" }
        var kept = text.prefix(limit - 1)
        while kept.last == " " { kept.removeLast() }
        return kept + "…"
    }
}

extension Notice {
    /// A notice in the words that `NoticeText` finds for the partner's days, `today` being the day where the person is.
    ///
    /// Names and titles are made visible characters here.
    package init(
        id: NoticeID,
        user: UserID,
        vault: VaultID,
        partner: String?,
        today: CivilDate,
        occasions: [Occasion],
        choices: [Choice],
        device: Device?,
        expires: Instant,
        isRepeated: Bool = false
    ) {
        let text = NoticeText(partner: partner, today: today, occasions: occasions, choices: choices.map(\.title))
        self.init(
            id: id,
            user: user,
            vault: vault,
            title: text.title,
            body: text.body,
            occasions: occasions.map { occasion in
                Occasion(
                    milestone: occasion.milestone,
                    name: NoticeText.visible(occasion.name),
                    day: occasion.day,
                    daysBefore: occasion.daysBefore,
                    run: occasion.run
                )
            },
            choices: choices.map { Choice(id: $0.id, kind: $0.kind, title: NoticeText.visible($0.title)) },
            device: device,
            expires: expires,
            isRepeated: isRepeated
        )
    }
}
