import KnotDomain

/// Whose wish a turn of phrase is.
extension SubjectRule {
    /// Days that belong to somebody: "his uncle's birthday is coming up and he wants a smoker".
    private static let events = RuleWords.set("occasions")
    private static let pleas = RuleWords.set("pleas")

    /// A possessive that only says whose something is, unless it is somebody's day.
    func isOwner(_ text: HintText, _ index: Int) -> Bool {
        text.words[index].isPossessive && !Self.events.contains(text.text(index + 1))
    }

    /// "my own wish", "her cousin's wish list", "his dream is": the owner of the noun.
    func owner(_ text: HintText, of index: Int) -> HintReading.Subject? {
        guard Patterns.wishNouns.match(in: text, at: index) != nil else { return nil }
        let sentence = text.words[index].sentence
        for place in stride(from: index - 1, through: max(0, index - 3), by: -1)
        where text.words.indices.contains(place) && text.words[place].sentence == sentence {
            let word = text.words[place]
            if word.text == "my" { return .user }
            if ["our", "ours"].contains(word.text) { return .couple }
            if word.kinds.contains(.relation) || word.isPossessive && isStranger(text, place) { return .other }
            if word.isPossessive && word.isCapitalized && !partnerNames.contains(word) { return .other }
            if isPartner(text, place) { return .partner }
        }
        return nil
    }

    /// "his old man", "our old lady".
    func isOldPerson(_ text: HintText, _ index: Int) -> Bool {
        ["man", "lady", "folks"].contains(text.text(index)) && text.text(index - 1) == "old"
            && ["her", "his", "their", "my", "our"].contains(text.text(index - 2))
    }

    /// "begs him for a puppy": who is asked is not who wants.
    func isPlea(_ text: HintText, at index: Int) -> Bool {
        Self.pleas.contains(text.text(index)) && ["for", "to"].contains(text.text(index + 2))
    }

    /// A turn whose nearest person is the first one: "I could do with a hammock", "my dream is a lathe".
    func userTurn(_ text: HintText) -> Int? {
        for index in text.words.indices {
            let who: HintReading.Subject?
            if let turn = Patterns.wishing.match(in: text, at: index) {
                let isOwn = wanter(text, verb: index) == .user && !isForPartner(text, behind: turn.range.upperBound)
                who = isOwn ? .user : nil
            } else {
                who =
                    text.words[index].kinds.contains(.wanting) && wanter(text, verb: index) == .user
                        && !isForPartner(text, behind: index + 1) ? .user : owner(text, of: index)
            }
            if who == .partner { return nil }
            if who == .user { return index }
        }
        for index in text.words.indices
        where text.text(index) == "me" && !text.words[index].isQuoted
            && ["buy", "get", "gift"].contains(text.text(index - 1))
        {
            if ["a", "an", "the", "some", "one"].contains(text.text(index + 1)), !partnerSpeaks(text, before: index) {
                return index
            }
        }
        return nil
    }

    private func partnerSpeaks(_ text: HintText, before index: Int) -> Bool {
        (0..<index).contains {
            text.words[$0].sentence == text.words[index].sentence && isPartner(text, $0)
        }
    }

    /// "I want to take her to the sea": the wish is for the partner or for both.
    private func isForPartner(_ text: HintText, behind index: Int) -> Bool {
        guard index < text.words.count else { return false }
        let end = min(text.words.count, index + 9)
        return (min(index, end)..<end).contains {
            text.words[$0].sentence == text.words[max(0, index - 1)].sentence
                && (isPartner(text, $0) || ["us", "we", "our", "somebody", "someone"].contains(text.text($0)))
        }
    }

    /// "For her mum: a heated blanket", "not her, her flatmate": named outright.
    func namedOther(_ text: HintText) -> Int? {
        if text.text(0) == "for" {
            for index in 1..<4 where text.kinds(index).contains(.relation) {
                let isEnd = index + 1 < text.words.count && text.words[index + 1].clause != text.words[index].clause
                if isEnd { return 0 }
            }
        }
        if let theirs = text.words.indices.first(where: { Sensitivity.isAnothers(text, at: $0) }) { return theirs }
        for index in text.words.indices where text.text(index) == "not" && isPartner(text, index + 1) {
            let isEnd = index + 2 >= text.words.count || text.words[index + 2].clause != text.words[index + 1].clause
            guard isEnd else { continue }
            let named = text.words.indices.first {
                text.kinds($0).contains(.relation) && !isOwner(text, $0)
            }
            if let named { return min(named, index) }
        }
        return nil
    }
}

/// Whose note it is where no single turn of phrase says so: a bystander's wish, or the user's own.
extension SubjectRule {
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
    private static let belongings = RuleWords.set("belongings")

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
    private static let caring = RuleWords.set("caring verbs")
    private static let saids = RuleWords.set("speaking verbs")
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
