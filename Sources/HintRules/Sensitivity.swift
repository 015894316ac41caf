/// What somebody does not bear, named before the word for it or behind: "a kiwi allergy", "allergies: nuts, sesame".
enum Sensitivity {
    private static let names: Set<String> = [
        "allergy", "allergies", "intolerance", "intolerances", "allergen", "allergens",
    ]
    private static let adjectives: Set<String> = ["allergic", "intolerant"]
    /// They say how bad it is or what kind it is, not what does it.
    private static let qualities: Set<String> = [
        "severe", "bad", "mild", "serious", "awful", "nasty", "deadly", "threatening", "known", "new", "old", "rare",
        "food", "skin", "seasonal", "contact", "spring", "summer", "drug",
    ]
    /// What allergies do or how they are: "her allergies are worse", "her allergy is gone".
    private static let states: Set<String> = [
        "worse", "better", "gone", "back", "terrible", "horrible", "brutal", "insane", "real", "under", "over", "fine",
        "crazy", "manageable", "annoying", "hell",
    ]
    private static let beings: Set<String> = ["is", "are"]
    private static let links: Set<String> = ["to", "of", "is", "are", "include", "includes", "including"]
    private static let denials: Set<String> = ["no", "not", "without", "zero", "never"]
    /// A word or two name the thing: "tree nut".
    private static let longest = 2

    /// Whether a word is one for not bearing something, and so nobody's name.
    static func isWord(_ text: String) -> Bool { names.contains(text) || adjectives.contains(text) }

    /// Whether a mark behind a word, which comes after these words, opens the list of what is not borne.
    ///
    /// Behind "she is allergic" only a colon does, since a dash may go on to anything else.
    static func opensList(_ word: String, behind words: [HintWord], byColon: Bool) -> Bool {
        if adjectives.contains(word) { return byColon }
        if byColon, links.contains(word), let last = words.last { return names.contains(last.text) }
        guard names.contains(word) else { return false }
        guard let last = words.last else { return true }
        if words.suffix(3).contains(where: { denials.contains($0.text) }) { return false }
        return !isThing(last) || byColon && last.isCapitalized && last.isPossessive
    }

    private static func isThing(_ word: HintWord) -> Bool {
        word.isContent && !word.isPossessive && !qualities.contains(word.text)
    }

    /// The thing that stands before such a word, if any.
    static func thing(before index: Int, in text: HintText, clause: Range<Int>) -> Range<Int>? {
        guard names.contains(text.text(index)) else { return nil }
        var start = index
        while start > clause.lowerBound, index - start < longest, isThing(text.words[start - 1]) { start -= 1 }
        let isNo = (max(clause.lowerBound, start - 2)..<start).contains { ["no", "not"].contains(text.text($0)) }
        return start == index || isNo ? nil : start..<index
    }

    /// Where the things begin that stand behind such a word: "allergies: nuts", "her allergies are nuts and sesame".
    static func things(behind index: Int, in text: HintText, clause: Range<Int>) -> Int? {
        guard names.contains(text.text(index)), thing(before: index, in: text, clause: clause) == nil,
            !(max(clause.lowerBound, index - 3)..<index).contains(where: { denials.contains(text.text($0)) })
        else { return nil }
        var start = index + 1
        let isLinked = start < clause.upperBound && links.contains(text.text(start))
        guard isLinked || text.listHeads.contains(index) else { return nil }
        let isBeing = isLinked && beings.contains(text.text(start)) && !text.listHeads.contains(start)
        if isLinked { start += 1 }
        guard start < clause.upperBound, !text.kinds(start).contains(.subjectPronoun) else { return nil }
        let word = text.words[start]
        let isState = qualities.contains(word.text) || states.contains(word.text) || word.text.hasSuffix("ing")
        return isBeing && (isState || !word.isContent) ? nil : start
    }

    /// "No known allergies": the "no" that stands here says that there are none.
    static func areDenied(_ text: HintText, by index: Int) -> Bool {
        var next = index + 1
        while qualities.contains(text.text(next)) { next += 1 }
        return names.contains(text.text(next))
    }

    /// "Her sister's allergies": what somebody else does not bear.
    static func isAnothers(_ text: HintText, at index: Int) -> Bool {
        names.contains(text.text(index))
            && (max(0, index - 3)..<index).contains {
                text.words[$0].isPossessive && text.kinds($0).contains(.relation)
            }
    }

    /// "Not allergic to nuts": the words behind it are borne.
    static func isDenied(_ text: HintText, before index: Int) -> Bool {
        (max(1, index - 4)..<max(1, index + 1)).contains { place in
            adjectives.contains(text.text(place)) && text.text(place - 1) == "not"
        }
    }
}
