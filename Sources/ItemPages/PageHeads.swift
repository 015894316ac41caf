import TextReading

/// What the title and the headings of a page say of the page itself: that there is none, or that it is a wall.
struct PageHeads {
    enum Verdict: Equatable {
        case wall
        case missing
        /// A shop that is not open, whatever it has.
        case closed
        /// Perhaps it is missing, and perhaps the item is only called so.
        case unclear
        case item
    }

    let verdict: Verdict

    /// More than this is on no page that only keeps machines out.
    private static let mostOfWall = 1_500
    /// A phrase of so many words says what it says, whatever shop is named beside it.
    private static let wholeWords = 3
    private static let mostPhrases = 10
    private static let longestNumbered = 100

    init(_ page: PageText, markup: [UInt8], of item: PageItem) {
        let isShort = page.visibleCount < Self.mostOfWall
        let heads = [page.title] + page.headings
        func isSaid(_ finder: PhraseFinder) -> Bool {
            guard !finder.isIn(item.plainTitle) else { return false }
            return heads.contains { finder.isIn(Array($0.utf8)) }
        }
        if isSaid(PageWording.wallPhrases) || isShort && PageWording.wallMarkFinder.isIn(markup.map(Self.lowered)) {
            verdict = .wall
            return
        }
        // A banner asks as well, on the page of the item.
        let isNamed = item.fit(names: [page.title], urls: [], onPageCalled: []) > .none
        if isShort, !isNamed, isSaid(PageWording.interstitialPhrases) {
            verdict = .wall
            return
        }
        // Some have no title, and say what they are where they say everything.
        let isOthers =
            !item.plainTitle.isEmpty && isShort
            && item.fit(names: heads, urls: [], onPageCalled: []) == .none
        if isOthers, page.statements.contains(where: { PageWording.wallPhrases.isIn($0.text) }) {
            verdict = .wall
            return
        }
        var isClosed = isSaid(PageWording.closedShopPhrases)
        if isShort, !isClosed, !PageWording.closedShopPhrases.isIn(item.plainTitle) {
            isClosed = page.statements.contains { PageWording.closedShopPhrases.isIn($0.text) }
        }
        // A book may be called Paradise Not Found.
        let isNamedSo =
            PageWording.missingPhrases.isIn(item.plainTitle)
            || PlainLetters.words(of: item.plainTitle).contains(where: PageWording.missingNumbers.contains)
        let found = isNamedSo ? [] : heads.flatMap(Self.segments).compactMap(Self.isMissing)
        if found.contains(true) {
            verdict = .missing
        } else if isClosed {
            verdict = .closed
        } else {
            let isSaidBelow = isOthers && page.statements.contains { Self.isMissing($0.text) == true }
            verdict = found.isEmpty && !isSaidBelow ? .item : .unclear
        }
    }

    /// Whether a part of a title says that there is no such page; nil where it says nothing of that, false where it may be a
    /// name.
    private static func isMissing(_ segment: [UInt8]) -> Bool? {
        let words = PlainLetters.words(of: segment.prefix(longestNumbered))
        if words.contains(where: PageWording.missingNumbers.contains), words.count <= mostPhrases,
            words.allSatisfy({ PageWording.besideMissing.contains($0) })
        {
            return true
        }
        let places = PageWording.missingPhrases.places(in: segment, most: mostPhrases)
        guard !places.isEmpty else { return nil }
        var others: [String] = []
        var end = 0
        for place in places {
            others += PlainLetters.words(of: segment[end..<place.lowerBound])
            end = place.upperBound
        }
        others += PlainLetters.words(of: segment[end...])
        others.removeAll { PageWording.besideMissing.contains($0) || Int($0) != nil }
        let isWhole = places.contains { PlainLetters.words(of: segment[$0]).count >= wholeWords }
        return others.isEmpty || isWhole && others.count <= 2
    }

    /// The parts of a title: the page, the section, the shop.
    private static func segments(of text: String) -> [[UInt8]] {
        let parts = text.replacing(" - ", with: "|").split { "|–—·»".contains($0) }
        return parts.map { PlainLetters.plain(String($0)) }
    }

    private static func lowered(_ byte: UInt8) -> UInt8 { (0x41...0x5A).contains(byte) ? byte | 0x20 : byte }
}
