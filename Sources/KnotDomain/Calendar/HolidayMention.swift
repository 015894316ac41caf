/// A holiday that a milestone's name speaks of, with the country or church that the name itself gives.
package struct HolidayMention: Hashable, Sendable {
    /// Whose rule a name asks for.
    package enum Custom: Hashable, Sendable {
        /// ISO 3166 alpha-2.
        case country(String)
        case orthodox
    }

    package let holiday: Holiday
    /// Nil when the name leaves it to the vault's country.
    package let custom: Custom?
    /// Whether the name says nothing else.
    package let isWholeName: Bool

    /// Finds whole phrases only: "Grandmother's birthday" is not Mother's Day, and "Christmas Eve" is not Christmas.
    package init?(in name: String) {
        let words = Self.words(name)
        // The longest phrase decides: "Orthodox Easter" before "Easter".
        var best: (range: Range<Int>, meaning: Meaning)?
        for start in words.indices where Self.openings.contains(words[start]) {
            for length in 1...4 where start + length <= words.count && length > best?.range.count ?? 0 {
                let range = start..<start + length
                if let meaning = Self.phrases[words[range].joined(separator: " ")] { best = (range, meaning) }
            }
        }
        guard let (range, meaning) = best, case .holiday(let holiday, let custom) = meaning else { return nil }
        let rest = words[..<range.lowerBound] + words[range.upperBound...]
        guard rest.allSatisfy({ !Self.otherDays.contains($0) }) else { return nil }
        self.holiday = holiday
        isWholeName = rest.allSatisfy { ["orthodox", "greek"].contains($0) || Self.country([$0]) != nil }
        self.custom = custom ?? (words.contains { $0 == "orthodox" || $0 == "greek" } ? .orthodox : Self.country(words))
    }

    private enum Meaning {
        case holiday(Holiday, Custom?)
        /// A day of its own that only contains a holiday's name.
        case another
    }

    private static func words(_ name: String) -> [String] {
        let plain = BoundaryText.clean(name, limit: TextLimit.name).lowercased()
        if plain.utf8.allSatisfy({ $0 < 0x80 }) { return words(ascii: plain) }
        let words = plain.split { character in
            !(character.isLetter || character.isNumber || "'’‘ʼ`´＇".contains(character))
        }
        // The apostrophe carries nothing: "mothers day", "mothers' day" and "mother's day" are one.
        return words.map { word in String(word.filter { $0.isLetter || $0.isNumber }) }.filter { !$0.isEmpty }
    }

    /// The same, told by bytes.
    private static func words(ascii name: String) -> [String] {
        var words: [String] = []
        var word = ""
        for scalar in name.unicodeScalars {
            switch scalar {
            case "a"..."z", "A"..."Z", "0"..."9": word.unicodeScalars.append(scalar)
            case "'", "`": continue
            default:
                if !word.isEmpty { words.append(word) }
                word = ""
            }
        }
        return word.isEmpty ? words : words + [word]
    }

    private static func country(_ words: [String]) -> Custom? {
        for word in words {
            switch word {
            case "canadian", "canada": return .country("CA")
            case "american", "usa", "us": return .country("US")
            case "british", "uk", "english": return .country("GB")
            case "irish": return .country("IE")
            case "australian": return .country("AU")
            default: continue
            }
        }
        return nil
    }

    /// Words that make a phrase mean another day than the holiday itself.
    private static let otherDays: Set<String> = [
        "birthday", "bday", "anniversary", "after", "before", "following", "eve", "monday", "tuesday", "wednesday",
        "thursday", "friday", "saturday", "coptic", "julian", "armenian", "week", "weeks", "month", "step", "grand",
    ]

    /// The words that a phrase begins with: most words of a name begin none.
    private static let openings = Set(phrases.keys.map { String($0.prefix { $0 != " " }) })

    private static let phrases: [String: Meaning] = {
        let names: [(Holiday, Custom?, [String])] = [
            (
                .valentinesDay, nil,
                [
                    "valentines day", "valentine day", "valentines", "saint valentines day",
                    "st valentines day", "saint valentines", "st valentines",
                ]
            ),
            (.mothersDay, nil, ["mothers day", "mother day", "mums day", "moms day"]),
            (.mothersDay, .country("GB"), ["mothering sunday"]),
            (.fathersDay, nil, ["fathers day", "father day", "dads day"]),
            (
                .independenceDay, nil,
                [
                    "independence day", "fourth of july", "4th of july", "july 4th", "july fourth",
                    "july 4",
                ]
            ),
            (.halloween, nil, ["halloween", "hallowe en", "all hallows eve"]),
            (.thanksgiving, nil, ["thanksgiving", "thanksgiving day"]),
            (.christmas, nil, ["christmas", "christmas day", "xmas", "xmas day"]),
            (.newYearsEve, nil, ["new years eve", "new year eve", "new year s eve", "nye"]),
            (.easter, nil, ["easter", "easter sunday", "easter day"]),
            (.easter, .orthodox, ["orthodox easter", "greek easter", "pascha"]),
            (.hanukkah, nil, ["hanukkah", "chanukah", "hanukah", "chanukkah", "hannukah"]),
            (.diwali, nil, ["diwali", "deepavali", "divali", "dipavali"]),
            (.lunarNewYear, nil, ["lunar new year", "chinese new year", "spring festival"]),
            (.eidAlFitr, nil, ["eid al fitr", "eid ul fitr", "eid alfitr", "eid ulfitr", "eid el fitr"]),
            (
                .eidAlAdha, nil,
                [
                    "eid al adha", "eid ul adha", "eid aladha", "eid uladha", "eid el adha",
                    "eid ul azha",
                ]
            ),
        ]
        var table: [String: Meaning] = [:]
        for (holiday, custom, phrases) in names {
            for phrase in phrases { table[phrase] = .holiday(holiday, custom) }
        }
        for phrase in ["orthodox christmas", "new years eve eve", "christmas in july", "second christmas day"] {
            table[phrase] = .another
        }
        return table
    }()
}
