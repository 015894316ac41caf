import TextReading

/// Finds what a hint says no to, clause by clause: "no more cakes", "over tulips", "mohair makes her itch".
struct RefusalRule: Sendable {
    private typealias W = RuleWords

    let partnerNames: PartnerNames

    func refusals(in text: HintText) -> [Refusal] {
        var found: [Refusal] = []
        for clause in text.clauses {
            var index = clause.lowerBound
            while index < clause.upperBound {
                defer { index += 1 }
                if let turn = turn(in: text, at: index, clause: clause), !isRegretted(turn, in: text) {
                    found.append(turn)
                    if turn.objects.lowerBound > index { index = turn.objects.lowerBound - 1 }
                    continue
                }
                if let owned = owned(in: text, at: index, clause: clause) {
                    found.append(owned)
                    index = max(index, owned.objects.upperBound - 1)
                    continue
                }
                if let thing = Sensitivity.thing(before: index, in: text, clause: clause) {
                    append(thing, marker: index, clause: clause, to: &found)
                    continue
                }
                if let start = Sensitivity.things(behind: index, in: text, clause: clause) {
                    append(
                        start..<objectEnd(text, from: start, clause: clause),
                        marker: index,
                        clause: clause,
                        to: &found
                    )
                    index = start - 1
                    continue
                }
                guard text.words[index].kinds.contains(.refusal) else { continue }
                if let start = objectStart(text, at: index, clause: clause) {
                    let end = objectEnd(text, from: start, clause: clause)
                    let objects = min(start, end)..<end
                    if objects.contains(where: { text.words[$0].isContent }) {
                        found.append(Refusal(marker: index, objects: objects, scope: index..<clause.upperBound))
                        index = max(index, min(start, clause.upperBound) - 1)
                    } else if Self.pointing.contains(text.words[index].text) || text.text(index + 1) == "stand" {
                        let isPointing = found.isEmpty && Self.pointers.contains(text.text(start))
                        let named = named(before: index, in: text, isPointing: isPointing)
                        append(named, marker: index, clause: clause, to: &found)
                    }
                } else if isAfterMarker(text, at: index, clause: clause) {
                    append(named(before: index, in: text), marker: index, clause: clause, to: &found)
                }
            }
        }
        return found + continuations(text, of: found)
    }

    private static let partings = W.set("parting verbs")
    private static let regrets = W.set("regrets")

    /// What somebody parted with and wants back: "sold the bass and has regretted it since".
    private func isRegretted(_ refusal: Refusal, in text: HintText) -> Bool {
        Self.partings.contains(text.words[refusal.marker].text)
            && text.words.contains { Self.regrets.contains($0.text) }
    }

    private func append(_ objects: Range<Int>, marker: Int, clause: Range<Int>, to found: inout [Refusal]) {
        guard !objects.isEmpty else { return }
        found.append(Refusal(marker: marker, objects: objects, scope: objects.lowerBound..<clause.upperBound))
    }

    /// Behind these "it" is what was named last.
    private static let pointing = W.set("refusals of it")

    // MARK: - What follows a marker

