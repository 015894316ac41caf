import TextReading

/// What stands around a phrase in what is said, and tells whether it is said of the item.
struct PhraseSurroundings {
    let before: [String]
    let after: [String]
    /// Whether more stands before it than is read.
    let isCut: Bool

    /// Whether it says of something that it can't be had or seen, as may be said of a price; nothing else is sold out.
    let isOfAvailability: Bool

    /// The first word of the phrase itself.
    private let first: String?
    /// The text before it and after it, in small letters.
    private let head: ArraySlice<UInt8>
    private let tail: ArraySlice<UInt8>

    private static let longest = 400

    init(of place: Range<Int>, in text: [UInt8]) {
        head = text[..<place.lowerBound]
        tail = text[place.upperBound...]
        before = PlainLetters.words(of: head.suffix(Self.longest))
        after = PlainLetters.words(of: tail.prefix(Self.longest))
        isCut = head.count > Self.longest
        first = PlainLetters.words(of: text[place]).first
        isOfAvailability = PageWording.availabilityStems.isIn(Array(text[place]))
    }

    var isDenied: Bool { before.suffix(4).contains(where: PageWording.isDenial) }

    var isOnCondition: Bool { before.contains(where: PageWording.conditions.contains) }

    /// Whether a count or an answer beside it says that there is none: "0 in stock", "in stock: no".
    var isNone: Bool {
        if let next = after.first, next == "0" || PageWording.refusals.contains(next) { return true }
        if let word = before.first, PageWording.refusals.contains(word) { return true }
        return isCountOfNone
    }

    /// "0 in stock"; the last digit of "5.0" counts nothing.
    var isCountOfNone: Bool { before.last == "0" && amount.count == 1 }

    /// Whether it is what a table asks: "is discontinued by manufacturer", "discontinued: no".
    var isAsked: Bool {
        guard let next = after.first, let last = after.last else { return false }
        let isByAgent = PageWording.agents.contains(next)
        if PageWording.refusals.contains(last), isByAgent || after.count == 1 { return true }
        return isByAgent && before.first == "is"
    }

    /// Whether only what is sold online has come to an end: there may be tickets at the door.
    var isOnlineSale: Bool { before.last == "online" && first.map { PageWording.sales.contains($0) } ?? false }

    /// Whether the same is said once more behind it: "sold out and no longer available".
    var isSaidAgain: Bool {
        let rest = Array(tail.prefix(Self.longest))
        return PageWording.soldOutPhrases.isIn(rest) || PageWording.alonePhrases.isIn(rest)
    }

    /// Whether it is said of a place, an hour or a reason: "in stores", "after 8 pm", "in case of rain", and not "at the
    /// moment" or "by the organizer".
    var isOfPlace: Bool { Self.isOfPlace(after[...]) }

    private static func isOfPlace(_ words: ArraySlice<String>) -> Bool {
        guard let first = words.first, PageWording.places.contains(first) else { return false }
        let rest = words.dropFirst()
        let nouns = rest.drop { word in
            PageWording.articles.contains(word) || PageWording.ours.contains(word) || PageWording.wholes.contains(word)
        }
        guard let noun = nouns.first else { return true }
        if PageWording.agents.contains(first) {
            return noun.utf8.first.map(isDigit) ?? false || PageWording.means.contains(noun)
        }
        let leading = rest.prefix(rest.count - nouns.count)
        let isAll = leading.contains { PageWording.wholes.contains($0) }
        let isOurs = isAll || leading.contains { PageWording.ours.contains($0) }
        let isWhole =
            PageWording.itemWords.contains(noun) || isMonthOrYear(nouns)
            || isAll && PageWording.things.contains(noun) || isOurs && PageWording.ownPlaces.contains(noun)
        let isLimited = !PageWording.reaching.contains(first) || nouns.contains { PageWording.exceptions.contains($0) }
        guard PageWording.noPlace.contains(noun) || isWhole && !isLimited else { return true }
        return isOfPlace(nouns.dropFirst())
    }

    /// "2026", "March", "March 2026", and not "March 12".
    private static func isMonthOrYear(_ words: ArraySlice<String>) -> Bool {
        guard let word = words.first else { return false }
        guard PageWording.months.contains(word) else { return year(word) != nil }
        guard let next = words.dropFirst().first, next.utf8.first.map(isDigit) ?? false else { return true }
        return year(next) != nil
    }

