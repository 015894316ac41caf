import KnotDomain

/// Lets a newer hint take back an older one about the same thing: "done with alcohol" after "loved the wine".
struct OverruleRule: Sendable {
    let tables: RuleTables

    /// The drafts, oldest first, with the older of each contradiction silenced.
    func settle(_ drafts: [HintDraft]) -> [HintDraft] {
        var drafts = drafts
        for newer in drafts.indices {
            guard drafts[newer].subject == .partner || drafts[newer].subject == .couple else { continue }
            for older in drafts.indices where drafts[older].hint.createdAt < drafts[newer].hint.createdAt {
                guard drafts[older].strength > 0, overrules(drafts[newer], drafts[older]) else { continue }
                if let rest = rest(of: drafts[older], after: drafts[newer]) {
                    drafts[older] = rest
                    continue
                }
                drafts[newer].overrules.append(drafts[older].hint.id)
                drafts[older] = silenced(drafts[older], by: drafts[newer])
                if drafts[newer].isSettled { drafts[newer].strength = 0 }
            }
        }
        return drafts
    }

    /// What a note still rules out where a newer one wants only some of it back; nil where nothing is left of it.
    private func rest(of older: HintDraft, after newer: HintDraft) -> HintDraft? {
        guard older.stance == .avoids, newer.stance == .wants || newer.isRevival else { return nil }
        let wanted = Set(newer.topicPhrases.map(tables.tastes.core))
        func isWanted(_ stems: [UInt64]) -> Bool { wanted.contains(tables.tastes.core(of: stems)) }
        let back = Set(older.refusedPhrases.filter(isWanted).flatMap(\.self))
        let kept = older.conditions.indices.filter { place in
            let condition = older.conditions[place]
            let isNamed = back.contains(older.conditionThings[place])
            if newer.isRevival { return !isNamed && heads(newer).allSatisfy { !covers(condition, $0) } }
            return !isNamed || !tables.conditions.isTaste(condition)
        }
        let gone = Set(older.conditions.indices).subtracting(kept)
        // "Off alcohol" names the condition itself.
        let things = Set(gone.map { older.conditionThings[$0] })
        let open = older.refusedPhrases.filter { !isWanted($0) && !things.isSuperset(of: $0) }
        let isAll = open.isEmpty && kept.isEmpty
        guard !isAll, open.count + kept.count < older.refusedPhrases.count + older.conditions.count else { return nil }
        func conditions(at places: some Sequence<Int>) -> [ConditionTable.Condition] {
            places.map { tables.conditions.conditions[older.conditions[$0]] }
        }
        let over = conditions(at: gone)
        let left = conditions(at: kept)
        let named = older.avoid.filter { isWanted(tables.stems(of: $0)) }
        let others = older.avoid.filter { open.contains(tables.stems(of: $0)) }
        let freed = Set(named + named.flatMap(tables.tastes.neighbours) + over.flatMap(\.avoid))
        let held = Set(others + others.flatMap(tables.tastes.neighbours) + left.flatMap(\.avoid))
        var rest = older
        rest.avoid = older.avoid.filter { !freed.contains($0) || held.contains($0) }
        rest.limits = older.limits.filter { limit in !over.contains { $0.limit == limit } }
        rest.refusedPhrases = open
        rest.conditions = kept.map { older.conditions[$0] }
        rest.conditionThings = kept.map { older.conditionThings[$0] }
        return rest
    }

    private func silenced(_ draft: HintDraft, by newer: HintDraft) -> HintDraft {
        var older = draft
        let isLifted = !older.conditions.isEmpty && older.conditions.allSatisfy(newer.lifted.contains)
        let isRevival = newer.stance != .avoids && older.stance == .avoids
        if isRevival || isLifted {
            older.avoid = []
            // What it called forbidden is not any more; on which days somebody is free it says all the same.
            older.limits = older.stated
        } else if !newer.refusesOnlyMore {
            let near = older.serves.filter { isNear($0, older, newer) }
            older.avoid = Set(older.avoid).union(near.prefix(4)).sorted()
        }
        older.strength = 0
        older.serves = []
        return older
    }

    /// What a liking would have served may be far from the thing that is over.
    private func isNear(_ phrase: String, _ older: HintDraft, _ newer: HintDraft) -> Bool {
        if older.stance == .wants || newer.refused.isEmpty { return true }
        return tables.stems(of: phrase).contains { older.topics.contains($0) || newer.refused.contains($0) }
    }

