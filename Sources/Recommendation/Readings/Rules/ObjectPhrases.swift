import TextEncoding

/// Cuts the naming words out of a stretch of a hint: runs of content words, without grammar, fillers and people.
struct ObjectPhrases: Sendable {
    /// Lower-cased names that are no things: the partner's.
    let names: Set<String>

    private static let longest = 3

    /// Whether a word can name a thing at all.
    static func isContent(_ word: HintWord) -> Bool {
        !StopWords.contains(word.text) && !RuleWords.generic.contains(word.text) && !RuleWords.fillers.contains(word.text)
            && !RuleWords.relations.contains(word.text) && !RuleWords.plainVerbs.contains(word.stem)
            && !RuleWords.manyNumbers.contains(word.text) && !word.isNumber && word.text.unicodeScalars.count > 1
    }

    /// The phrases of a stretch in order, at most `limit`, each of one to three words.
    func phrases(in text: HintText, range: Range<Int>, limit: Int) -> [String] {
        var phrases: [String] = []
        var run: [Int] = []
        func flush() {
            defer { run = [] }
            guard !run.isEmpty, !isPerson(run, in: text) else { return }
            for start in stride(from: 0, to: run.count, by: Self.longest) {
                let part = run[start..<min(start + Self.longest, run.count)]
                let phrase = part.map { text.words[$0].text }.joined(separator: " ")
                if !phrases.contains(phrase) { phrases.append(phrase) }
            }
        }
        for index in range {
            let word = text.words[index]
            if Self.isContent(word), !names.contains(word.text), !word.isPossessive || !word.isCapitalized {
                if let last = run.last, last != index - 1 || text.words[last].clause != word.clause { flush() }
                run.append(index)
            } else {
                flush()
            }
        }
        flush()
        return Array(phrases.prefix(limit))
    }

    /// A lone capitalised word that acts: "Janine gave", "Gary passed".
    private func isPerson(_ run: [Int], in text: HintText) -> Bool {
        guard run.count == 1, let index = run.first, text.words[index].isCapitalized else { return false }
        let next = text.text(index + 1)
        let before = text.text(index - 1)
        let acts = ["gave", "got", "said", "says", "wants", "is", "was", "has", "had", "and", "keeps", "passed", "told", "just"]
        return acts.contains(next) || ["with", "and"].contains(before) && text.words[index].isName
            || RuleWords.relations.contains(before) || text.words[index].isName == false && RuleWords.partnerPronouns.contains(next)
    }
}