    /// Where the refused thing starts when a marker stands at `index`.
    private func objectStart(_ text: HintText, at index: Int, clause: Range<Int>) -> Int? {
        let word = text.text(index)
        let before = index > clause.lowerBound ? text.text(index - 1) : ""
        let next = text.text(index + 1)
        switch word {
        case "no": return startAfterNo(text, at: index, before: before, next: next)
        case "not": return startAfterNot(text, at: index, before: before, next: next, clause: clause)
        case "nothing":
            let reasons = [
                "with", "that", "too", "big", "fancy", "sticky", "loud", "spicy", "sweet", "expensive", "heavy",
                "bulky", "fragile", "breakable", "scented", "noisy", "messy", "alcoholic",
            ]
            // "Nothing from Zara": who makes or sells it.
            let isMaker = ["from", "by"].contains(next)
            return isMaker || reasons.contains(next) || before == "please" ? index + 1 : nil
        case "never":
            let isHabit = [
                "again", "eats", "eat", "drinks", "drink", "wears", "wear", "uses", "use", "touches", "liked",
            ]
            .contains(next)
            return isHabit ? index + 2 : nil
        case "nobody", "noone", "dont": return ["buy", "get", "give"].contains(next) ? index + 2 : nil
        case "over":
            let isPartner = index > 0 && partnerNames.contains(text.words[index - 1])
            let isDone =
                isPartner
                || [
                    "so", "completely", "totally", "officially", "well", "is", "she", "he", "they", "was", "really",
                    "kinda",
                ]
                .contains(before)
            return isDone && !["the", "there", "here", "and", "it", "at", "to", "a"].contains(next) && !next.isEmpty
                ? index + 1 : nil
        case "off": return startAfterOff(text, at: index, before: before, next: next)
        default: return startAfterVerb(text, at: index, word: word, before: before, next: next)
        }
    }

    private static let noIdioms = W.set("idioms of no")

    private func startAfterNo(_ text: HintText, at index: Int, before: String, next: String) -> Int? {
        if next == "longer" {
            let isHabit = [
                "eats", "eat", "drinks", "drink", "wears", "wear", "likes", "wants", "does", "eating", "drinking",
            ]
            .contains(text.text(index + 2))
            return isHabit ? index + 3 : nil
        }
        if index + 1 >= text.clause(of: index).upperBound || Sensitivity.areDenied(text, by: index) { return nil }
        if Self.noIdioms.contains(next) || next.isEmpty || before == "say" || before == "still" { return nil }
        // "Never says no to a dram" is a yes.
        if ["says", "said"].contains(before), ["never", "not", "seldom", "rarely"].contains(text.text(index - 2)) {
            return nil
        }
        // "No real leather" refuses it; "no real garden" is a lack.
        let isMaterial =
            next == "real" && TasteTable.isMaterial(text.words[min(index + 2, text.words.count - 1)].stemFingerprint)
        if ["decent", "proper", "good", "real", "working", "spare", "shed"].contains(next), !isMaterial { return nil }
        if [
            "oh", "has", "have", "had", "with", "there", "is", "was", "are", "own", "owns", "makes", "knows", "in",
            "got", "and", "shed", "d", "having", "owned",
        ]
        .contains(before), next != "more" {
            return nil
        }
        let isLack = (index + 1..<min(index + 5, text.clause(of: index).upperBound)).contains {
            [
                "worth", "survives", "lasts", "fits", "fit", "hold", "holds", "last", "work", "close", "closes",
                "works", "stays", "helps", "around", "left", "plays", "knows", "up", "own", "name",
            ].contains(
                text.text($0)
            )
        }
        return isLack && next != "more" ? nil : index + (next == "more" ? 2 : 1)
    }

    private static let notVerbs = W.set("verbs behind not")
    private static let canNotVerbs = W.set("verbs behind can not")
    private static let willNotVerbs = W.set("verbs behind will not")