    private func overrules(_ newer: HintDraft, _ older: HintDraft) -> Bool {
        let isOldPositive = older.stance != .avoids && (older.subject == .partner || older.subject == .couple)
        if isOldPositive {
            // A new one ends the wish for it, and the trouble with the old one.
            if newer.isGotten, older.stance == .wants || older.stance == .needs, newer.strength < 0.9,
                sharesHead(newer, older)
            {
                return true
            }
            if newer.isSettled { return sharesThing(newer.topics, older.topics, atLeast: 1) }
            if newer.isCompletion, older.stance == .fact || older.stance == .wants,
                sharesThing(newer.topics, older.topics, atLeast: 1)
            {
                return true
            }
            if !newer.conditions.isEmpty, older.conditions.isEmpty, !older.isRepair, covers(newer, older) {
                return true
            }
            if newer.isParting, older.stance == .wants || older.stance == .likes, !older.isRepair,
                speaks(newer, of: older)
            {
                return true
            }
            guard !newer.refused.isEmpty, !older.isRepair else { return false }
            // Who wants no new guitar may love the one that is there.
            if newer.refusesOnlyMore, older.stance != .wants || !sharesCore(newer, older) { return false }
            return denies(newer, older) || sharesThing(newer.relatedRefused, older.topics, atLeast: 1)
        }
        // What a body does not bear is no matter of a mind.
        guard older.stance == .avoids, newer.strength > 0, !older.isHarm else { return false }
        if !older.conditions.isEmpty, older.conditions.allSatisfy(newer.lifted.contains) { return true }
        if newer.isRevival {
            return isNamed(older, by: newer) { $1.last == $0.last }
                || heads(newer).contains { head in older.conditions.contains { covers($0, head) } }
        }
        return newer.stance == .wants && !older.hasCause && newer.refused.isEmpty && isNamed(older, by: newer, as: ==)
    }

    /// Whether the newer hint speaks of a thing that the older refuses, both without the form in which they come.
    ///
    /// Who hates roses and wants rose gold earrings still hates roses; what is more exact than a refusal is asked for in
    /// spite of it, and takes nothing back.
    private func isNamed(
        _ older: HintDraft,
        by newer: HintDraft,
        as isSame: ([UInt64], [UInt64]) -> Bool
    ) -> Bool {
        newer.topicPhrases.contains { topic in
            older.refusedPhrases.contains { refused in
                isSame(tables.tastes.core(of: refused), tables.tastes.core(of: topic))
            }
        }
    }

    /// What each of its phrases names, by the last word.
    private func heads(_ draft: HintDraft) -> [UInt64] {
        draft.topicPhrases.compactMap { tables.tastes.core(of: $0).last }
    }

    /// Whether the newer hint names what the older one is about, outside of what it refuses, which may be another sort.
    private func speaks(_ newer: HintDraft, of older: HintDraft) -> Bool {
        newer.text.words.contains {
            $0.isContent && older.topics.contains($0.stemFingerprint) && !newer.refused.contains($0.stemFingerprint)
        }
    }

    private func sharesThing(_ left: Set<UInt64>, _ right: Set<UInt64>, atLeast count: Int) -> Bool {
        left.intersection(right).count >= count
    }

    /// Whether something refused is something the older hint speaks of: "no jazz mugs" leaves "jazz records" alone.
    ///
    /// A no to one sort is none to the thing that is loved and none to another sort: who hates gold earrings may love silver
    /// ones. A wish for any of them may have been met by one.
    private func denies(_ newer: HintDraft, _ older: HintDraft) -> Bool {
        newer.refusedPhrases.contains { refused in
            older.topicPhrases.contains { topic in
                let (left, right) = (tables.tastes.core(of: refused), tables.tastes.core(of: topic))
                if right.count == 1, older.stance == .wants { return left.last == right.last }
                return !left.isEmpty
                    && left.allSatisfy { right.contains($0) || isRaised($0, newer, among: right, older) }
            }
        }
    }

    /// Whether a word of the newer hint stands in the older one in a higher degree: "darkest" speaks of "dark".
    private func isRaised(_ stem: UInt64, _ newer: HintDraft, among topic: [UInt64], _ older: HintDraft) -> Bool {
        guard let plain = newer.text.words.first(where: { $0.stemFingerprint == stem })?.text else { return false }
        return older.text.words.contains { word in
            topic.contains(word.stemFingerprint) && ["er", "est", "r", "st"].contains { word.text == plain + $0 }
        }
    }

    /// Whether both name the same thing by its last word.
    private func sharesHead(_ newer: HintDraft, _ older: HintDraft) -> Bool {
        (newer.topicPhrases + newer.refusedPhrases).contains { phrase in
            older.topicPhrases.contains { !$0.isEmpty && $0.last == phrase.last }
        }
    }

    /// The same of what the newer one refuses, without the form in which it comes.
    private func sharesCore(_ newer: HintDraft, _ older: HintDraft) -> Bool {
        let heads = newer.refusedPhrases.compactMap { tables.tastes.core(of: $0).last }
        return older.topicPhrases.contains { tables.tastes.core(of: $0).last.map(heads.contains) == true }
    }

    private func covers(_ newer: HintDraft, _ older: HintDraft) -> Bool {
        newer.conditions.contains { condition in
            tables.conditions.conditions[condition].covers.contains { phrase in
                older.text.words.indices.contains { phrase.matches(older.text.words, at: $0) }
            }
        }
    }

    private func covers(_ condition: Int, _ stem: UInt64) -> Bool {
        tables.conditions.conditions[condition].covers.contains { $0.stems.first == stem }
    }
}
