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
    /// Whether it says that the item is gone, and nothing else speaks against that.
    var isGone: Bool { verdict == .soldOut || verdict == .closedForGood }
    /// Whether something can be pressed that puts the item into a basket.
    let hasBasket: Bool

    /// How a phrase has to stand to mean that the item is gone.
    fileprivate enum Manner {
        case anywhere
        /// Where nothing else is said with it.
        case alone
        /// Where its line says nothing else, and the next has no number.
        case wholeLine
        /// Where it is counted, and there are none: "0 in stock".
        case counted
    }

    fileprivate enum Hit: Int { case none, doubtful, said }

    /// The words of a button, and as many of them as are of one item: one below it, and one that stays in view.
    private static let (mostOfLabel, longestLabel, mostButtons) = (6, 100, 2)
    /// As many phrases as are looked at on a page.
    private static let mostHits = 100

    init(_ page: PageText, of item: PageItem) {
        let title = PageText.Statement(
            text: Array(page.title.utf8),
            place: .heading,
            isInert: true,
            isQuestion: false
        )
        let reader = Reader(
            statements: [title] + page.statements,
            names: [item.title, page.title] + page.headings,
            item: item
        )
        let gone =
            [
                reader.hit(PageWording.soldOutPhrases), reader.hit(PageWording.alonePhrases, as: .alone),
                reader.hit(PageWording.wholeLinePhrases, as: .wholeLine),
                reader.hit(PageWording.therePhrases, as: .counted),
                min(reader.hit(PageWording.putOffPhrases), .doubtful),
            ].max() ?? .none
        let closed = reader.hit(PageWording.closedPhrases)
        let buyable = page.statements.filter { statement in
            statement.place == .main && !statement.isInert && PageWording.buyablePhrases.isIn(statement.text)
        }
        // Prose that speaks of buying is nothing to press.
        hasBasket = buyable.contains {
            PlainLetters.words(of: $0.text.prefix(Self.longestLabel)).count <= Self.mostOfLabel
        }
        // So many are of the things in a list, and say nothing of the item.
        let isBuyable = !buyable.isEmpty && (buyable.count <= Self.mostButtons || max(gone, closed) == .said)
        switch (max(gone, closed), isBuyable) {
        case (.said, true): verdict = .contradicted
        case (.said, false): verdict = closed == .said ? .closedForGood : .soldOut
        case (_, true): verdict = .buyable
        case (.doubtful, false): verdict = .doubtful
        case (.none, false): verdict = .nothing
        }
    }

    /// Reads what stands around a phrase.
    private struct Reader {
        let statements: [PageText.Statement]
        let item: PageItem
        /// Words that may stand beside a phrase without telling of another thing.
        private let known: Set<String>
        /// The words of the item's own name, which are none of its forms.
        private let named: Set<String>
        /// The same in scripts without spaces.
        private let (gluedBefore, gluedBehind): (GluedText, GluedText)

        init(statements: [PageText.Statement], names: [String], item: PageItem) {
            self.statements = statements
            self.item = item
            named = Set(names.flatMap { PlainLetters.words(of: Array($0.utf8)) })
            known = PageWording.beside.union(named)
            gluedBefore = GluedText(PageWording.gluedBefore + named)
            gluedBehind = GluedText(PageWording.gluedBehind + named)
        }

        /// The best that is said by any of the phrases, as far as they stand as they have to.
        func hit(_ finder: PhraseFinder, as manner: Manner = .anywhere) -> Hit {
            // The item's own name says nothing of it: there are books that are called Sold Out.
            let isNamedSo = finder.isIn(item.plainTitle)
            var best = Hit.none
            var left = PageWords.mostHits
            for (number, statement) in statements.enumerated() {
                let lifted = lifted(in: statement.text)
                for place in finder.places(in: statement.text, most: left) {
                    left -= 1
                    if lifted.contains(where: { $0.overlaps(place) }) { continue }
                    let around = PhraseSurroundings(of: place, in: statement.text)
                    var found =
                        switch manner {
                        case .anywhere: hit(around, statement)
                        case .alone: hitAlone(around, number)
                        case .wholeLine: hitWholeLine(around, number)
                        case .counted: around.isCountOfNone ? hit(around, statement) : .none
                        }
                    let isOfAnother = isOfPrice(around, number) || around.isShare || isOfAnotherDay(around, number)
                    if found == .said,
                        isNamedSo || isOfAnother || statement.place == .aside || isContradicted(place, number)
                    {
                        found = .doubtful
                    }
                    best = max(best, found)
                }
                guard left > 0, best != .said else { break }
            }
            return best
        }

        private func hit(_ around: PhraseSurroundings, _ statement: PageText.Statement) -> Hit {
            if around.isDenied { return .none }
            let isOfAnother =
                around.isCut || around.isOnCondition || around.isOfPlace || around.isDescription || around.isAsked
                || around.isOnlineSale
            if statement.isQuestion || isOfAnother || around.isOfOption(besides: named) { return .doubtful }
            if goesOn(around) || (around.before + around.after).contains(where: isAnotherYear) { return .doubtful }
            return around.before.allSatisfy { isKnown($0) && gluedBefore.makes($0) } ? .said : .doubtful
        }

        /// Whether what follows may tell of another thing, or of what came of it since: "sold out and printed again".
        private func goesOn(_ around: PhraseSurroundings) -> Bool {
            guard let next = around.after.first else { return false }
            if PageWording.conjunctions.contains(next) {
                let rest = around.after.dropFirst()
                return !rest.allSatisfy(isKnown) && !around.isSaidAgain
                    && !(rest.first.map(PageWording.followers.contains) ?? false)
            }
            // "On Friday" is a day, and perhaps another.
            if next == "on", let word = around.after.dropFirst().first { return !known.contains(word) }
            if isKnown(next) { return !gluedBehind.makes(GluedText.clause(of: next)) }
            return !PageWording.followers.contains(next) && !PageWording.places.contains(next)
        }

        /// Returns the places that say that something ended: "no longer sold out", of which "no longer sold" is a part.
        private func lifted(in text: [UInt8]) -> [Range<Int>] {
            PageWording.liftingPhrases.places(in: text, most: 5).compactMap { lead in
                let rest = Array(text[lead.upperBound...].prefix(Self.longestLabel))
                let ends = [PageWording.soldOutPhrases, PageWording.alonePhrases].flatMap {
                    $0.places(in: rest, most: 1)
                }
                .filter { place in
                    !rest[..<place.lowerBound].contains(UInt8(ascii: ","))
                        && PlainLetters.words(of: rest[..<place.lowerBound]).allSatisfy(isKnown)
                }
                return ends.map(\.upperBound).max().map { lead.lowerBound..<lead.upperBound + $0 }
            }
        }

        /// Whether the price is what can't be had, in the same line or by the label before it.
        private func isOfPrice(_ around: PhraseSurroundings, _ number: Int) -> Bool {
            guard around.isOfAvailability else { return false }
            if PhraseSurroundings.isPriceLabel(around.before, known) { return true }
            guard around.before.isEmpty, number > 1, statements[number - 1].place != .heading else { return false }
            let label = PlainLetters.words(of: statements[number - 1].text.prefix(Self.longestLabel))
            return label.count <= Self.mostLabelWords && PhraseSurroundings.isPriceLabel(label, known)
        }

        /// Whether a date stands right before it that is not the card's, in the same line or as the line's label.
        private func isOfAnotherDay(_ around: PhraseSurroundings, _ number: Int) -> Bool {
            let isLabelled = around.before.isEmpty && number > 1 && statements[number - 1].place != .heading
            let label = isLabelled ? statements[number - 1].text.prefix(Self.longestLabel) : []
            guard let numbers = around.dateBefore ?? PhraseSurroundings.date(endedBy: label) else { return false }
            guard let moment = item.startsAt else { return true }
            return !EventTime.days(of: moment).contains { day in
                numbers.contains(day.day) && (numbers.count == 1 || numbers.contains(day.month))
            }
        }

        /// Beside other words it is said of them; below a line that is none of the item's it may be said of that one.
        private func hitAlone(_ around: PhraseSurroundings, _ number: Int) -> Hit {
            guard !around.isDenied, !around.isCut, (around.before + around.after).allSatisfy(isKnown) else {
                return .none
            }
            let isOfAnother = around.isOnCondition || around.isAsked || around.isOfOption(besides: named)
            if statements[number].isQuestion || isOfAnother { return .doubtful }
            guard number > 1, statements[number - 1].place != .heading else { return .said }
            let line = PlainLetters.words(of: statements[number - 1].text.prefix(Self.longestLabel))
            return line.allSatisfy { isKnown($0) || PageWording.prices.contains($0) } ? .said : .doubtful
        }

        /// A day or an hour in the next line says when it will be so; a label before it may be of something else.
        private func hitWholeLine(_ around: PhraseSurroundings, _ number: Int) -> Hit {
            guard around.before.isEmpty, around.after.isEmpty else { return .none }
            if number > 1, statements[number - 1].place != .heading {
                let label = PlainLetters.words(of: statements[number - 1].text.prefix(Self.longestLabel))
                let isOwn = label.allSatisfy { isKnown($0) || PageWording.prices.contains($0) }
                if label.count <= Self.mostLabelWords, !isOwn { return .doubtful }
            }
            let next =
                statements.indices.contains(number + 1) ? statements[number + 1].text.prefix(Self.longestLabel) : []
            let isDated = next.contains { (0x30...0x39).contains($0) }
            return statements[number].isQuestion || isDated ? .doubtful : .said
        }

        /// No name of an item is longer.
        private static let longestLabel = 400
        private static let mostLabelWords = 3

        /// Whether it is said in the same breath that there is some, or that it is not so.
        private func isContradicted(_ place: Range<Int>, _ number: Int) -> Bool {
            if isRefusal(number + 1) { return true }
            let text = statements[number].text
            let beside = [number - 1, number + 1].filter { $0 > 0 && statements.indices.contains($0) }
                .filter { statements[$0].place == .main }
            return
                ([Array(text[..<place.lowerBound]), Array(text[place.upperBound...])]
                + beside.map { statements[$0].text })
                .contains(where: isThere)
        }

        /// Whether nothing but "no" is said, as beside the questions of a table.
        private func isRefusal(_ number: Int) -> Bool {
            guard statements.indices.contains(number) else { return false }
            let words = PlainLetters.words(of: statements[number].text.prefix(Self.longestRefusal))
            return words.count == 1 && words.allSatisfy { PageWording.refusals.contains($0) }
        }

        private static let longestRefusal = 10

        private func isThere(_ text: [UInt8]) -> Bool {
            if PhraseSurroundings.tellsOfSomeLeft(text) { return true }
            // As beside the colours of a calendar.
            if PageWording.thereAlone.contains(String(decoding: text.prefix(Self.longestLabel), as: UTF8.self)) {
                return true
            }
            return PageWording.therePhrases.places(in: text, most: 3).contains { place in
                let around = PhraseSurroundings(of: place, in: text)
                guard !around.isDenied, !around.isNone, !around.isOnCondition, !around.isCut else { return false }
                return around.before.allSatisfy { isKnown($0) || PageWording.options.contains($0) }
                    && around.after.first.map(isKnown) ?? true
            }
        }

        private func isAnotherYear(_ word: String) -> Bool {
            guard let year = PhraseSurroundings.year(word) else { return false }
            return item.today.map { year != $0.year } ?? true
        }

        /// Numbers tell of no other thing, nor do words of scripts without spaces by themselves.
        private func isKnown(_ word: String) -> Bool {
            known.contains(word) || !word.utf8.contains { (0x61...0x7A).contains($0) || (0xC3...0xDF).contains($0) }
        }
    }
}

extension PageWords.Hit: Comparable {
    static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}