    private func startAfterNot(
        _ text: HintText,
        at index: Int,
        before: String,
        next: String,
        clause: Range<Int>
    ) -> Int? {
        let after = index + 2
        switch before {
        case "has", "have", "had", "i": return nil
        case "do", "does", "did", "would", "should":
            if ["you", "dare"].contains(next) { return index + 1 }
            let verb = next == "really" || next == "even" ? text.text(index + 2) : next
            let start = verb == next ? after : after + 1
            guard Self.notVerbs.contains(verb), text.text(start) != "to" || ["want", "like", "need"].contains(verb)
            else { return nil }
            let object = text.text(start)
            return ["it", "anything", "that", "one", "know"].contains(object) && start + 1 >= clause.upperBound
                ? nil : start
        case "can", "could": return Self.canNotVerbs.contains(next) ? after : nil
        case "will": return Self.willNotVerbs.contains(next) ? after : nil
        case "is", "was", "are", "be", "she", "he", "they", "it":
            return ["into", "allowed", "keen", "big", "fan", "mad", "supposed"].contains(next) ? after : nil
        default:
            let near = index + 2..<max(index + 2, min(index + 5, clause.upperBound))
            if next == "one", near.contains(where: { text.text($0) == "left" }) { return nil }
            if ["another", "a", "an", "the", "any", "one", "into", "keen"].contains(next) { return index + 2 }
            if next == "not" || next == "even" { return next == "even" ? after : nil }
            let isContrast =
                index > clause.lowerBound || !text.words[min(index + 1, text.words.count - 1)].isCapitalized
            let isPlain = W.isPlainVerb(text.words[min(index + 1, text.words.count - 1)].stemFingerprint)
            return isContrast && !next.isEmpty && !isPlain && !W.generic.contains(next) && !W.pronouns.contains(next)
                && !W.partnerPronouns.contains(next)
                && !["sure", "that", "because", "for", "to", "in", "on", "as", "without"]
                    .contains(next)
                && index + 1 < clause.upperBound
                ? index + 1 : nil
        }
    }

    private func startAfterOff(_ text: HintText, at index: Int, before: String, next: String) -> Int? {
        let subjects = [
            "is", "he", "she", "they", "went", "gone", "been", "completely", "totally", "properly", "right", "her",
            "him",
            "them", "now", "goes", "was", "stay", "fully", "swore", "sworn",
        ]
        guard subjects.contains(before) || index == 0 || text.clause(of: index).lowerBound == index else { return nil }
        if ["to", "work", "on", "for", "season", "shift", "from", "at", "in", "of", "sick", "duty", "and", "we", ""]
            .contains(next) || W.monthsAndDays.contains(next) || next.first?.isNumber ?? true
        {
            return nil
        }
        return next == "the" ? index + 2 : index + 1
    }

    private static let verbs = W.set("refusing verbs")

    /// Two words that refuse what follows.
    private static let pairs = Set(TableText.words.entries("refusal pairs").map(\.text))
    private static let plainPairs = Set(TableText.words.entries("plain refusal pairs").map(\.text))
    private static let afterNoObject = W.set("no object behind a pair")

    private func startAfterVerb(_ text: HintText, at index: Int, word: String, before: String, next: String) -> Int? {
        let object = index + 1
        if Self.verbs.contains(word) {
            if Sensitivity.isDenied(text, before: index) { return nil }
            if word == "quit" || word == "skip", ["his", "her", "their", "halfway", "the"].contains(next),
                next == "halfway"
            {
                return nil
            }
            if next == "when" || next == "that" || next == "how" { return nil }
            let target =
                ["to", "the", "all"].contains(next)
                ? text.words[min(index + 2, text.words.count - 1)] : text.words[min(index + 1, text.words.count - 1)]
            if W.isChore(target.stemFingerprint), !["allergic", "avoid", "avoids"].contains(word) { return nil }
            return next == "to" || next == "from" ? object + 1 : object
        }
        let pair = "\(word) \(next)"
        if Self.pairs.contains(pair) {
            if word == "enough", before == "get" { return nil }
            let third = text.text(index + 2)
            if third == "the" && text.text(index + 3) == "ghost" || Self.afterNoObject.contains(third) { return nil }
            return word == "instead" && before == "it" ? nil : index + 2
        }
        if Self.plainPairs.contains(pair) { return index + 2 }
        switch (word, next) {
        case ("fed", "up") where text.text(index + 2) == "with": return index + 3
        case ("what", "do") where text.has(["i", "need", "with"], at: index + 2): return index + 5
        case ("than", _):
            let clause = text.clause(of: index)
            let hasRather = (clause.lowerBound..<index).contains {
                ["rather", "prefer", "prefers", "sooner"].contains(text.text($0))
            }
            return hasRather ? object : nil
        case ("enough", _):
            let isOpening = index == text.clause(of: index).lowerBound
            let isOwned = ["has", "have", "got", "owns", "with"].contains(before)
            let isShortage = ["time", "money", "sleep", "room", "to", "for", "hours", "space"].contains(next)
            return (isOpening || isOwned) && !isShortage ? object : nil
        default: return startOfPlenty(text, at: index, word: word)
        }
    }

