/// Finds what a text says about whom an amount is for.
struct PricePhrases {
    private let elements: [PriceText.Element]
    private typealias Words = PriceWords

    init(_ elements: [PriceText.Element]) {
        self.elements = elements
    }

    private func word(_ position: Int) -> String? {
        if elements.indices.contains(position), case .word(let word) = elements[position] { word } else { nil }
    }

    private func mark(_ position: Int) -> Unicode.Scalar? {
        if elements.indices.contains(position), case .mark(let mark) = elements[position] { mark } else { nil }
    }

    private func amount(_ position: Int) -> Int?? {
        if elements.indices.contains(position), case .amount(let amount) = elements[position] { amount } else { nil }
    }

    /// Every amount that a text gives per head, in the listed currency.
    var amountsPerHead: Set<Int> {
        var found: Set<Int> = []
        // A phrase belongs to the amount before it; only one that nobody claims belongs to the amount behind it.
        var claimed: Set<Int> = []
        for position in elements.indices {
            guard let amount = amount(position), let end = perHeadAfter(position + 1) else { continue }
            claimed.insert(end)
            if let amount { found.insert(amount) }
            // Both ends of "$80–95 per person" are amounts per head.
            if let lower = self.amount(position - 1), let lower { found.insert(lower) }
        }
        for position in elements.indices {
            guard case .some(.some(let amount)) = amount(position), let end = perHeadBefore(position),
                !claimed.contains(end), !isForTwoAfter(position + 1), word(position + 1) != "total"
            else { continue }
            found.insert(amount)
        }
        return found
    }

    /// Whether a number without a currency that equals the listed price is given per head: "85 per person".
    func repeatsPerHead(_ listed: Int, _ currency: Currency) -> Bool {
        elements.indices.contains { position in
            guard let number = word(position), number.unicodeScalars.first.map(PriceNumber.isDigit) == true,
                PriceNumber.minorUnits(number, exponent: currency.exponent) == listed,
                // "92:-" is a price in crowns.
                mark(position + 1) != ":", headPhraseEnd(skipFillers(position + 1).position) != nil
            else { return false }
            // "Row R 85 per person" is the number of a seat, and "le 92 par personne" a day.
            guard let before = word(position - 1), before.unicodeScalars.count <= 2 else { return true }
            return Words.beforeNumbers.contains(before)
        }
    }

    /// Whether the text says that the price which is shown is per head: "price shown is per person".
    var saysPerHead: Bool {
        elements.indices.contains { position in
            guard word(position).map(Words.listedPrices.contains) == true else { return false }
            var next = position + 1
            while let link = word(next), Words.perHeadLinks.contains(link), next - position <= 4 { next += 1 }
            return next > position + 1 && headPhraseEnd(next) != nil
        }
    }

    /// Passes over what may stand between an amount and its phrase.
    private func skipFillers(_ start: Int) -> (position: Int, sawSlash: Bool) {
        var position = start
        var sawSlash = false
        var count = 0
        while count < 5 {
            if let mark = mark(position), Words.fillerMarks.contains(mark) {
                sawSlash = mark == "/"
            } else if mark(position) == ".", let next = mark(position + 1), ["-", "–", "—"].contains(next) {
                // "45.–" is how some write a round price.
            } else if word(position) == "and", word(position + 1) == "up" {
                position += 1
            } else if let word = word(position), Words.fillers.contains(word) {
                sawSlash = false
            } else {
                break
            }
            position += 1
            count += 1
        }
        return (position, sawSlash)
    }

    /// The end of a phrase such as "per person" that begins there, past what may stand before it.
    private func perHeadAfter(_ start: Int) -> Int? {
        let (position, sawSlash) = skipFillers(start)
        if let end = headPhraseEnd(position) { return end }
        guard let word = word(position) else { return nil }
        if sawSlash, Words.heads.contains(word) || word == "p" { return isUnit(after: position) ? nil : position + 1 }
        if word == "each" || word == "ea" { return eachEnd(position) }
        // "$92 for each guest".
        if word == "for", let count = self.word(position + 1), ["each", "every", "one"].contains(count),
            let head = self.word(position + 2), Words.heads.contains(head), !isUnit(after: position + 2)
        {
            return position + 3
        }
        return nil
    }

    /// "Per person", "a head", "pp", "p.p.", "apiece".
    private func headPhraseEnd(_ position: Int) -> Int? {
        guard let first = word(position) else { return nil }
        if Words.shorthands.contains(first) { return position + 1 }
        if first == "p", let mark = mark(position + 1), mark == "." || mark == "/", let second = word(position + 2),
            second == "p" || second == "pers" || second == "person"
        {
            return self.mark(position + 3) == "." ? position + 4 : position + 3
        }
        if first == "1", let head = word(position + 1), Words.counted.contains(head) { return position + 2 }
        // "-a-head" and "per-person" are written with hyphens too, and "pr. person" with a dot.
        let hasMark = mark(position + 1) == "-" || first == "pr" && mark(position + 1) == "."
        let next = hasMark ? position + 2 : position + 1
        guard let second = word(next) else { return nil }
        let isPer = Words.pers.contains(first) && Words.heads.contains(second)
        let isArticle = (first == "a" || first == "an") && Words.articleHeads.contains(second)
        guard isPer || isArticle, !isUnit(after: next) else { return nil }
        return next + 1
    }

