import TextReading

/// What stands around a phrase in what is said, and tells whether it is said of the item.
struct PhraseSurroundings {
    let before: [String]
    let after: [String]
    /// Whether more stands before it than is read.
    let isCut: Bool

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
    }

    var isDenied: Bool { before.suffix(4).contains(where: PageWording.isDenial) }

    var isOnCondition: Bool { before.contains(where: PageWording.conditions.contains) }

    /// Whether it is said of a place, an hour or a reason: "in stores", "after 8 pm", "in case of rain", and not "at the
    /// moment".
    var isOfPlace: Bool {
        guard let first = after.first, PageWording.places.contains(first) else { return false }
        let next = after.dropFirst().first { !PageWording.articles.contains($0) }
        return !(next.map(PageWording.noPlace.contains) ?? false)
    }

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
            !named.contains(number)
        else { return false }
        return !isPrice
    }

    /// Whether a comma parts the number from the phrase, so that they are two things that are said.
    private func isApart(_ last: Int) -> Bool { head[(last + 1)...].contains(UInt8(ascii: ",")) }

    private static let nearWords = 3
    private static let longestNumber = 3

    /// Whether the number before it has parts, or the sign of a currency beside it, or is of something else.
    private var isPrice: Bool {
        func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
        guard let last = head.lastIndex(where: isDigit) else { return false }
        let amount = head[...last].reversed().prefix { isDigit($0) || $0 == 0x2E || $0 == 0x2C }
        let beside = [head[..<(last + 1 - amount.count)].suffix(4), head[(last + 1)...]].map {
            String(decoding: $0, as: UTF8.self)
        }
        return isApart(last) || amount.contains { !isDigit($0) }
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
