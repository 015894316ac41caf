import KnotDomain
import TextReading

/// Reads one hint on its own.
struct DraftRule: Sendable {
    private typealias W = RuleWords

    let tables: RuleTables
    let partnerNames: PartnerNames
    let asOf: Instant

    /// What a note is about, what it refuses and which conditions it names: the start of every reading.
    private struct Refused {
        let text: HintText
        let refusals: [Refusal]
        let subject: SubjectRule.Wish
        let conditions: [ConditionTable.Hit]
        /// The ways of life that it says are over.
        let lifted: [ConditionTable.Hit]
        /// The words inside refusals.
        let places: WordPlaces
    }

    private func refused(in hint: Hint) -> Refused {
        let text = HintText(hint.text)
        let lifted = tables.conditions.lifted(in: text)
        // Who is not vegetarian any more has nothing against vegetables.
        let refusals = RefusalRule(partnerNames: partnerNames).refusals(in: text).filter { refusal in
            !refusal.objects.filter { text.words[$0].isContent }
                .allSatisfy { place in lifted.contains { $0.named.contains(place) } }
        }
        var places = WordPlaces(count: text.words.count)
        for refusal in refusals { places.insert(refusal.scope) }
        let rule = SubjectRule(partnerNames: partnerNames, isVoice: hint.source == .voiceTranscription)
        let subject = rule.subject(of: text)
        var named = WordPlaces(count: text.words.count)
        // Who has a fishing rod may eat fish.
        for refusal in refusals where !refusal.isOwned { named.insert(refusal.objects) }
        let conditions = conditionHits(text, subject: subject.subject, refused: named)
        return Refused(
            text: text,
            refusals: refusals,
            subject: subject,
            conditions: conditions,
            lifted: lifted,
            places: places
        )
    }

    private static let onceMore = ["another", "new", "second", "extra"]

    /// What a note refuses; `asOwned`, of what is refused since it is there already, or once more, only another one.
    private func refusedPhrases(_ start: Refused, asOwned: Bool = false) -> [String] {
        start.refusals.flatMap { refusal in
            let phrases = phrases(of: refusal, in: start.text)
            let before = (refusal.objects.first { start.text.words[$0].isContent } ?? 0) - 1
            let isOnceMore = Self.onceMore.contains(start.text.text(before)) && !start.text.words[before].isName
            let isThere = isOnceMore || refusal.isOwned || start.text.text(refusal.origin) == "already"
            return asOwned && isThere ? phrases.map { "another \($0)" } : phrases
        }
    }

    /// What a refusal names: a few things, or all of a list.
    private func phrases(of refusal: Refusal, in text: HintText) -> [String] {
        let joints = refusal.objects.count { Refusal.joints.contains(text.text($0)) }
        return ObjectPhrases(names: partnerNames)
            .phrases(in: text, range: refusal.objects, limit: max(3, joints + 1), isRefusal: true)
    }

    /// Whether the note rules anything out, as its draft would say.
    ///
    /// Most notes answer it without the remedies, whose table takes time to parse.
    func rulesOut(_ hint: Hint) -> Bool {
        DraftMemory.rulesOut(note(of: hint)) { ruling(hint) }
    }

    private func ruling(_ hint: Hint) -> Bool {
        let start = refused(in: hint)
        // Every condition rules something out.
        if !start.conditions.isEmpty { return true }
        if refusedPhrases(start).contains(where: { !RulePhrase.stems(of: $0).isEmpty }) { return true }
        guard start.refusals.isEmpty else {
            let draft = draft(hint)
            return draft.stance == .avoids || !draft.avoid.isEmpty || !draft.refused.isEmpty
        }
        // Remedies change neither whether it is a mere fact nor whether it is somebody else's wish.
        let judgement = StanceRule().judge(
            start.text,
            subject: start.subject,
            refused: start.places,
            conditions: 0,
            remedies: 0
        )
        if Patterns.gotten.occurs(in: start.text), isMereFact(judgement, of: start.text) { return true }
        guard judgement.strength == 0, judgement.wish != nil else { return false }
        let objects = ObjectPhrases(names: partnerNames)
        return !positivePhrases(start.text, judgement: judgement, refused: start.places, objects: objects).isEmpty
    }

    func draft(_ hint: Hint) -> HintDraft {
        var draft = DraftMemory.draft(of: note(of: hint)) { freshDraft(hint) }
        draft.hint = hint
        return draft
    }

    /// All that a draft depends on; only the text, which comes last, may have any sign in it.
    private func note(of hint: Hint) -> String {
        "\(partnerNames.key)\0\(hint.source.rawValue)\0\(NoteAge(of: hint, at: asOf).rawValue)\0\(hint.text)"
    }

