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

    /// "She loves Frida Kahlo and wants a print": a name or a relation behind another verb of the one who wants.
    ///
    /// It stands in a first half that begins with whoever acts in both, and no verb of its own follows it there.
    func isObject(_ text: HintText, _ index: Int, before verb: Int) -> Bool {
        let sentence = text.words[verb].sentence
        guard let joint = (index + 1..<max(index + 1, verb)).last(where: { Self.joints.contains(text.text($0)) }),
            verb - joint <= 3, !(index + 1..<joint).contains(where: { isVerb(text, $0) })
        else { return false }
        var first = index
        while first > 0, text.words[first - 1].sentence == sentence, isPart(text, first - 1) { first -= 1 }
        guard first > 0, text.words[first - 1].sentence == sentence else { return false }
        let governor = first - 1
        let start = text.words.firstIndex { $0.sentence == sentence } ?? governor
        let acts = (start..<governor).contains { place in
            !text.kinds(place).isDisjoint(with: [.subjectPronoun, .relation, .spouse]) || isPartner(text, place)
                || text.words[place].isName && text.words[place].isContent
        }
        // "Loves Frida Kahlo and wants": nobody but the partner acts where nobody is named.
        guard acts || looksActing(text, start) else { return false }
        let speaks = Self.saids.contains(text.text(governor)) && !text.kinds(governor).contains(.liking)
        return !speaks && !Self.joints.contains(text.text(governor))
    }

    private static let joints: Set<String> = ["and", "but", "so", "then", "also"]

    private func isVerb(_ text: HintText, _ index: Int) -> Bool {
        text.kinds(index).contains(.liking) || RuleWords.isPlainVerb(text.words[index].stemFingerprint)
    }

    /// A part of what a verb takes: names, what describes them, or whose they are.
    private func isPart(_ text: HintText, _ index: Int) -> Bool {
        let isName = text.words[index].isName && text.words[index].isContent
        let isListed = index > 0 && Self.joints.contains(text.text(index)) && text.words[index - 1].isName
        return isName || isListed
            || ["a", "an", "the", "my", "our", "her", "his", "their", "old", "best"].contains(text.text(index))
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

    /// A hint that tells what a relation or a neighbour does, is or has, and says nothing of the partner or the couple.
    ///
    /// What somebody says may be of use to the user, what is broken or taken care of is so at home.
    func isOthersDoing(_ text: HintText) -> Bool {
        guard let first = text.words.indices.prefix(4).first(where: { isBystander(text, $0) }), first > 0,
            text.kinds(first).contains(.relation), isActing(text, behind: first),
            // Nobody else acts before.
            !(0..<first).contains(where: { text.kinds($0).contains(.subjectPronoun) }),
            !text.contains(.trouble), !text.contains(.broken), !text.contains(.window),
            !text.contains(anyOf: Self.reports)
        else { return false }
        let isOver = [Patterns.settled, Patterns.gotten, Patterns.done, Patterns.givenUp].contains {
            $0.occurs(in: text)
        }
        if isOver { return false }
        let isPlural = text.text(first).hasSuffix("s")
        return !text.words.indices.contains { place in
            if place <= first { return place < first - 2 && isPartner(text, place) }
            let word = text.text(place)
            if ["i", "me", "my", "mine", "you"].contains(word) { return true }
            if text.kinds(place).contains(.couplePronoun) { return true }
            if isPlural, ["they", "them", "their", "theirs", "themselves"].contains(word) { return false }
            if text.kinds(place).contains(.partnerSubject) { return antecedent(text, of: place) != .other }
            return isPartner(text, place)
        }
    }

    private static let reports = RuleWords.set("reports")

    /// Whether a verb follows, maybe behind an adverb.
    private func isActing(_ text: HintText, behind index: Int) -> Bool {
        let verb = text.words.indices.first { $0 > index && (text.words[$0].isContent || isVerb(text, $0)) }
        return verb.map { $0 - index <= 3 && looksActing(text, $0) } ?? false
    }

    /// Whether a word is a verb, or ends like one.
    private func looksActing(_ text: HintText, _ index: Int) -> Bool {
        isVerb(text, index) || text.words[index].isContent && ["s", "ed"].contains { text.text(index).hasSuffix($0) }
    }

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
