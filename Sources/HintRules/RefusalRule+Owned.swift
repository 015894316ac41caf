/// What somebody has by now, so that no other one is for giving: "her brother got her a drone", "she has a drone".
extension RefusalRule {
    private static let giving = RuleWords.set("giving verbs")
    private static let having = RuleWords.set("having verbs")
    private static let articles = RuleWords.set("before a thing")
    private static let steps = RuleWords.set("beside a having verb")
    private static let denials = RuleWords.set("not yet had")
    private static let ungiven = RuleWords.set("had and not given")
    private static let poor = RuleWords.set("poor qualities")
    private static let gone = RuleWords.set("gone by now")
    private static let counts: Set<String> = ["one", "two", "both", "several", "plenty", "loads"]
    private static let occasions: Set<String> = [
        "xmas", "christmas", "birthday", "bday", "valentines", "anniversary", "easter", "graduation", "hanukkah",
    ]

    /// The refusal that having or getting a thing makes, where such a verb stands here.
    func owned(in text: HintText, at index: Int, clause: Range<Int>) -> Refusal? {
        if text.text(index) == "already", index + 1 < clause.upperBound, Self.having.contains(text.text(index + 1)) {
            return owned(in: text, at: index + 1, clause: clause)
        }
        let verb = text.text(index)
        let isGift = Self.giving.contains(verb)
        guard isGift || Self.having.contains(verb) || verb == "replaced" else { return nil }
        if (clause.lowerBound..<index).contains(where: { Self.denials.contains(text.text($0)) }) { return nil }
        if isGone(text, behind: index) || isWantedOnceMore(text, behind: index) { return nil }
        if verb == "replaced" { return replaced(text, at: index, clause: clause) }
        if isGift, let start = behindReceiver(text, at: index, clause: clause) {
            return given(text, at: index, from: start, clause: clause)
        }
        return Self.having.contains(verb) ? had(text, at: index, clause: clause) : nil
    }

    // MARK: - Given

    /// The place behind who is given something: "gave her", "got my wife".
    private func behindReceiver(_ text: HintText, at index: Int, clause: Range<Int>) -> Int? {
        // What somebody only thinks of giving is given by nobody: "he is getting her" and not "thinking of getting her".
        if text.text(index).hasSuffix("ing") {
            let giver = text.kinds(index - 1)
            let isGiver =
                ["is", "are", "am", "was", "were", "be"].contains(text.text(index - 1)) || giver.contains(.relation)
                || index > 0 && text.words[index - 1].isCapitalized
            guard index > clause.lowerBound, isGiver else { return nil }
        }
        var person = index + 1
        if text.text(person) == "my", text.kinds(person + 1).contains(.spouse) { person += 1 }
        guard person + 1 < clause.upperBound else { return nil }
        let isReceiver =
            ["her", "him", "them", "us"].contains(text.text(person)) || partnerNames.contains(text.words[person])
            || person > index + 1
        return isReceiver ? person + 1 : nil
    }

    private func given(_ text: HintText, at index: Int, from start: Int, clause: Range<Int>) -> Refusal? {
        if text.text(start) == "one", isTail(text, at: start + 1, clause: clause) {
            return pointed(text, at: index, clause: clause)
        }
        guard let things = things(text, from: start, clause: clause) else { return nil }
        let isOpen = things.isNamed || isTail(text, at: things.range.upperBound, clause: clause)
        return isOpen ? refusal(of: things.range, in: text, at: index, clause: clause) : nil
    }

    // MARK: - Had

