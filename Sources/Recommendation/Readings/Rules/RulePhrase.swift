import TextEncoding

/// A marker of the tables: stems that stand next to each other, sometimes only counted within a refusal.
struct RulePhrase: Hashable, Sendable {
    let stems: [String]
    let needsRefusal: Bool

    /// Underscores join the words; a leading tilde asks for a refusal.
    init(_ source: String) {
        needsRefusal = source.hasPrefix("~")
        var stems: [String] = []
        for part in source.split(whereSeparator: { $0 == "_" || $0 == "~" || $0 == " " }) {
            for token in Tokenizer.tokens(of: String(part)) {
                if let forms = RuleWords.contractions[token.text] {
                    stems += forms.map(\.stem)
                } else {
                    stems.append(token.stem)
                }
            }
        }
        self.stems = stems
    }

    func matches(_ words: [HintWord], at start: Int) -> Bool {
        guard !stems.isEmpty, start + stems.count <= words.count else { return false }
        for offset in stems.indices {
            if words[start + offset].stem != stems[offset] || words[start + offset].sentence != words[start].sentence {
                return false
            }
        }
        return true
    }
}