    private func freshDraft(_ hint: Hint) -> HintDraft {
        let age = NoteAge(of: hint, at: asOf)
        let start = refused(in: hint)
        let (text, refusals, refused) = (start.text, start.refusals, start.places)
        let (subject, conditions) = (start.subject, start.conditions)
        var excluded = refused
        for condition in conditions { excluded.insert(condition.refused) }
        let asked = tables.remedies.hits(in: text, excluded: excluded)
        let judgement = StanceRule().judge(
            text,
            subject: subject,
            refused: refused,
            conditions: conditions.count,
            remedies: asked.count
        )
        let isMereNo = judgement.stance == .avoids && !judgement.isMixed && !text.contains(.turning)
        let ruled =
            isMereNo ? Set((refusals.map(\.marker) + conditions.map(\.word)).map { text.words[$0].sentence }) : []
        // The sentence of a mere no asks for nothing else; "gouache, not watercolour" does.
        let hits = asked.filter { !ruled.contains(text.words[$0.first].sentence) || text.text($0.last + 1) == "not" }
        let isHouseRule = subject.subject == .other && !conditions.isEmpty
        let objects = ObjectPhrases(names: partnerNames)
        let refusedPhrases = refusedPhrases(start)
        let isSettled = Patterns.settled.occurs(in: text)
        let isRevival = Patterns.wantedAgain.occurs(in: text)
        var unwished = refused
        for condition in conditions + start.lifted { unwished.insert(condition.named) }
        let positives = positivePhrases(text, judgement: judgement, refused: unwished, objects: objects)
        let isGotten = Patterns.gotten.occurs(in: text) || refusals.contains { isGain($0, in: text) }
        let isHarm = isHarm(text, refusals: refusals, conditions: conditions)
        let isOwned = isGotten && refusals.isEmpty && conditions.isEmpty && isMereFact(judgement, of: text)
        var strength = isOwned ? 0.7 : judgement.strength
        // "The kettle broke but is fixed now" asks for nothing.
        if isSettled, !isOwned, !isRevival, isMended(text) || isMereFact(judgement, of: text) { strength = 0 }
        if isHouseRule { strength = 0.5 }
        if age == .old { strength *= 0.9 }
        let serves =
            strength > 0 && !isHouseRule && !isOwned && !judgement.isAppointment
            ? combine(positives: positives, hits: hits, conditions: conditions, text: text, judgement: judgement) : []
        // Who has a thing needs no other, and may be glad of what goes with it.
        let isWished = judgement.strength == 0 && judgement.wish != nil && !isHouseRule
        let passed = isWished ? positives : isOwned ? Array(positives.prefix(1)) : []
        let taken = isGotten ? passed.map { "another \($0)" } : passed
        let ruledOut = self.refusedPhrases(start, asOwned: true)
        let avoid = avoidPhrases(taken: taken, refused: ruledOut, conditions: conditions)
        // What a mere liking names is no exception to what the note says that she can not have.
        let held = judgement.stance == .avoids ? Set(conditions.flatMap { condition($0).avoid }) : []
        let isOwn = subject.subject == .partner || subject.subject == .couple
        let harms = isHarm && isOwn ? harmful(in: text, refusals: refusals, conditions: conditions) : []
        let named = limits(conditions: conditions, harmful: harms)
        let stated = stated(in: text, isPast: age != .current)
        return HintDraft(
            hint: hint,
            text: text,
            subject: subject.subject,
            stance: isHouseRule || isOwned ? .avoids : judgement.stance,
            strength: (strength * 100).rounded() / 100,
            serves: serves,
            avoid: avoid.filter { !serves.contains($0) || held.contains($0) },
            limits: Array((named + stated).prefix(TextLimit.listItems)),
            stated: stated,
            topics: stems(positives),
            refused: stems(refusedPhrases),
            topicPhrases: positives.map(tables.stems),
            refusedPhrases: refusedPhrases.map(tables.stems),
            relatedRefused: stems(refusedPhrases.flatMap(tables.tastes.neighbours).filter { !$0.utf8.contains(0x20) }),
            conditions: conditions.map(\.condition),
            conditionThings: conditions.map { text.words[$0.named.upperBound - 1].stemFingerprint },
            lifted: start.lifted.map(\.condition),
            isHarm: isHarm,
            hasCause: isEffect(refusals, in: text)
                || conditions.contains { $0.refused.isEmpty && !refused.contains($0.word) },
            refusesOnlyMore: isOwned || !ruledOut.isEmpty && ruledOut.allSatisfy { $0.hasPrefix("another ") },
            isRepair: judgement.stance == .needs && !hits.isEmpty,
            isSettled: isSettled,
            isGotten: isGotten,
            isRevival: isRevival,
            isParting: judgement.wish == nil && Patterns.givenUp.occurs(in: text),
            isCompletion: Patterns.done.occurs(in: text)
        )
    }

