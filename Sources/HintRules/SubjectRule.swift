import KnotDomain

/// Whose wish a hint is: the partner's, the couple's, the user's own, or another person's.
struct SubjectRule: Sendable {
    private typealias W = RuleWords

    let partnerNames: PartnerNames
    let isVoice: Bool

    /// Who wants, and where the wish verb stands, for the first wish of the hint.
    struct Wish: Sendable {
        let subject: HintReading.Subject
        let verb: Int
    }

    func subject(of text: HintText) -> Wish {
        if let own = ownNote(text) { return Wish(subject: .user, verb: own) }
        if let other = wantingOther(text) { return Wish(subject: .other, verb: other) }
        if let user = wantingUser(text) { return Wish(subject: .user, verb: user) }
        if let other = bystander(text) { return Wish(subject: .other, verb: other) }
        if let own = ownVoice(text) { return Wish(subject: .user, verb: own) }
        if isOthersDoing(text) { return Wish(subject: .other, verb: -1) }
        return Wish(subject: isAboutBoth(text) ? .couple : .partner, verb: -1)
    }

    // MARK: - The user's own

    private func ownNote(_ text: HintText) -> Int? {
        if let mark = Patterns.ownNotes.first(in: text), !partnerWants(text) {
            return wishBefore(text, mark.range.lowerBound)
        }
        if let aside = text.clauses.first(where: { $0.count == 1 && text.text($0.lowerBound) == "me" }),
            !partnerWants(text)
        {
            return wishBefore(text, aside.lowerBound)
        }
        if let own = text.words.firstIndex(where: { $0.text == "myself" }),
            !text.words.indices.contains(where: { isPartner(text, $0) })
        {
            return wishBefore(text, own)
        }
        for index in text.words.indices where text.has(["for", "me"], at: index) && text.text(index + 2) != "to" {
            if !text.words.indices.contains(where: { isPartner(text, $0) }) { return wishBefore(text, index) }
        }
        return nil
    }

    /// The thing of an own note stands before its mark: the wish is taken to begin with the sentence.
    func wishBefore(_ text: HintText, _ index: Int) -> Int {
        let sentence = text.words[index].sentence
        let start = text.words.firstIndex { $0.sentence == sentence } ?? index
        return text.words.indices[start...].first {
            ["want", "need", "put", "get", "buy", "love"].contains(text.text($0))
        } ?? max(0, start - 1)
    }

    func partnerWants(_ text: HintText) -> Bool {
        text.words.indices.contains { index in
            isPartner(text, index) && W.wishVerbs.contains(text.text(index + 1))
        }
    }

    private func wantingUser(_ text: HintText) -> Int? {
        for index in text.words.indices where text.text(index) == "i" && !text.words[index].isQuoted {
            guard let verb = wishVerb(text, after: index), !["do", "would"].contains(text.text(index - 1)) else {
                continue
            }
            if isSpeechOfPartner(text, before: index) { continue }
            let clause = text.clause(of: verb)
            let end = min(clause.upperBound, verb + 9)
            let object = (verb + 1)..<max(verb + 1, end)
            let reaches = object.contains {
                isPartner(text, $0) || ["us", "we", "our", "somebody", "someone"].contains(text.text($0))
            }
            if reaches { return nil }
            let earlier = (0..<clause.lowerBound).contains { isPartner(text, $0) }
            if earlier, text.text(verb) == "wish" { return nil }
            if earlier, verb + 1 < text.words.count, ["to", "it"].contains(text.text(verb + 1)), mentionsCouple(text) {
                return nil
            }
            return verb
        }
        if let turn = userTurn(text) { return turn }
        for index in text.words.indices where ["want", "need", "wanting"].contains(text.text(index)) && index <= 1 {
            let starts = index == 0 || ["kinda", "really", "still", "do"].contains(text.text(index - 1))
            if starts, text.contains(anyOf: ["my", "myself", "mine", "me"]),
                !text.words.indices.contains(where: { isPartner(text, $0) })
            {
                return index
            }
        }
        return nil
    }

