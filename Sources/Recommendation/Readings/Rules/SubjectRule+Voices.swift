import KnotDomain

/// Whose note it is where no single turn of phrase says so: a bystander's wish, or the user's own.
extension SubjectRule {
    /// Words of wanting that say enough when somebody else is all that a hint speaks of.
    static let yearnings = RuleWords.set(
        """
        want wants wanted wanting wish wishes wishing hope hopes hoping need needs needing fancy fancies crave craves
        love loves adore adores obsessed begging begs asks asking hints hinting hint dream dreams dreaming saving saves
        covets covet pines longs yearns raves raving mad crazy nuts wild keen after dying desperate search searches
        searching hunting looking shut beside moon sell kill murder trade give eyeing drooling ogling wishlist would
        quit stop stops pestering bugging dropping links forever swears keeps jealous envious hanging collects into angling fishing request requested craving
        """
    )

    /// A hint that opens with somebody else, wants something and never comes back to the partner.
    func bystander(_ text: HintText) -> Int? {
        guard let first = text.words.indices.prefix(4).first(where: { isBystander(text, $0) }),
            !text.words.indices.contains(where: { isMention(text, $0) }),
            text.words.indices.contains(where: { $0 > first && text.kinds($0).contains(.yearning) })
        else { return nil }
        return first
    }

    /// A relation or an unknown name where the grammar puts who acts.
    private func isBystander(_ text: HintText, _ index: Int) -> Bool {
        guard text.words[index].sentence == text.words[0].sentence, !text.words[index].isPossessive else {
            return false
        }
        if text.kinds(index).contains(.relation) {
            return index == 0
                || ["my", "our", "his", "her", "their", "the", "old", "younger", "older", "little", "big"]
                    .contains(text.text(index - 1))
        }
        guard index == 0, text.words[0].isCapitalized, isStranger(text, 0) else { return false }
        return !text.kinds(1).contains(.partnerPronoun)
            && (isNamed(text, behind: 0) || ["is", "has", "would", "will", "keeps"].contains(text.text(1)))
            && !text.contains(.animal)
    }

    /// "Kulkarni from the office", "Stan at the depot", "Marv (next door)", "Oskar's been": said of people.
    private func isNamed(_ text: HintText, behind index: Int) -> Bool {
        ["from", "at", "across", "next", "downstairs", "upstairs", "in", "down"].contains(text.text(index + 1))
            || text.words.indices.contains(index + 1) && text.words[index + 1].clause != text.words[index].clause
            || text.words.indices.contains(index + 1) && text.kinds(index + 1).contains(.yearning)
    }

    /// What people sell, lose or set on what they want.
    private static let belongings = RuleWords.set(
        "soul kidney mind right left eye eyes teeth firstborn heart breath life grandmother granny"
    )

    /// The partner or the couple, save in what only places somebody else: "from his department", "(hers)", "beside
    /// himself".
    private func isMention(_ text: HintText, _ index: Int) -> Bool {
        let word = text.text(index)
        if text.kinds(index).contains(.couplePronoun) { return index > 2 && !["our", "us"].contains(word) }
        guard isPartner(text, index) else { return false }
        if text.kinds(index).contains(.partnerSubject), antecedent(text, of: index) == .other { return false }
        if ["himself", "herself", "themselves", "themself"].contains(word) { return false }
        if ["his", "her", "their", "hers", "theirs"].contains(word) {
            if Self.belongings.contains(text.text(index + 1)) { return false }
            if text.clause(of: index).count == 1 || text.kinds(index + 1).contains(.relation) { return false }
            return index > 0 && !["from", "at", "in", "on", "of", "with", "by", "for"].contains(text.text(index - 1))
        }
        return true
    }

    /// What the user does as somebody who watches or cares for the partner.
    private static let caring = RuleWords.set(
        """
        noticed notice saw see think thought heard hear found find remember recall reckon believe suspect bet guess know
        knew owe promised should might must forgot wonder wondered asked told took caught gave made broke lost
        say said sure afraid worried sorry swear
        """
    )
    private static let saids = RuleWords.set(
        "said says told asked asks showed sent texted wants wanted goes mentioned mumbled whispered reckons loves needs"
    )
    private static let reach = 8

    /// A wish in the first person in a hint that speaks of nobody else: a note the user left for themselves.
    func ownVoice(_ text: HintText) -> Int? {
        guard !text.words.isEmpty, !Self.saids.contains(text.text(0)),
            !text.words.indices.contains(where: {
                isPartner(text, $0) || text.kinds($0).contains(.couplePronoun) || text.text($0) == "you"
                    || text.kinds($0).contains(.relation)
            }),
            let place = text.words.indices.first(where: { isFirstPerson(text, $0) })
        else { return nil }
        return wishBefore(text, place)
    }

    private func isFirstPerson(_ text: HintText, _ index: Int) -> Bool {
        guard !text.words[index].isQuoted else { return false }
        let end = min(text.words.count, index + Self.reach)
        switch text.text(index) {
        case "i":
            var next = index + 1
            while ["am", "would", "have", "really", "so", "still", "just", "also", "do"].contains(text.text(next)) {
                next += 1
            }
            guard !text.text(next).isEmpty, !Self.caring.contains(text.text(next)) else { return false }
            let isCondition = text.text(index - 1) == "if" && (index..<end).contains { text.text($0) == "get" }
            return isCondition || ["keep", "dire"].contains(text.text(next))
                || (index..<end).contains { text.kinds($0).contains(.yearning) }
        case "mine": return true
        case "me":
            return ["gets", "get", "brings", "bring", "buys", "buy", "for"].contains(text.text(index - 1))
                && (text.contains(.yearning) || text.text(index + 1) == "the")
        case "my":
            return !["on", "in", "at", "from", "of", "to", "over"].contains(text.text(index - 1))
                && (text.contains(.yearning) || text.contains(.trouble) || text.contains(.broken))
                || text.contains(anyOf: ["santa", "decent"])
        default: return false
        }
    }
}
