import KnotDomain
import TextReading

/// Reads one hint on its own.
struct DraftRule: Sendable {
    private typealias W = RuleWords

    let tables: RuleTables
    let partnerNames: PartnerNames
    let asOf: Instant

    private static let millisecondsPerDay: Int64 = 86_400_000
    private static let oldAfterDays: Int64 = 540
    static let settledMarks = MarkList(
        """
        finally bought; finally got; finally fixed; sorted now; all sorted; got it fixed; got fixed; bought himself
        bought herself; bought themselves; changed her mind; changed his mind; changed their mind; got herself
        got himself; got themselves; is fixed; already bought; treated herself; treated himself; came in the mail
        was repaired; got repaired; never mind; repaired now; fixed now; has one now; have one now; found it
        """
    )
    static let gottenMarks = MarkList(
        """
        adopted|rescued a|an|the|two
        got|bought|ordered|won|received|inherited $its * from|off|yesterday|today|already|himself|herself
        treated herself|himself|themselves|themself to; arrived from
        gave|given|bought|handed|getting|buying|giving $them the|a|an|one|hers|his
        preordered; pre ordered; bought|ordered|built himself|herself|themselves; paying for $its
        finally bought|got|ordered|arrived|came; just bought|ordered; just got the|a|an|some; <already bought|got|ordered|has|have|owns
        in the end; got|bought one|some|it; turned|showed up from|at|yesterday|today|this
        arrived|came|delivered yesterday|\
        today|this|last
        """
    )
    static let completions = MarkList(
        """
        he finished; she finished; they finished; he did it; she did it; they did it; she did the; he did the; did it
        crossed the finish; happened in|on|last|at|and; been and done|gone; ticked|crossed it|that|off * list
        """
    )
    /// Signs that something was given up, whatever it was; together with an older wish for it they end that wish.
    static let partings = MarkList(
        """
        sold|sells|selling|sell; listed on; trash; threw|throws|thrown; tossed; binned; ditched; dumped; quit|quits
        packed * in
        gave * away|up|to; given * away|up; out the window; never again|going|happening; had enough
        walked|stormed out
        refund|refunded|returned|cancelled|canceled|banned|forbidden; nobody|noone can; no one can; shark|accident
        broke|broken $its arm|leg|wrist|ankle|collarbone|foot|hip; doctor|physio|surgeon * no|stop; not getting back
        corny|cringe|cringey|naff; <she|he|they|and out >; hated|hates|loathed; ruined it; lost interest; put * off
        """
    )
    static let revivals = MarkList(
        """
        back on; back to; back into; is back; no longer vegan; drinks again; drinking again; eating meat; again now
        allowed again; cleared to; cleared for; came around; come around; turns out; after all; changed her mind
        changed his mind; changed their mind; running again; wants them again; wants it again; loves them again
        again please
        """
    )

    func draft(_ hint: Hint) -> HintDraft {
        let text = HintText(hint.text)
        let refusals = RefusalRule(partnerNames: partnerNames).refusals(in: text)
        var refused = WordPlaces(count: text.words.count)
        for refusal in refusals { refused.insert(refusal.scope) }
        let rule = SubjectRule(partnerNames: partnerNames, isVoice: hint.source == .voiceTranscription)
        let subject = rule.subject(of: text)
        var named = WordPlaces(count: text.words.count)
        for refusal in refusals { named.insert(refusal.objects) }
        let conditions = conditionHits(text, subject: subject.subject, refused: named)
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
        let isMereNo = judgement.stance == .avoids && !text.contains(.turning)
        let ruled =
            isMereNo ? Set((refusals.map(\.marker) + conditions.map(\.word)).map { text.words[$0].sentence }) : []
        // The sentence of a mere no asks for nothing else; "gouache, not watercolour" does.
        let hits = asked.filter { !ruled.contains(text.words[$0.first].sentence) || text.text($0.last + 1) == "not" }
        let isHouseRule = subject.subject == .other && !conditions.isEmpty
        let objects = ObjectPhrases(names: partnerNames)
        let refusedPhrases = refusals.flatMap {
            objects.phrases(in: text, range: $0.objects, limit: 3, isRefusal: true)
        }
        let isSettled = Self.settledMarks.occurs(in: text)
        let isRevival = Self.revivals.occurs(in: text)
        var unwished = refused
        for condition in conditions { unwished.insert(condition.named) }
        let positives = positivePhrases(text, judgement: judgement, refused: unwished, objects: objects)
        let isGotten = Self.gottenMarks.occurs(in: text)
        let isOwned = isGotten && refusals.isEmpty && conditions.isEmpty && isMereFact(judgement, of: text)
        var strength = isOwned ? 0.7 : judgement.strength
        if isHouseRule { strength = 0.5 }
        let distance = asOf.millisecondsSinceEpoch.subtractingReportingOverflow(hint.createdAt.millisecondsSinceEpoch)
        // What is farther away than numbers reach is as old, or as new, as anything can be.
        let farthest = hint.createdAt < asOf ? Int64.max : Int64.min
        let age = distance.overflow ? farthest : distance.partialValue
        if age > Self.oldAfterDays * Self.millisecondsPerDay { strength *= 0.9 }
        let serves =
            strength > 0 && !isHouseRule && !isOwned
            ? combine(positives: positives, hits: hits, conditions: conditions, text: text, judgement: judgement) : []
        let taken = judgement.strength == 0 && !isHouseRule ? positives : isOwned ? Array(positives.prefix(1)) : []
        let avoid = avoidPhrases(refused: taken + refusedPhrases, conditions: conditions)
        return HintDraft(
            hint: hint,
            text: text,
            subject: subject.subject,
            stance: isHouseRule || isOwned ? .avoids : judgement.stance,
            strength: (strength * 100).rounded() / 100,
            serves: serves,
            avoid: avoid.filter { !serves.contains($0) },
            limits: limits(
                text,
                conditions: conditions,
                age: age
            ),
            topics: stems(positives),
            refused: stems(refusedPhrases),
            topicPhrases: positives.map(tables.stems),
            refusedPhrases: refusedPhrases.map(tables.stems),
            relatedRefused: stems(refusedPhrases.flatMap(tables.tastes.neighbours).filter { !$0.utf8.contains(0x20) }),
            conditions: conditions.map(\.condition),
            isRepair: judgement.stance == .needs && !hits.isEmpty,
            isSettled: isSettled,
            isGotten: isGotten,
            isRevival: isRevival,
            isParting: judgement.wish == nil && Self.partings.occurs(in: text),
            isCompletion: Self.completions.occurs(in: text)
        )
    }

