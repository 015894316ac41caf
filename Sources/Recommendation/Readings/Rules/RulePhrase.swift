import TextEncoding

/// A marker of the tables: stems that stand next to each other, sometimes only counted within a refusal.
struct RulePhrase: Hashable, Sendable {
    /// Their fingerprints.
    let stems: [UInt64]
    let needsRefusal: Bool
    /// What it did to somebody's body stands for the refusal.
    let allowsHarm: Bool

    /// Underscores join the words; a leading tilde asks for a refusal, a leading plus for a refusal or for harm done.
    init(_ source: String) {
        allowsHarm = source.hasPrefix("+")
        needsRefusal = source.hasPrefix("~") || allowsHarm
        stems = Self.stems(of: source)
    }

    /// The stems of a phrase as fingerprints, contractions spelled out.
    static func stems(of source: String) -> [UInt64] {
        let words = TokenizedText(source).words
        var stems: [UInt64] = []
        stems.reserveCapacity(words.count)
        for word in words {
            if let forms = RuleWords.forms(of: word.word) {
                for form in forms { stems.append(form.print) }
            } else {
                stems.append(word.stem)
            }
        }
        return stems
    }

    func matches(_ words: [HintWord], at start: Int) -> Bool {
        guard !stems.isEmpty, start + stems.count <= words.count else { return false }
        for offset in stems.indices {
            if words[start + offset].print != stems[offset] || words[start + offset].sentence != words[start].sentence {
                return false
            }
        }
        return true
    }
}