    /// The wish verb of a first person: "I really want", "I'd love", "I could do with", "I keep eyeing".
    private func wishVerb(_ text: HintText, after subject: Int) -> Int? {
        var index = subject + 1
        var steps = 0
        while steps < 5, index < text.words.count, text.words[index].sentence == text.words[subject].sentence {
            let word = text.text(index)
            if ["want", "need", "wish", "fancy"].contains(word) { return index }
            if word == "love", ["to", "a", "an", "some", "the", "one"].contains(text.text(index + 1)), steps <= 3 {
                return index
            }
            if word == "like", ["a", "to", "some", "one"].contains(text.text(index + 1)),
                steps > 0 || text.text(index + 1) == "a"
            {
                return index
            }
            if word == "wanted" || word == "eyeing" || word == "saving" { return index }
            let skips: Set = [
                "really", "would", "also", "still", "just", "do", "kinda", "so", "badly", "too", "quite", "secretly",
                "seriously", "keep", "and", "myself", "been", "have", "am", "desperately", "actually",
            ]
            guard skips.contains(word) else { return nil }
            index += 1
            steps += 1
        }
        return nil
    }

    /// "she said I want": the first person is the partner's.
    func isSpeechOfPartner(_ text: HintText, before index: Int) -> Bool {
        let speech: Set = [
            "goes", "says", "said", "saying", "say", "like", "told", "asked", "went", "mumbled", "yelled", "texted",
            "whispered",
        ]
        let sentence = text.words[index].sentence
        let start = (0..<index).first { text.words[$0].sentence == sentence } ?? index
        guard let verb = (start..<index).last(where: { speech.contains(text.text($0)) }) else { return false }
        return (max(0, verb - 4)..<verb).contains { isPartner(text, $0) }
    }

    // MARK: - Another person's

    private func wantingOther(_ text: HintText) -> Int? {
        if let whose = namedOther(text) { return whose }
        for index in text.words.indices {
            let isWish =
                text.words[index].kinds.contains(.wanting) || isWouldLove(text, at: index) || isOnAbout(text, at: index)
                || Patterns.wishing.match(in: text, at: index) != nil
            guard let who = isWish ? wanter(text, verb: index) : owner(text, of: index) else { continue }
            if who != .other { return nil }
            if isPlea(text, at: index) { return index }
            let next = text.text(index + 1)
            let third = text.text(index + 2)
            let fourth = text.text(index + 3)
            let serves =
                next == "to" && ["give", "get", "buy", "take", "see", "throw", "treat", "send", "make"].contains(third)
                && (W.partnerPronouns.contains(fourth) || isPartner(text, index + 3))
            if serves || W.partnerPronouns.contains(next) { return nil }
            return index
        }
        let late = Patterns.forOthers.matches(in: text, from: text.words.indices).first { $0.range.lowerBound > 3 }
        return late?.range.lowerBound ?? othersTalk(text)
    }

    private func isWouldLove(_ text: HintText, at index: Int) -> Bool {
        ["love", "die"].contains(text.text(index)) && index > 0
            && (text.text(index - 1) == "would" || ["to", "a", "an", "for", "one"].contains(text.text(index + 1)))
            && text.text(index - 1) != "in"
    }

    private func isOnAbout(_ text: HintText, at index: Int) -> Bool {
        text.text(index) == "on" && ["about", "at"].contains(text.text(index + 1))
            && ["is", "keeps", "going", "s", "was", "been"].contains(text.text(index - 1))
            || text.text(index) == "keeps"
                && ["dropping", "hinting", "asking", "begging", "sending"].contains(text.text(index + 1))
            || text.text(index) == "talks" && text.text(index + 1) == "about"
    }

    /// The nearest person before a verb in its sentence.
    func wanter(_ text: HintText, verb: Int) -> HintReading.Subject? {
        let sentence = text.words[verb].sentence
        var index = verb - 1
        var distance = 0
        while index >= 0, text.words[index].sentence == sentence, distance < 9 {
            let word = text.words[index]
            if word.kinds.contains(.partnerSubject) || partnerNames.contains(word), !word.isPossessive {
                return antecedent(text, of: index)
            }
            if word.kinds.contains(.spouse), !word.isPossessive, index > 0 {
                if text.words[index - 1].isPossessive { return .other }
                if isSpouse(text, index) { return .partner }
            }
            if word.text == "i", word.isQuoted { return .partner }
            if word.text == "i" { return isSpeechOfPartner(text, before: index) ? .partner : .user }
            if word.text == "we" { return .couple }
            if isOldPerson(text, index) { return .other }
            if isObject(text, index, before: verb) {
                index -= 1
                distance += 1
                continue
            }
            if word.kinds.contains(.relation), !word.isPossessive, !isObject(text, index) {
                let speaks = (index..<verb).contains { ["says", "said", "thinks", "reckons"].contains(text.text($0)) }
                return speaks ? nil : .other
            }
            if isStranger(text, index), distance <= 2 || word.isCapitalized || index == 0 { return .other }
            index -= 1
            distance += 1
        }
        if verb > 0, index < 0 || text.words[max(0, index)].sentence != sentence { return .partner }
        return nil
    }