    /// Neither a wish nor a liking is told, nor trouble.
    private func isMereFact(_ judgement: StanceRule.Judgement, of text: HintText) -> Bool {
        judgement.strength > 0 && judgement.wish == nil && !text.contains(.liking)
            && (judgement.stance == .likes || judgement.stance == .fact && judgement.strength < 0.7)
    }

    /// As fingerprints.
    private func stems(_ phrases: [String]) -> Set<UInt64> {
        Set(phrases.flatMap(tables.stems))
    }

    private static let household = W.set("roommate flatmate housemate son daughter kids kid baby toddler we our")

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
            return text.contains(anyOf: Self.household) && text.contains(anyOf: ["allergic", "allergy"]) ? hits : []
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
            remedies += tables.conditions.conditions[hit.condition].serves.filter { !remedies.contains($0) }
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
        case .avoids: ownCount = !text.contains(.turning) ? 0 : 2
        case .fact: ownCount = remedies.isEmpty ? 3 : 1
        }
        let own = positives.prefix(ownCount)
        let room = RulesReader.servesLimit - own.count
        let chosen = remedies.prefix(room) + own.filter { !remedies.contains($0) }
        return judgement.stance == .wants
            ? Array(own + remedies.filter { !own.contains($0) }.prefix(room)) : Array(chosen)
    }

    static let broken = W.set(
        "broken broke dead cracked snapped torn blown jammed chipped bent split leaking rusted ruined busted"
    )

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

    private func avoidPhrases(refused: [String], conditions: [ConditionTable.Hit]) -> [String] {
        var phrases: [String] = []
        func add(_ phrase: String) {
            if !phrase.isEmpty, phrases.count < RulesReader.avoidLimit, !phrases.contains(phrase) {
                phrases.append(phrase)
            }
        }
        // What a condition means is more than the word that named it, and of each condition the strongest comes first.
        for phrase in refused.prefix(conditions.isEmpty ? 4 : 2) { add(phrase) }
        let lists = conditions.map { tables.conditions.conditions[$0.condition].avoid }
        for place in 0..<RulesReader.avoidLimit {
            for list in lists where place < list.count { add(list[place]) }
        }
        for phrase in refused.prefix(4) { for other in tables.tastes.neighbours(of: phrase) { add(other) } }
        return phrases
    }

    /// "The 20th" is over after two months; "20 December" and "Tuesdays" come again.
    private static let currentForDays: Int64 = 62

    private func limits(_ text: HintText, conditions: [ConditionTable.Hit], age: Int64) -> [String] {
        let named = conditions.map { tables.conditions.conditions[$0.condition].limit }.filter { !$0.isEmpty }
        let isPast = age > Self.currentForDays * Self.millisecondsPerDay
        let stated = LimitRule().limits(in: text).filter { limit in
            !isPast || StatedWindow.windows(in: limit).allSatisfy(\.daysOfMonth.isEmpty)
        }
        return Array((named + stated).prefix(3))
    }
}