    /// "Per guest room" is per room.
    private func isUnit(after position: Int) -> Bool {
        word(position + 1).map(Words.units.contains) ?? false
    }

    /// "Each" ends its phrase or goes on with a word that does not say each what: "$92 each way" is no price per head.
    private func eachEnd(_ position: Int) -> Int? {
        let next = position + 1
        guard let follower = word(next) else {
            // A dash begins something new, save in "each-way".
            return mark(next) == "-" && word(next + 1) == "way" ? nil : next
        }
        if Words.eachFollowers.contains(follower) { return next }
        // "$24 each person." ends there; "$92, each guest receives" goes on.
        return Words.heads.contains(follower) && word(next + 1) == nil ? next + 1 : nil
    }

    /// The end of a phrase per head right before an amount: "per person: $65".
    private func perHeadBefore(_ amount: Int) -> Int? {
        var position = amount - 1
        var link: String?
        while amount - position <= 3 {
            if let mark = mark(position), [":", "=", "("].contains(mark) {
                link = ":"
            } else if let word = word(position), ["is", "from", "only", "just", "costs", "at"].contains(word) {
                link = word
            } else {
                break
            }
            position -= 1
        }
        // Phrases are at most five elements long: look for one that ends here.
        for start in stride(from: position, through: max(0, position - 4), by: -1)
        where headPhraseEnd(start) == position + 1 {
            return position + 1
        }
        if word(position) == "each", let link, [":", "costs", "is"].contains(link) { return position + 1 }
        return nil
    }

    /// Whether the text says that the listed price is for both.
    func saysForTwo(_ listed: Int) -> Bool {
        for position in elements.indices {
            if case .some(.some(listed)) = amount(position), isForTwoAfter(position + 1) { return true }
            if let end = priceForTwoEnd(position), !contradicts(listed, before: position, after: end) { return true }
        }
        return false
    }

    /// "For two", "a couple", "covers both" right after an amount.
    private func isForTwoAfter(_ start: Int) -> Bool {
        var position = skipFillers(start).position
        // "$92 ticket covers two", "$92 is for two", "$92 in total for two".
        while position - start < 5, let word = word(position), Words.beforePairLinks.contains(word) { position += 1 }
        guard let first = word(position) else { return false }
        if first == "both" { return true }
        if Words.pairLinks.contains(first), pairEnd(position + 1) != nil { return true }
        if ["a", "the"].contains(first), let second = word(position + 1) { return Words.pairs.contains(second) }
        return mark(position - 1) == "/" && Words.pairs.contains(first)
    }

    /// "Two", "both", "a pair", "two guests"; not "two hours".
    private func pairEnd(_ start: Int) -> Int? {
        var position = start
        while let word = word(position), ["a", "the", "you", "up", "to", "all", "of"].contains(word) { position += 1 }
        guard let noun = word(position) else { return nil }
        if Words.pairs.contains(noun) { return position + 1 }
        guard ["two", "2", "both"].contains(noun) else { return nil }
        guard let follower = word(position + 1) else { return position + 1 }
        if Words.heads.contains(follower) || Words.people.contains(follower) { return position + 2 }
        return Words.eachFollowers.contains(follower) || ["is", "are", "sharing", "of"].contains(follower)
            ? position + 1 : nil
    }

    /// "Price is for two", "price per couple", "covers two guests", "both places in the price"; the end of the phrase.
    private func priceForTwoEnd(_ position: Int) -> Int? {
        guard let first = word(position) else { return nil }
        if Words.prices.contains(first) {
            var next = position + 1
            while next - position <= 4, word(next).map(Words.copulas.contains) ?? (mark(next) == "(") { next += 1 }
            if let link = word(next), Words.pairLinks.contains(link) { return pairEnd(next + 1) }
            return nil
        }
        if ["covers", "admits"].contains(first), let end = pairEnd(position + 1), let last = word(end - 1),
            Words.heads.contains(last) || Words.people.contains(last)
        {
            return end
        }
        guard ["both", "two", "2"].contains(first), let noun = word(position + 1),
            Words.heads.contains(noun) || Words.people.contains(noun)
        else { return nil }
        var next = position + 2
        while let word = word(next), ["are", "is", "included"].contains(word) { next += 1 }
        let isInPrice =
            word(next) == "in" && word(next + 1) == "the" && word(next + 2).map(Words.prices.contains) == true
        return isInPrice ? next + 3 : nil
    }

    /// "Price for two: $184" speaks of 184, whatever is listed.
    private func contradicts(_ listed: Int, before start: Int, after end: Int) -> Bool {
        if let amount = amount(start - 1), amount != listed { return true }
        var position = end
        while position - end < 4 {
            if let amount = amount(position) { return amount != listed }
            let isLink = mark(position).map { [":", "=", "(", "-", "–"].contains($0) } ?? false
            let isWord =
                word(position).map { Words.people.contains($0) || ["is", "sharing", "at"].contains($0) } ?? false
            guard isLink || isWord else { return false }
            position += 1
        }
        return false
    }
}