    private func condition(_ hit: ConditionTable.Hit) -> ConditionTable.Condition {
        tables.conditions.conditions[hit.condition]
    }

    /// The note names no wish, no liking and no trouble.
    private func isMereFact(_ judgement: StanceRule.Judgement, of text: HintText) -> Bool {
        judgement.strength > 0 && judgement.wish == nil && !text.contains(.liking)
            && (judgement.stance == .likes || judgement.stance == .fact && judgement.strength < 0.7)
    }

    /// Whether the turn that a trouble is over stands behind every trouble.
    private func isMended(_ text: HintText) -> Bool {
        let trouble = text.words.lastIndex { !$0.kinds.isDisjoint(with: [.trouble, .broken]) }
        let ends = Patterns.settled.matches(in: text, from: text.words.indices).map(\.range.upperBound)
        return trouble.map { place in ends.contains { place < $0 } } ?? false
    }

    /// As fingerprints.
    private func stems(_ phrases: [String]) -> Set<UInt64> {
        Set(phrases.flatMap(tables.stems))
    }

    private static let household = W.set("household")

    /// Another person's diet binds only when they share the home.
    private func conditionHits(
        _ text: HintText,
        subject: HintReading.Subject,
        refused: WordPlaces
    ) -> [ConditionTable.Hit] {
        let hits = tables.conditions.hits(in: text, refused: refused)
        switch subject {
        case .partner, .couple: return hits
        case .user: return []
        case .other:
            return text.contains(anyOf: Self.household) && text.contains(anyOf: Self.sensitivities) ? hits : []
        }
    }

    // MARK: - What serves

    /// What the wish names first, then what the other open clauses name.
    private func positivePhrases(
        _ text: HintText,
        judgement: StanceRule.Judgement,
        refused: WordPlaces,
        objects: ObjectPhrases
    ) -> [String] {
        var phrases: [String] = []
        func add(_ range: Range<Int>, limit: Int) {
            for phrase in objects.phrases(in: text, range: range, limit: limit) where !phrases.contains(phrase) {
                phrases.append(phrase)
            }
        }
        if let wish = judgement.wish, wish + 1 < text.words.count {
            let sentence = text.words[wish].sentence
            var end = wish + 1
            while end < text.words.count, text.words[end].sentence == sentence,
                !refused.contains(end) || judgement.strength == 0, end - wish < 16
            {
                end += 1
            }
            add((wish + 1)..<end, limit: 4)
            if judgement.strength == 0 { return phrases }
        }
        for clause in text.clauses {
            let open = clause.prefix { !refused.contains($0) }
            let later = clause.drop { refused.contains($0) }
            if !open.isEmpty {
                add(open.startIndex..<open.endIndex, limit: 4)
            } else if !later.isEmpty {
                add(later.startIndex..<later.endIndex, limit: 4)
            }
        }
        return phrases
    }

    private func combine(
        positives: [String],
        hits: [RemedyTable.Hit],
        conditions: [ConditionTable.Hit],
        text: HintText,
        judgement: StanceRule.Judgement
    ) -> [String] {
        var remedies: [String] = []
        let lists = hits.prefix(3).map { tables.remedies.remedies[$0.remedy].serves }
        for place in 0..<6 {
            for list in lists where place < list.count && !remedies.contains(list[place]) {
                remedies.append(list[place])
            }
        }
        for hit in conditions {
            remedies += condition(hit).serves.filter { !remedies.contains($0) }
        }
        if judgement.stance == .needs, text.contains(.broken), !remedies.contains(where: Self.isMending) {
            remedies = positives.prefix(1).map { "\($0) repair" } + remedies
        }
        if remedies.isEmpty, judgement.stance == .needs { remedies = repairs(of: positives) }
        if judgement.stance == .fact, judgement.strength >= 0.7 { return LimitRule().fits(text) }
        let ownCount: Int
        switch judgement.stance {
        case .wants: ownCount = remedies.isEmpty ? 5 : 3
        case .likes: ownCount = remedies.isEmpty ? 4 : 2
        case .needs: ownCount = remedies.isEmpty ? 4 : 1
        case .avoids: ownCount = judgement.isMixed || text.contains(.turning) ? 2 : 0
        case .fact: ownCount = remedies.isEmpty ? 3 : 1
        }
        let own = positives.prefix(ownCount)
        let room = RulesReader.servesLimit - own.count
        let chosen = remedies.prefix(room) + own.filter { !remedies.contains($0) }
        return judgement.stance == .wants
            ? Array(own + remedies.filter { !own.contains($0) }.prefix(room)) : Array(chosen)
    }