    private func had(_ text: HintText, at index: Int, clause: Range<Int>) -> Refusal? {
        guard isTheirs(text, verb: index, clause: clause) else { return nil }
        var start = index + 1
        while start < clause.upperBound, ["already", "got"].contains(text.text(start)) { start += 1 }
        let isAlready =
            (max(clause.lowerBound, index - 2)..<start).contains { text.text($0) == "already" }
        if let count = counted(text, from: start, clause: clause), isTail(text, at: count, clause: clause) {
            return pointed(text, at: index, clause: clause)
        }
        // Of three and more there is plenty, which is said elsewhere.
        guard !text.words[min(start, text.words.count - 1)].isMany,
            let things = things(text, from: start, clause: clause)
        else { return nil }
        let end = things.range.upperBound
        if isAlready {
            // "Already got tickets to the opera": whatever is said of it.
            let all = things.range.lowerBound..<objectEnd(text, from: end - 1, clause: clause)
            let joint = all.first { $0 >= end && Refusal.joints.contains(text.text($0)) }
            return refusal(of: all.lowerBound..<(joint ?? all.upperBound), in: text, at: index, clause: clause)
        }
        if text.text(end) == "already" { return refusal(of: things.range, in: text, at: index, clause: clause) }
        let isOwn = ["owns", "own"].contains(text.text(index))
        let isBought = !["has", "have", "got"].contains(text.text(index))
        // "Has a dinner on Friday", "has an exam in May": a plan.
        let isPlan = !isOwn && !isBought && (end..<clause.upperBound).contains { isDay(text, at: $0) }
        guard isOwn || isBought || things.isNamed, !isPlan, isTail(text, at: end, clause: clause),
            isGiftable(text, things.range), isMereFact(text, clause: clause, verb: index)
        else { return nil }
        return refusal(of: things.range, in: text, at: index, clause: clause)
    }

    private func isDay(_ text: HintText, at place: Int) -> Bool {
        text.words[place].isNumber || !text.kinds(place).isDisjoint(with: [.calendar, .time])
            || ["today", "tomorrow", "tonight", "next", "this", "soon"].contains(text.text(place))
    }

    /// Whether who has it is the partner or both, or nobody is named.
    private func isTheirs(_ text: HintText, verb index: Int, clause: Range<Int>) -> Bool {
        var who = index - 1
        while who >= clause.lowerBound, Self.steps.contains(text.text(who)) { who -= 1 }
        if who < clause.lowerBound { return true }
        if (clause.lowerBound...who).contains(where: { text.kinds($0).contains(.relation) }) { return false }
        let kinds = text.kinds(who)
        return kinds.contains(.partnerSubject) || text.text(who) == "we" || kinds.contains(.spouse)
            || partnerNames.contains(text.words[who]) || kinds.contains(.joining) || kinds.contains(.turning)
    }

    /// "has one", "got a new one": where the words end that point to a thing named before.
    private func counted(_ text: HintText, from start: Int, clause: Range<Int>) -> Int? {
        let first = text.text(start)
        guard start < clause.upperBound else { return nil }
        if Self.counts.contains(first) { return start + 1 }
        guard ["a", "another", "the"].contains(first) else { return nil }
        if text.text(start + 1) == "replacement" || first == "another" && text.text(start + 1) == "one" {
            return start + 2
        }
        return ["new", "nice", "better", "good"].contains(text.text(start + 1)) && text.text(start + 2) == "one"
            ? start + 3 : nil
    }

    /// "has a dog", "has a bad back", "has an exam": what nobody wraps, or what may be the ground of a wish.
    private func isGiftable(_ text: HintText, _ range: Range<Int>) -> Bool {
        range.allSatisfy { place in
            let word = text.text(place)
            return !Self.ungiven.contains(word) && !Sensitivity.isWord(word) && !Self.poor.contains(word)
                && text.kinds(place).isDisjoint(with: [.animal, .trouble, .broken])
        } && !Self.poor.contains(text.text(range.lowerBound - 1))
    }

    /// Nothing else in the clause wants, likes or complains.
    private func isMereFact(_ text: HintText, clause: Range<Int>, verb: Int) -> Bool {
        clause.allSatisfy { place in
            place == verb
                || text.kinds(place).isDisjoint(with: [.wanting, .yearning, .liking, .trouble, .broken, .relation])
                || text.text(place - 1) == "from" || text.text(place - 2) == "from"
        }
    }

    // MARK: - Replaced

