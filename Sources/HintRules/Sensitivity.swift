/// What somebody does not bear, named before the word for it: "a kiwi allergy", "her sesame intolerance".
enum Sensitivity {
    private static let names: Set<String> = ["allergy", "allergies", "intolerance", "intolerances"]
    private static let adjectives: Set<String> = ["allergic", "intolerant"]
    /// They say how bad it is or what kind it is, not what does it.
    private static let qualities: Set<String> = [
        "severe", "bad", "mild", "serious", "awful", "nasty", "deadly", "threatening", "known", "new", "old", "rare",
        "food", "skin", "seasonal", "contact", "spring", "summer", "drug",
    ]
    /// A word or two name the thing: "tree nut".
    private static let longest = 2

    /// The thing that stands before such a word, if any.
    static func thing(before index: Int, in text: HintText, clause: Range<Int>) -> Range<Int>? {
        guard names.contains(text.text(index)) else { return nil }
        var start = index
        while start > clause.lowerBound, index - start < longest, text.words[start - 1].isContent,
            !qualities.contains(text.text(start - 1))
        {
            start -= 1
        }
        let isNo = (max(clause.lowerBound, start - 2)..<start).contains { ["no", "not"].contains(text.text($0)) }
        return start == index || isNo ? nil : start..<index
    }

    /// "Not allergic to nuts": the words behind it are borne.
    static func isDenied(_ text: HintText, before index: Int) -> Bool {
        (max(1, index - 4)..<max(1, index + 1)).contains { place in
            adjectives.contains(text.text(place)) && text.text(place - 1) == "not"
        }
    }
}
