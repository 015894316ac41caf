import KnotDomain
import TextReading

/// What a page says of its item in plain words, as a careful reader takes it.
///
/// A phrase counts in full where it is said of the item itself and of now. What is said of another thing or another time, on
/// a condition, as a question or in an option leaves the reader in doubt; what is denied is not said.
struct PageWords {
    enum Verdict: Equatable {
        case closedForGood
        case soldOut
        case buyable
        /// It says things that do not go together.
        case contradicted
        /// It says something of which nobody knows what it is said of.
        case doubtful
        case nothing
    }

    let verdict: Verdict

    private enum Hit: Int { case none, doubtful, said }

    /// As many phrases as are looked at on a page, and as much of what stands before one.
    private static let mostHits = 100
    private static let longestBefore = 400

    init(_ page: PageText, of item: PageItem) {
        var known = Set(Self.phrases.generic)
        for text in [item.title, page.title] + page.headings {
            known.formUnion(PlainLetters.words(of: Array(text.utf8)))
        }
        let reader = Reader(known: known, item: item)
        let gone = reader.hit(PageWording.soldOutPhrases, in: page)
        let closed = reader.hit(PageWording.closedPhrases, in: page)
        let isBuyable = page.statements.contains { statement in
            statement.place == .main && !statement.isInert && PageWording.buyablePhrases.isIn(statement.text)
        }
        switch (max(gone.rawValue, closed.rawValue), isBuyable) {
        case (Hit.said.rawValue, true): verdict = .contradicted
        case (Hit.said.rawValue, false): verdict = closed == .said ? .closedForGood : .soldOut
        case (_, true): verdict = .buyable
        case (Hit.doubtful.rawValue, false): verdict = .doubtful
        default: verdict = .nothing
        }
    }

    private static let phrases = PageWording.Contexts.all

    /// Reads what stands around a phrase.
    private struct Reader {
        /// Words that may stand beside a phrase without telling of another thing.
        let known: Set<String>
        let item: PageItem

        func hit(_ finder: PhraseFinder, in page: PageText) -> Hit {
            // The item's own name says nothing of it: there are books that are called Sold Out.
            let isNamedSo = finder.isIn(item.plainTitle)
            var best = Hit.none
            var left = PageWords.mostHits
            let title = PageText.Statement(
                text: Array(page.title.utf8),
                place: .heading,
                isInert: true,
                isQuestion: false
            )
            for statement in [title] + page.statements {
                for place in finder.places(in: statement.text, most: left) {
                    left -= 1
                    var found = hit(at: place, in: statement)
                    if found == .said, isNamedSo || statement.place == .aside { found = .doubtful }
                    if found.rawValue > best.rawValue { best = found }
                }
                guard left > 0, best != .said else { break }
            }
            return best
        }

        private func hit(at place: Range<Int>, in statement: PageText.Statement) -> Hit {
            let head = statement.text[..<place.lowerBound]
            let before = PlainLetters.words(of: head.suffix(PageWords.longestBefore))
            let after = PlainLetters.words(of: statement.text[place.upperBound...].prefix(PageWords.longestBefore))
            if before.suffix(4).contains(where: PageWording.Contexts.isDenial) { return .none }
            if statement.isQuestion || head.count > PageWords.longestBefore { return .doubtful }
            if before.contains(where: PageWords.phrases.conditions.contains) { return .doubtful }
            if let next = after.first, !isKnown(next), !PageWords.phrases.followers.contains(next) { return .doubtful }
            if (before + after).contains(where: isAnotherYear) { return .doubtful }
            return before.allSatisfy(isKnown) ? .said : .doubtful
        }

        private func isAnotherYear(_ word: String) -> Bool {
            guard word.utf8.count == 4, let year = Int(word), (1_900...2_100).contains(year) else { return false }
            return item.today.map { year != $0.year } ?? true
        }

        /// Numbers and words of scripts without spaces tell of no other thing.
        private func isKnown(_ word: String) -> Bool {
            known.contains(word) || !word.utf8.contains { (0x61...0x7A).contains($0) || (0xC3...0xDF).contains($0) }
        }
    }
}