    /// "we replaced it", "already replaced", "replaced the kettle", and not "needs to be replaced".
    private func replaced(_ text: HintText, at index: Int, clause: Range<Int>) -> Refusal? {
        let isAsked = (clause.lowerBound..<index).contains {
            RuleWords.wishVerbs.contains(text.text($0)) || ["be", "to", "get", "getting"].contains(text.text($0))
        }
        if isAsked { return nil }
        if ["it", "them", "that"].contains(text.text(index + 1)) || isTail(text, at: index + 1, clause: clause) {
            return pointed(text, at: index, clause: clause)
        }
        guard let things = things(text, from: index + 1, clause: clause) else { return nil }
        return refusal(of: things.range, in: text, at: index, clause: clause)
    }

    // MARK: - The things

    /// The list of things that begins here, and whether an article or a number introduces it.
    private func things(_ text: HintText, from start: Int, clause: Range<Int>) -> (range: Range<Int>, isNamed: Bool)? {
        func isArticle(_ place: Int) -> Bool {
            Self.articles.contains(text.text(place)) || text.words[place].isNumber
                || text.kinds(place).contains(.nameless) && text.words[place].isMany
        }
        func run(from start: Int) -> Range<Int>? {
            var first = start
            while first < clause.upperBound, isArticle(first) { first += 1 }
            var end = first
            while end < clause.upperBound, text.words[end].isContent { end += 1 }
            return end > first ? first..<end : nil
        }
        guard let first = run(from: start) else { return nil }
        var end = first.upperBound
        while end < clause.upperBound, Refusal.joints.contains(text.text(end)), let next = run(from: end + 1) {
            end = next.upperBound
        }
        return (first.lowerBound..<end, first.lowerBound > start)
    }

    /// Whether nothing stands here that says more of the thing than when it came and from whom.
    private func isTail(_ text: HintText, at place: Int, clause: Range<Int>) -> Bool {
        guard place < clause.upperBound else { return true }
        let word = text.text(place)
        let kinds = text.kinds(place)
        if kinds.contains(.nameless), !kinds.contains(.relation) { return true }
        if ["from", "since", "when", "for"].contains(word) || ["in", "on", "at"].contains(word) {
            let next = (place + 1)..<min(place + 4, clause.upperBound)
            switch word {
            case "from", "since", "when": return true
            case "for": return next.contains { Self.occasions.contains(text.text($0)) || text.words[$0].isNumber }
            default:
                return next.first.map { text.kinds($0).contains(.calendar) || text.kinds($0).contains(.nameless) }
                    == true
                    || next.contains { text.words[$0].isNumber }
            }
        }
        return Refusal.joints.contains(word) || kinds.contains(.calendar) || Self.occasions.contains(word)
    }

    /// What the verb speaks of was named before it: "her kettle broke, we replaced it".
    private func pointed(_ text: HintText, at index: Int, clause: Range<Int>) -> Refusal? {
        let named = named(before: index, in: text)
        let things = named.filter { text.words[$0].isContent && text.kinds($0).isDisjoint(with: [.trouble, .broken]) }
        guard let end = things.last else { return nil }
        var start = end
        while things.contains(start - 1) { start -= 1 }
        return Refusal(marker: index, objects: start..<(end + 1), scope: start..<clause.upperBound, isOwned: true)
    }

    /// The refusal ends before what the clause goes on with: "has a drone and wants a gimbal".
    private func refusal(of things: Range<Int>, in text: HintText, at index: Int, clause: Range<Int>) -> Refusal {
        let end = (things.upperBound..<clause.upperBound).first { Refusal.joints.contains(text.text($0)) }
        return Refusal(
            marker: index,
            objects: things,
            scope: things.lowerBound..<(end ?? clause.upperBound),
            isOwned: true
        )
    }

    // MARK: - Not there any more

    private func isGone(_ text: HintText, behind index: Int) -> Bool {
        (index + 1..<text.words.count).contains {
            text.kinds($0).contains(.broken) || Self.gone.contains(text.text($0))
        }
    }

    /// "wants a better one", "would love a second": there is one, and there may be another.
    private func isWantedOnceMore(_ text: HintText, behind index: Int) -> Bool {
        (index + 1..<text.words.count).contains { place in
            ["one", "ones", "another", "second", "upgrade", "more"].contains(text.text(place))
                && (max(index + 1, place - 3)..<place).contains {
                    RuleWords.wishVerbs.contains(text.text($0)) || ["love", "like"].contains(text.text($0))
                }
        }
    }
}
