import KnotDomain

/// Whose wish a turn of phrase tells of.
extension SubjectRule {
    /// Days that belong to somebody: "his uncle's birthday is coming up and he wants a smoker".
    private static let events = RuleWords.set("birthday christmas retirement wedding anniversary graduation party")
    private static let pleas = RuleWords.set("begging begs begged pestering pesters nagging nags asking badgering")

    /// A possessive that only says whose something is, unless it is somebody's day.
    func isOwner(_ text: HintText, _ index: Int) -> Bool {
        text.words[index].isPossessive && !Self.events.contains(text.text(index + 1))
    }

    /// "my own wish", "her cousin's wish list", "his dream is": whoever owns the noun.
    func owner(_ text: HintText, of index: Int) -> HintReading.Subject? {
        guard WishTurns.nouns.match(in: text, at: index) != nil else { return nil }
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
            if let turn = WishTurns.verbs.match(in: text, at: index) {
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
