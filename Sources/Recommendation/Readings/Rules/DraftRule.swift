import KnotDomain

/// Reads one hint on its own.
struct DraftRule: Sendable {
    private typealias W = RuleWords

    let tables: RuleTables
    let partnerNames: Set<String>
    let asOf: Instant

    private static let millisecondsPerDay: Int64 = 86_400_000
    private static let oldAfterDays: Int64 = 540
    private static let settledMarks: [[String]] = [
        ["finally", "bought"], ["finally", "got"], ["finally", "fixed"], ["sorted", "now"], ["all", "sorted"], ["got", "it", "fixed"],
        ["got", "fixed"], ["bought", "himself"], ["bought", "herself"], ["bought", "themselves"], ["changed", "her", "mind"],
        ["changed", "his", "mind"], ["changed", "their", "mind"], ["got", "herself"], ["got", "himself"], ["got", "themselves"],
        ["is", "fixed"], ["already", "bought"], ["treated", "herself"], ["treated", "himself"], ["not", "anymore"], ["any", "more"],
        ["gave", "away"], ["came", "in", "the", "mail"], ["was", "repaired"], ["got", "repaired"], ["never", "mind"],
    ]
    private static let revivals: [[String]] = [
        ["back", "on"], ["back", "to"], ["back", "into"], ["is", "back"], ["no", "longer", "vegan"], ["drinks", "again"],
        ["drinking", "again"], ["eating", "meat"], ["again", "now"], ["allowed", "again"], ["cleared", "to"], ["cleared", "for"],
        ["came", "around"], ["come", "around"], ["turns", "out"], ["after", "all"], ["changed", "her", "mind"],
        ["changed", "his", "mind"], ["changed", "their", "mind"], ["can", "have"], ["running", "again"], ["over", "it", "now"],
    ]

    func draft(_ hint: Hint) -> HintDraft {
        let text = HintText(hint.text)
        let refusals = RefusalRule().refusals(in: text)
        let refusedClauses = Set(refusals.map { text.words[$0.marker].clause })
            .union(refusals.compactMap { $0.objects.isEmpty ? nil : text.words[$0.objects.lowerBound].clause })
        let rule = SubjectRule(partnerNames: partnerNames, isVoice: hint.source == .voiceTranscription)
        let subject = rule.subject(of: text)
        let conditions = conditionHits(text, subject: subject.subject, refusedClauses: refusedClauses)
        let hits = tables.remedies.hits(in: text, excludedClauses: refusedClauses)
        let judgement = StanceRule().judge(
            text, subject: subject, refusedClauses: refusedClauses, conditions: conditions.count, remedies: hits.count)
        let isHouseRule = subject.subject == .other && !conditions.isEmpty
        let objects = ObjectPhrases(names: partnerNames)
        let refusedPhrases = refusals.flatMap { objects.phrases(in: text, range: $0.objects, limit: 3) }
        let isSettled = Self.settledMarks.contains { mark in text.words.indices.contains { text.has(mark, at: $0) } }
        let isRevival = Self.revivals.contains { mark in text.words.indices.contains { text.has(mark, at: $0) } }
        let positives = positivePhrases(text, judgement: judgement, refusedClauses: refusedClauses, objects: objects)
        var strength = judgement.strength
        if isHouseRule { strength = 0.5 }
        if asOf.millisecondsSinceEpoch - hint.createdAt.millisecondsSinceEpoch > Self.oldAfterDays * Self.millisecondsPerDay {
            strength *= 0.9
        }
        let serves = strength > 0 && !isHouseRule
            ? combine(positives: positives, hits: hits, text: text, judgement: judgement) : []
        let avoid = avoidPhrases(
            refused: judgement.strength == 0 && !isHouseRule ? positives + refusedPhrases : refusedPhrases, conditions: conditions)
        return HintDraft(
            hint: hint, text: text, subject: subject.subject, stance: isHouseRule ? .avoids : judgement.stance,
            strength: (strength * 100).rounded() / 100, serves: serves, avoid: avoid.filter { !serves.contains($0) },
            limits: limits(text, conditions: conditions), topics: stems(positives),
            refused: stems(refusedPhrases), conditions: conditions.map(\.condition),
            isRepair: judgement.stance == .needs && !hits.isEmpty, isSettled: isSettled, isRevival: isRevival)
    }