    /// The year that a word is; nil where it is none.
    static func year(_ word: String) -> Int? {
        guard word.utf8.count == 4, let year = Int(word), (1_900...2_100).contains(year) else { return nil }
        return year
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    /// Whether it only describes the thing right behind it: "out of stock items".
    var isDescription: Bool {
        guard tail.first == 0x20, let next = after.first else { return false }
        return PageWording.things.contains(next) && tail.dropFirst().starts(with: next.utf8)
    }

    /// Whether it is said of a form of the item, by its word or its number: "size M is", "regular tickets:", "38 -".
    func isOfOption(besides named: Set<String>) -> Bool {
        guard !before.contains(where: PageWording.prices.contains) else { return false }
        let words = before.suffix(Self.nearWords)
        if words.contains(where: { PageWording.options.contains($0) && !named.contains($0) }) { return true }
        guard let number = before.last, number.utf8.count <= Self.longestNumber, let value = Int(number), value > 0,
            !named.contains(number), !before.dropLast().suffix(1).contains(where: PageWording.quantities.contains)
        else { return false }
        return !isPrice
    }

    /// Whether a comma parts the number from the phrase, so that they are two things that are said.
    private func isApart(_ last: Int) -> Bool { head[(last + 1)...].contains(UInt8(ascii: ",")) }

    // MARK: Prices, shares and dates

    /// Whether words name a price and say none: "sale price", and not "price $60".
    static func isPriceLabel(_ words: [String], _ known: Set<String>) -> Bool {
        guard !words.contains(where: { $0.utf8.contains(where: isDigit) }) else { return false }
        let last = words.last { PageWording.prices.contains($0) || !known.contains($0) }
        return last.map(PageWording.prices.contains) ?? false
    }

    /// Whether it is said of a part in a hundred: "80% sold out".
    var isShare: Bool { head.suffix(Self.nearBytes).contains(UInt8(ascii: "%")) }

    /// The numbers of a date right before it, as "12.06." and "06/19/2026"; nil where none stands there.
    var dateBefore: [Int]? {
        let marks = Set(" :-".utf8)
        let end = head.lastIndex { !marks.contains($0) }.map { $0 + 1 } ?? head.startIndex
        let run = head[..<end].reversed().prefix { Self.isDigit($0) || Self.dateMarks.contains($0) }.reversed()
        return Self.date(Array(run), isWhole: run.last == UInt8(ascii: "."))
    }

    /// The numbers of the date that a label consists of, or of one by its month: "Sat 12 June", "12.06".
    static func date(endedBy label: ArraySlice<UInt8>) -> [Int]? {
        if label.allSatisfy({ isDigit($0) || dateMarks.contains($0) }) { return date(Array(label), isWhole: true) }
        let words = PlainLetters.words(of: label)
        guard words.count <= mostOfDate, words.contains(where: isMonth),
            let day = words.lazy.compactMap({ Int($0) }).first(where: { (1...31).contains($0) })
        else { return nil }
        return [day]
    }

    private static func date(_ run: [UInt8], isWhole: Bool) -> [Int]? {
        let parts = run.split { dateMarks.contains($0) }
        let isDate =
            parts.count == 3 && parts.allSatisfy { $0.count <= 2 || $0.count == 4 }
            || parts.count == 2 && isWhole && parts.allSatisfy { $0.count <= 2 }
        return isDate ? parts.compactMap { Int(String(decoding: $0, as: UTF8.self)) } : nil
    }

    /// A month by its name or the first three or four letters of it.
    private static func isMonth(_ word: String) -> Bool {
        PageWording.months.contains(word)
            || (3...4).contains(word.utf8.count) && PageWording.months.contains { $0.hasPrefix(word) }
    }

    private static let mostOfDate = 7

    private static let dateMarks = Set("./-".utf8)
    private static let nearBytes = 12
    private static let nearWords = 3
    private static let longestNumber = 3

    /// The last number before it with its points and commas, from its end.
    private var amount: [UInt8] {
        guard let last = head.lastIndex(where: Self.isDigit) else { return [] }
        return Array(head[...last].reversed().prefix { Self.isDigit($0) || $0 == 0x2E || $0 == 0x2C })
    }

    /// Whether the number before it has parts, or the sign of a currency beside it, or is of something else.
    private var isPrice: Bool {
        guard let last = head.lastIndex(where: Self.isDigit) else { return false }
        let amount = self.amount
        let beside = [head[..<(last + 1 - amount.count)].suffix(4), head[(last + 1)...]].map {
            String(decoding: $0, as: UTF8.self)
        }
        return isApart(last) || amount.contains { !Self.isDigit($0) }
            || beside.contains { $0.contains { $0.isCurrencySymbol } }
    }

    /// "Only 3 left", "2 left in stock".
    static func tellsOfSomeLeft(_ text: [UInt8]) -> Bool {
        let words = PlainLetters.words(of: text.prefix(longest))
        return zip(words, words.dropFirst()).contains { pair in
            pair.1 == "left" && (Int(pair.0) ?? 0) > 0
        }
    }
}

/// Words that tell what a phrase is said of.
extension PageWording {
    static let agents = wordSet("agents")
    static let means = wordSet("means")
    static let reaching = wordSet("reaching")
    static let itemWords = wordSet("item words")
    static let ours = wordSet("ours")
    static let ownPlaces = wordSet("own places")
    static let wholes = wordSet("wholes")
    static let exceptions = wordSet("exceptions")
    static let months = wordSet("months")
    static let refusals = wordSet("refusals")
    static let quantities = wordSet("quantities")
    static let sales = wordSet("sales")

    private static func wordSet(_ section: String) -> Set<String> { Set(TableText.pages.words(section)) }
}
