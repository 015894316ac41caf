/// Finds the days of months that a clause's words name, and tells which two of them are the ends of a stretch.
package enum StatedDates {
    /// A day and the words that name it.
    struct Named<Value> {
        var value: Value
        let range: Range<Int>
    }

    /// What stands between the ends of a stretch.
    private static let joints: Set<String> = ["to", "through", "thru", "until", "till", "til", "up"]
    /// What stands between days that are merely listed.
    private static let lists: Set<String> = ["and", "or", "plus"]
    /// What may stand beside a day without saying anything of it.
    private static let fillers: Set<String> = ["the", "of", "at", "around", "about"]

    /// "19-22 December", "Dec 30 through Jan 2", "3 October": each day with its month, in the order of the words.
    static func dates(in words: [String]) -> [Named<StatedWindow.Day>] {
        let numbers = words.indices.compactMap { place -> (place: Int, value: Int)? in
            guard let (value, isOrdinal) = number(words[place]), isOrdinal || !isHour(place, in: words) else {
                return nil
            }
            return (place, value)
        }
        var months = [Int?](repeating: nil, count: numbers.count)
        var ranges = numbers.map { $0.place..<($0.place + 1) }
        for (place, word) in words.enumerated() {
            guard let month = StatedWindow.month(word) else { continue }
            var before = place - 1
            while before >= 0, fillers.contains(words[before]) { before -= 1 }
            var after = place + 1
            while after < words.count, fillers.contains(words[after]) { after += 1 }
            // "30 December" before "December 30": a number belongs to one month.
            let free = numbers.indices.filter { months[$0] == nil }
            let owner = free.first { numbers[$0].place == before } ?? free.first { numbers[$0].place == after }
            guard let owner else { continue }
            months[owner] = month
            ranges[owner] = min(place, numbers[owner].place)..<(max(place, numbers[owner].place) + 1)
        }
        guard months.contains(where: { $0 != nil }) else { return [] }
        // "19 to 22 December", "December 30 to 2": a month is said once, and a stretch may reach into the next one.
        for place in numbers.indices.dropLast().reversed() where months[place] == nil {
            guard let month = months[place + 1], areOfOneList(ranges[place], ranges[place + 1], in: words) else {
                continue
            }
            let wraps =
                numbers[place].value > numbers[place + 1].value && areEnds(ranges[place], ranges[place + 1], in: words)
            months[place] = wraps ? (month + 10) % 12 + 1 : month
        }
        for place in numbers.indices.dropFirst() where months[place] == nil {
            guard let month = months[place - 1], areOfOneList(ranges[place - 1], ranges[place], in: words) else {
                continue
            }
            let wraps =
                numbers[place].value < numbers[place - 1].value && areEnds(ranges[place - 1], ranges[place], in: words)
            months[place] = wraps ? month % 12 + 1 : month
        }
        return numbers.indices.compactMap { place in
            months[place].map {
                Named(value: StatedWindow.Day(month: $0, day: numbers[place].value), range: ranges[place])
            }
        }
    }

    /// "the 22nd and 23rd": days of whatever month comes next.
    static func ordinals(in words: [String]) -> [Named<Int>] {
        words.indices.compactMap { place in
            guard let (value, isOrdinal) = number(words[place]), isOrdinal else { return nil }
            return Named(value: value, range: place..<(place + 1))
        }
    }

    /// Whether two days stand at the ends of a stretch: "to", "through", "until", or "and" after "between".
    static func areEnds(_ first: Range<Int>, _ last: Range<Int>, in words: [String]) -> Bool {
        let joint = joint(first, last, in: words)
        if joint == ["and"] {
            let before = words[..<first.lowerBound].last { !isLabel($0) }
            return before == "between"
        }
        return !joint.isEmpty && joint.allSatisfy(joints.contains)
    }

    private static func areOfOneList(_ first: Range<Int>, _ last: Range<Int>, in words: [String]) -> Bool {
        joint(first, last, in: words).allSatisfy { joints.contains($0) || lists.contains($0) }
    }

    /// What is left between two days without weekdays, years and times of the day.
    private static func joint(_ first: Range<Int>, _ last: Range<Int>, in words: [String]) -> [String] {
        guard first.upperBound <= last.lowerBound else { return ["?"] }
        let between = first.upperBound..<last.lowerBound
        return between.filter { !isLabel(words[$0]) && !StatedHours.isTime(at: $0, in: words) }.map { words[$0] }
    }

    private static func isLabel(_ word: String) -> Bool {
        fillers.contains(word) || StatedWindow.weekday(word) != nil || isYear(word)
    }

    private static func isYear(_ word: String) -> Bool {
        word.count == 4 && (word.hasPrefix("19") || word.hasPrefix("20")) && Int(word) != nil
    }

    /// A number that can be a day, and whether it is written as one: "22nd".
    package static func number(_ word: String) -> (value: Int, isOrdinal: Bool)? {
        let digits = word.utf8.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        guard !digits.isEmpty, let value = Int(Substring(digits)), (1...31).contains(value) else { return nil }
        let suffix = Substring(word.utf8.dropFirst(digits.count))
        guard ["", "st", "nd", "rd", "th"].contains(suffix) else { return nil }
        return (value, !suffix.isEmpty)
    }

    /// "5 pm", "until 7": the number counts hours; "until 7 December" and "until 27" do not.
    private static func isHour(_ place: Int, in words: [String]) -> Bool {
        func word(_ place: Int) -> String { words.indices.contains(place) ? words[place] : "" }
        if ["am", "pm", "oclock", "sharp"].contains(word(place + 1)) { return true }
        if let (value, _) = number(words[place]), value > 24 { return false }
        // "December 19 at 5" names no day after the month's own.
        let isBesideMonth =
            StatedWindow.month(word(place + 1)) != nil || StatedWindow.month(word(place - 1)) != nil
            || word(place + 1) == "of"
        if isBesideMonth { return false }
        return ["until", "till", "til", "at", "after", "before", "by"].contains(word(place - 1))
    }
}