    private func stems(_ phrases: [String]) -> Set<String> {
        Set(phrases.flatMap { RulePhrase($0).stems })
    }

    private static let household = W.set("roommate flatmate housemate son daughter kids kid baby toddler we our")

    /// Another person's diet binds only when they share the home.
    private func conditionHits(
        _ text: HintText, subject: HintReading.Subject, refusedClauses: Set<Int>
    ) -> [ConditionTable.Hit] {
        let hits = tables.conditions.hits(in: text, refusals: refusedClauses)
        switch subject {
        case .partner, .couple: return hits
        case .user: return []
        case .other: return text.contains(anyOf: Self.household) && text.contains(anyOf: ["allergic", "allergy"]) ? hits : []
        }
    }

    // MARK: - What serves

    /// What the wish names first, then what the other open clauses name.
    private func positivePhrases(
        _ text: HintText, judgement: StanceRule.Judgement, refusedClauses: Set<Int>, objects: ObjectPhrases
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
                !refusedClauses.contains(text.words[end].clause) || judgement.strength == 0, end - wish < 16
            {
                end += 1
            }
            add((wish + 1)..<end, limit: 4)
            if judgement.strength == 0 { return phrases }
        }
        for (number, clause) in text.clauses.enumerated() where !refusedClauses.contains(number) { add(clause, limit: 4) }
        return phrases
    }

    private func combine(
        positives: [String], hits: [RemedyTable.Hit], text: HintText, judgement: StanceRule.Judgement
    ) -> [String] {
        var remedies: [String] = []
        let lists = hits.prefix(3).map { tables.remedies.remedies[$0.remedy].serves }
        for place in 0..<6 {
            for list in lists where place < list.count && !remedies.contains(list[place]) { remedies.append(list[place]) }
        }
        if remedies.isEmpty, judgement.stance == .needs { remedies = repairs(of: positives) }
        if judgement.stance == .fact, judgement.strength >= 0.7 { return LimitRule().fits(text) }
        let ownCount: Int
        switch judgement.stance {
        case .wants: ownCount = remedies.isEmpty ? 5 : 3
        case .likes: ownCount = remedies.isEmpty ? 4 : 2
        case .needs: ownCount = remedies.isEmpty ? 4 : 1
        case .avoids: ownCount = 2
        case .fact: ownCount = remedies.isEmpty ? 3 : 1
        }
        let own = positives.prefix(ownCount)
        let room = RulesReader.servesLimit - own.count
        let chosen = remedies.prefix(room) + own.filter { !remedies.contains($0) }
        return judgement.stance == .wants ? Array(own + remedies.filter { !own.contains($0) }.prefix(room)) : Array(chosen)
    }

    /// A thing in trouble that no table knows is at least repaired, restored or replaced.
    private func repairs(of phrases: [String]) -> [String] {
        phrases.prefix(2).flatMap { ["\($0) repair", "\($0) service"] }
    }

    // MARK: - What is ruled out

    private func avoidPhrases(refused: [String], conditions: [ConditionTable.Hit]) -> [String] {
        var phrases: [String] = []
        func add(_ phrase: String) {
            if !phrase.isEmpty, phrases.count < RulesReader.avoidLimit, !phrases.contains(phrase) { phrases.append(phrase) }
        }
        for phrase in refused.prefix(4) { add(phrase) }
        for hit in conditions { for phrase in tables.conditions.conditions[hit.condition].avoid { add(phrase) } }
        for phrase in refused.prefix(4) { for other in tables.tastes.neighbours(of: phrase) { add(other) } }
        return phrases
    }

    private func limits(_ text: HintText, conditions: [ConditionTable.Hit]) -> [String] {
        let named = conditions.map { tables.conditions.conditions[$0.condition].limit }.filter { !$0.isEmpty }
        return Array((named + LimitRule().limits(in: text)).prefix(3))
    }
}