    /// "owns four mats", "we have six tins of cocoa": more than enough of it.
    private func startOfPlenty(_ text: HintText, at index: Int, word: String) -> Int? {
        guard ["owns", "own", "has", "have", "got", "there"].contains(word) else { return nil }
        var number = index + 1
        while ["is", "are", "already", "like", "about", "got", "at", "least", "literally"].contains(text.text(number)) {
            number += 1
        }
        guard number < text.words.count, text.words[number].isMany else { return nil }
        let signs = [
            "already", "another", "more", "counted", "enough", "every", "tins", "bottles", "boxes", "bags", "pair",
            "pairs", "jars", "tubs", "house", "kitchen", "cupboard", "garage", "flat",
        ]
        let isEnough = word == "owns" || text.contains(anyOf: signs)
        return isEnough ? number + 1 : nil
    }

    private static let stops = W.set("refusal ends")

    func objectEnd(_ text: HintText, from start: Int, clause: Range<Int>) -> Int {
        var end = start
        var joints = 0
        while end < clause.upperBound, end - start - joints < 10 {
            let word = text.text(end)
            if Self.stops.contains(word), end > start { break }
            // A list may be as long as it likes.
            if Refusal.joints.contains(word) { joints += 1 }
            end += 1
        }
        return max(end, min(start, clause.upperBound))
    }

    // MARK: - What stands before a marker

    private func isAfterMarker(_ text: HintText, at index: Int, clause: Range<Int>) -> Bool {
        let next = text.text(index + 1)
        let third = text.text(index + 2)
        switch text.text(index) {
        case "no":
            let clause = text.clause(of: index)
            return index + 1 == clause.upperBound && index > clause.lowerBound && clause.count <= 4
                && text.words[index - 1].isContent
        case "makes", "make", "made":
            return W.partnerPronouns.contains(next)
                && [
                    "itch", "itchy", "sneeze", "sick", "gag", "dizzy", "ill", "nauseous", "swear", "cringe", "anxious",
                    "panic", "want", "break", "cough", "queasy",
                ].contains(third)
        case "gives", "gave", "give":
            return W.partnerPronouns.contains(next)
                && [
                    "hives", "migraines", "migraine", "headaches", "headache", "nightmares", "rashes", "anxiety",
                    "heartburn",
                ].contains(third)
                || W.partnerPronouns.contains(next) && third == "a"
                    && ["headache", "migraine", "rash", "headaches"].contains(text.text(index + 3))
        case "is", "are":
            return ["out", "banned", "pointless", "wasted", "overrated", "off"].contains(next)
                && index + 2 >= clause.upperBound - 1
                || next == "a" && ["waste", "nope", "no"].contains(third)
        case "went": return next == "back" && index + 2 >= clause.upperBound - 4
        case "leaves": return next == "the" && third == "room"
        case "rolls", "rolled": return text.text(index + 2) == "eyes"
        case "cringes", "winced", "shudders", "grumbled": return true
        case "returned", "regifted", "binned": return index > clause.lowerBound
        case "itches", "itched": return index > clause.lowerBound
        case "in": return next == "the" && ["drawer", "bin"].contains(third) && isGiftTalk(text)
        default: return false
        }
    }

    /// "gave her a tablet … in the drawer": a present that is not used.
    private func isGiftTalk(_ text: HintText) -> Bool {
        text.contains(anyOf: ["gave", "gift", "bought", "lasted", "got", "present", "misses"])
            && !text.contains(anyOf: ["split", "cracked", "broken", "broke", "clasp", "snapped"])
    }
}
