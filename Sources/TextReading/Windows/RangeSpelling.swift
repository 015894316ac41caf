import TextEncoding

/// Writes out what a tokenizer leaves out of a stretch of days: "30 Dec – 2 Jan" becomes "30 Dec to 2 Jan".
package enum RangeSpelling {
    private static let dashes: Set<Character> = ["-", "\u{2010}", "\u{2011}", "\u{2012}", "–", "—", "−"]

    /// The same text where no day stands beside a dash, a dot or a comma.
    package static func plain(_ text: String) -> String {
        guard text.utf8.contains(where: { $0 == 0xE2 || $0 == 0x2D || (0x30...0x39).contains($0) }) else { return text }
        let letters = Array(text)
        var result = ""
        result.reserveCapacity(text.utf8.count + 8)
        for (place, letter) in letters.enumerated() {
            switch letter {
            case ".":
                // The dot of "Dec." ends no sentence when the day goes on behind it.
                let isShort = isShortDay(word(before: place, in: letters)) && goesOn(after: place, in: letters)
                result.append(isShort ? " " : letter)
            case ",":
                let goesOn = isDay(word(before: place, in: letters)) && isDay(word(after: place, in: letters))
                // "Friday, 30 December" and "December 30, 2026" are one day each.
                let joins = goesOn && isPartOfDate(place, in: letters)
                result.append(joins ? " " : letter)
            case "/": result += isBetweenDays(place, in: letters) ? " and " : "/"
            default:
                result += dashes.contains(letter) && isBetweenDays(place, in: letters) ? " to " : String(letter)
            }
        }
        return result
    }

    /// Of two bare numbers one must stand beside a month or a weekday: "3-4 October", and not "3-4 friends".
    private static func isBetweenDays(_ place: Int, in letters: [Character]) -> Bool {
        let (before, after) = (word(before: place, in: letters), word(after: place, in: letters))
        guard isDay(before), isDay(after) else { return false }
        guard before.allSatisfy(\.isNumber), after.allSatisfy(\.isNumber) else { return true }
        let earlier = letters[..<place].lastIndex { $0.isNumber }.map { last in
            letters[...last].lastIndex { !$0.isNumber }.map { word(before: $0, in: letters) } ?? ""
        }
        let later = letters[(place + 1)...].firstIndex { $0.isNumber }.flatMap { first in
            letters[first...].firstIndex { !$0.isNumber }.map { word(after: $0, in: letters) }
        }
        return [earlier ?? "", later ?? ""].contains {
            ["the", "of"].contains($0) || StatedWindow.month($0) != nil || StatedWindow.weekday($0) != nil
        }
    }

    private static func isPartOfDate(_ comma: Int, in letters: [Character]) -> Bool {
        let before = word(before: comma, in: letters)
        let after = word(after: comma, in: letters)
        let isYear = after.count == 4 && after.allSatisfy(\.isNumber)
        return isYear || StatedWindow.weekday(before) != nil && StatedWindow.weekday(after) == nil
    }

    /// A number, a month, a weekday, or a time of the day beside one.
    private static func isDay(_ word: String) -> Bool {
        if word.isEmpty { return false }
        if StatedDates.number(word) != nil || word.count == 4 && word.allSatisfy(\.isNumber) { return true }
        return StatedWindow.month(word) != nil || StatedWindow.weekday(word) != nil
            || ["the", "morning", "afternoon", "evening", "night", "noon", "midnight", "am", "pm"].contains(word)
    }

    private static func isShortDay(_ word: String) -> Bool {
        word.count <= 5 && !["june", "july", "march", "april"].contains(word)
            && (StatedWindow.month(word) != nil || StatedWindow.weekday(word) != nil)
    }

    /// Whether a day's number, or what joins two days, follows.
    private static func goesOn(after place: Int, in letters: [Character]) -> Bool {
        let next = word(after: place, in: letters)
        return isDay(next) || ["to", "through", "thru", "until", "till", "and", "up"].contains(next)
            || letters[(place + 1)...].first { !$0.isWhitespace }.map(dashes.contains) ?? false
    }

    /// The word that ends before a place, folded, with spaces between them left out.
    private static func word(before place: Int, in letters: [Character]) -> String {
        var end = place
        while end > 0, letters[end - 1].isWhitespace || letters[end - 1] == "." { end -= 1 }
        var start = end
        while start > 0, letters[start - 1].isLetter || letters[start - 1].isNumber { start -= 1 }
        return folded(letters[start..<end])
    }

    private static func word(after place: Int, in letters: [Character]) -> String {
        var start = place + 1
        while start < letters.count, letters[start].isWhitespace { start += 1 }
        var end = start
        while end < letters.count, letters[end].isLetter || letters[end].isNumber { end += 1 }
        return folded(letters[start..<end])
    }

    private static func folded(_ letters: ArraySlice<Character>) -> String {
        letters.count > 12 ? "" : Tokenizer.words(of: String(letters), limit: 2).joined(separator: " ")
    }
}