    /// "my cousin rides all day, she would love": the pronoun is the person that the hint opens with.
    func antecedent(_ text: HintText, of pronoun: Int) -> HintReading.Subject {
        guard text.kinds(pronoun).contains(.partnerSubject) else { return .partner }
        let sentence = text.words[pronoun].sentence
        let opening = text.words.indices.filter { text.words[$0].sentence == sentence && $0 < pronoun }
        guard let first = opening.first(where: { text.kinds($0).contains(.relation) && !isOwner(text, $0) })
        else {
            return .partner
        }
        let leads = first - (opening.first ?? 0) <= 1
        let isActive = (first..<pronoun).contains {
            ["said", "thinks", "reckons", "insists", "gave", "told", "made", "asked", "got", "sent", "showed"]
                .contains(text.text($0))
        }
        let hasPartner = (first..<pronoun).contains { isPartner(text, $0) }
        return leads && !isActive && !hasPartner && pronoun - first <= 12 ? .other : .partner
    }

    /// A name at the start of a clause that is not the partner's: "Tobias wants", "oskar keeps asking".
    func isStranger(_ text: HintText, _ index: Int) -> Bool {
        let word = text.words[index]
        if Sensitivity.isWord(word.text) || !word.isName && word.kinds.contains(.liking) { return false }
        if word.isName || word.isCapitalized {
            return !partnerNames.contains(word) && !W.pronouns.contains(word.text) && word.isContent
                && !word.isPossessive && text.text(index - 1) != "the"
        }
        guard isVoice, index == 0 else { return false }
        let verbs: Set = ["wants", "keeps", "will", "is", "needs", "fancies", "will", "has"]
        return verbs.contains(text.text(index + 1)) && word.isContent && !partnerNames.contains(word)
    }

    private func isObject(_ text: HintText, _ index: Int) -> Bool {
        ["with", "to", "like", "for", "from", "by", "about", "of", "at", "than"].contains(text.text(index - 1))
            || ["with", "to", "like", "for", "from", "by", "about", "of", "at", "than"].contains(text.text(index - 2))
                && ["her", "his", "my", "the", "their", "our"].contains(text.text(index - 1))
    }

    /// A hint that opens with somebody else and never comes back to the partner.
    private func othersTalk(_ text: HintText) -> Int? {
        guard let first = text.words.indices.first(where: { text.kinds($0).contains(.relation) }), first <= 3,
            !text.words[first].isPossessive,
            ["my", "our", "his", "her", "their"].contains(text.text(first - 1)) || text.words[first].isCapitalized,
            ["is", "just", "moved", "loves", "likes", "collects", "obsessed", "has", "keeps"].contains(
                text.text(first + 1)
            )
        else { return nil }
        let partner = text.words.indices.contains { $0 > first && isPartner(text, $0) }
        return partner ? nil : first
    }

    // MARK: - The couple

    func isPartner(_ text: HintText, _ index: Int) -> Bool {
        text.words.indices.contains(index)
            && (text.words[index].kinds.contains(.partnerPronoun) || partnerNames.contains(text.words[index])
                || isSpouse(text, index))
    }

    /// "my wife", "the missus": the partner by what they are; "her sister's husband" is somebody else.
    func isSpouse(_ text: HintText, _ index: Int) -> Bool {
        guard text.kinds(index).contains(.spouse) else { return false }
        return ["my", "me"].contains(text.text(index - 1))
            || text.text(index - 1) == "the" && ["missus", "wife", "husband", "hubby"].contains(text.text(index))
    }

    private func mentionsCouple(_ text: HintText) -> Bool { text.contains(.couplePronoun) }

    private func isAboutBoth(_ text: HintText) -> Bool {
        let couple = text.words.count { $0.kinds.contains(.couplePronoun) }
        guard couple > 0 else { return false }
        let partner = text.words.indices.count { isPartner(text, $0) }
        let opensWithCouple = text.words.prefix(3).contains { $0.kinds.contains(.couplePronoun) }
        return partner == 0 || opensWithCouple || couple > partner
    }
}