    private static func isMending(_ phrase: String) -> Bool {
        ["repair", "restor", "replace", "service", "resol", "mend", "sharpen"].contains { holds(phrase, $0) }
    }

    /// Whether letters stand anywhere in a phrase.
    private static func holds(_ phrase: String, _ letters: String) -> Bool {
        var rest = phrase.utf8[...]
        while rest.count >= letters.utf8.count {
            if rest.starts(with: letters.utf8) { return true }
            rest = rest.dropFirst()
        }
        return false
    }

    /// A thing in trouble that no table knows is at least repaired, restored or replaced.
    private func repairs(of phrases: [String]) -> [String] {
        phrases.prefix(2).flatMap { ["\($0) repair", "\($0) service"] }
    }

    // MARK: - What is ruled out

    private func avoidPhrases(taken: [String], refused: [String], conditions: [ConditionTable.Hit]) -> [String] {
        var phrases: [String] = []
        func add(_ phrase: String, most: Int) {
            if !phrase.isEmpty, phrases.count < most, !phrases.contains(phrase) { phrases.append(phrase) }
        }
        // Nothing that somebody names is left out; what the tables say of it takes what room is left.
        for phrase in taken + refused { add(phrase, most: TextLimit.listItems) }
        let lists = conditions.map { condition($0).avoid }
        for place in 0..<RulesReader.avoidLimit {
            for list in lists where place < list.count { add(list[place], most: RulesReader.avoidLimit) }
        }
        // Who has a yoga mat may be glad of a yoga block.
        for phrase in refused.prefix(4) where !phrase.hasPrefix("another ") {
            for other in tables.tastes.neighbours(of: phrase) { add(other, most: RulesReader.avoidLimit) }
        }
        return phrases
    }

    private static let doings: Set<String> = ["makes", "make", "made", "gives", "gave", "give"]

    /// Whether what is refused did harm to a body: "she is allergic to kiwis", "kiwis give her hives".
    private func isHarm(_ text: HintText, refusals: [Refusal], conditions: [ConditionTable.Hit]) -> Bool {
        if text.contains(anyOf: Self.sensitivities) || text.contains(anyOf: Self.diseases) { return true }
        let isDone = !conditions.isEmpty || isEffect(refusals, in: text)
        return isDone && Patterns.harms.occurs(in: text)
    }

    /// Whether a thing is refused for what it does to somebody.
    private func isEffect(_ refusals: [Refusal], in text: HintText) -> Bool {
        refusals.contains { !$0.isOwned && Self.doings.contains(text.words[$0.marker].text) }
    }

    /// Whether what is owned came by now, and is not only there.
    private func isGain(_ refusal: Refusal, in text: HintText) -> Bool {
        refusal.isOwned && !["has", "have", "own", "owns"].contains(text.text(refusal.marker))
    }

    private static let diseases = ["coeliac", "celiac", "anaphylaxis", "anaphylactic", "epipen"]
    private static let sensitivities = [
        "allergic", "allergy", "allergies", "allergen", "allergens", "intolerant", "intolerance", "intolerances",
    ]

    private static let rashes = ["hives", "rash", "rashes"]

    /// What no table knows may harm somebody all the same.
    private func harmful(in text: HintText, refusals: [Refusal], conditions: [ConditionTable.Hit]) -> [String] {
        let isBodily = conditions.isEmpty || text.contains(anyOf: Self.rashes)
        var harms = refusals.filter { refusal in
            let origin = text.text(refusal.origin)
            return Sensitivity.isWord(origin) || isBodily && !refusal.isOwned && Self.doings.contains(origin)
        }
        // "No kiwi or mango, she is allergic": the harm has no words of its own.
        if harms.isEmpty, let first = refusals.first, conditions.isEmpty || text.contains(anyOf: Self.sensitivities) {
            harms = refusals.filter { $0.origin == first.origin }
        }
        let known = Set(conditions.flatMap(\.named).map { text.words[$0].stemFingerprint })
        return harms.flatMap { phrases(of: $0, in: text) }.filter { known.isDisjoint(with: tables.stems(of: $0)) }
    }

    /// What its conditions and its harms are called.
    private func limits(conditions: [ConditionTable.Hit], harmful: [String]) -> [String] {
        conditions.map { condition($0).limit }.filter { !$0.isEmpty }
            + harmful.map { "\($0) allergy" }
    }

    /// What it says of days, times and the like, which are limits whatever else it says.
    private func stated(in text: HintText, isPast: Bool) -> [String] {
        LimitRule().limits(in: text).filter { limit in
            !isPast || StatedWindow.windows(in: limit).allSatisfy(\.daysOfMonth.isEmpty)
        }
    }
}
