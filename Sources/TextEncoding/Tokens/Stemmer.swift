/// A light English stemmer: it undoes inflection (plurals, -ed, -ing, silent e, y/i) and spelling variants only.
///
/// The inflectional steps follow the published Porter2 algorithm. Its derivational steps are left out on purpose: they
/// make one word of "animal" and "animation", "organ" and "organic", and a stem that stands for a disliked interest drops
/// a gift. Families such as bake, baker, bakery are linked by the lexicon instead.
package enum Stemmer {
    /// The stem of one word; the word is folded first.
    package static func stem(_ word: String) -> String {
        let tokens = Tokenizer.tokens(of: word, limit: 2)
        return tokens.count == 1 ? tokens[0].stem : word
    }

    private static let shortest = 3
    private static let longest = 40

    /// Stems a folded ASCII word in place; `text` is the same word and `print` its fingerprint.
    static func stem(_ word: inout [UInt8], text: String, print: UInt64, _ tables: WordTables) -> WordTables.Stem {
        let whole = WordTables.Stem(text: text, print: print)
        guard word.count >= shortest, word.count <= longest, word[word.count - 1] > UInt8(ascii: "9") else {
            return whole
        }
        if let known = tables.irregularStem(of: word, print: print) { return known }
        guard mayChange(word) else { return whole }
        let hasBritishEnding = endsInIse(word)
        removePlural(&word, print: print, tables)
        removeParticiple(&word, tables)
        if word.count > 2, word.last == UInt8(ascii: "y"), !isVowel(word, word.count - 2) {
            word[word.count - 1] = UInt8(ascii: "i")
        }
        removeSilentE(&word)
        unifySpelling(&word, hasBritishEnding: hasBritishEnding)
        let stemPrint = Fingerprint.of(word)
        return stemPrint == print
            ? whole : WordTables.Stem(text: String(decoding: word, as: UTF8.self), print: stemPrint)
    }

    /// Every step below looks at how a word ends, and most words end in nothing that any of them is about.
    private static func mayChange(_ word: [UInt8]) -> Bool {
        switch word[word.count - 1] {
        case UInt8(ascii: "s"), UInt8(ascii: "e"): true
        case UInt8(ascii: "d"): WordEnding.ed.ends(word)
        case UInt8(ascii: "g"): WordEnding.ing.ends(word)
        case UInt8(ascii: "y"): !isVowel(word, word.count - 2)
        case UInt8(ascii: "n"): WordEnding.ation.ends(word)
        case UInt8(ascii: "r"): WordEnding.our.ends(word) || WordEnding.ller.ends(word)
        case UInt8(ascii: "l"): WordEnding.ll.ends(word)
        default: false
        }
    }

    // MARK: - Steps

    private static func removePlural(_ word: inout [UInt8], print: UInt64, _ tables: WordTables) {
        guard word.last == UInt8(ascii: "s"), word.count > 3 else { return }
        switch word[word.count - 2] {
        case UInt8(ascii: "s"), UInt8(ascii: "u"): return
        default: break
        }
        if WordEnding.sses.ends(word) {
            word.removeLast(2)
        } else if WordEnding.ies.ends(word) {
            word.removeLast(word.count > 4 ? 2 : 1)
        } else if !tables.isSingular(word, print: print), containsVowel(word, before: word.count - 1) {
            word.removeLast()
        }
    }

    private static func removeParticiple(_ word: inout [UInt8], _ tables: WordTables) {
        if WordEnding.eed.ends(word) {
            if firstRegion(word) <= word.count - 3 { word.removeLast() }
            return
        }
        if WordEnding.ied.ends(word) {
            word.removeLast(word.count > 4 ? 2 : 1)
            return
        }
        let length: Int
        if WordEnding.ing.ends(word) { length = 3 } else if WordEnding.ed.ends(word) { length = 2 } else { return }
        guard containsVowel(word, before: word.count - length) else { return }
        if length == 3 {
            if tables.isNoun(word) { return }
            if word.count == 5, word[1] == UInt8(ascii: "y") {
                // dying, lying, tying
                word.replaceSubrange(1..., with: "ie".utf8)
                return
            }
        }
        word.removeLast(length)
        mend(&word)
    }

    /// Puts back what the participle's ending had changed: "hop-ping", "hop-ing", "creat-ing".
    private static func mend(_ word: inout [UInt8]) {
        if WordEnding.at.ends(word) || WordEnding.bl.ends(word) || WordEnding.iz.ends(word) {
            word.append(UInt8(ascii: "e"))
        } else if word.count > 3, let last = word.last, last == word[word.count - 2], isDoubling(last) {
            word.removeLast()
        } else if firstRegion(word) >= word.count, endsInShortSyllable(word, end: word.count) {
            word.append(UInt8(ascii: "e"))
        }
    }

    private static func removeSilentE(_ word: inout [UInt8]) {
        if WordEnding.ation.ends(word), firstRegion(word) <= word.count - 5 {
            // meditation, meditate
            word.removeLast(3)
            return
        }
        guard word.last == UInt8(ascii: "e") else { return }
        let first = firstRegion(word)
        guard first < word.count else { return }
        let isFar = region(word, from: first) < word.count
        if isFar || !endsInShortSyllable(word, end: word.count - 1) { word.removeLast() }
    }

    /// Colour and color, travelling and traveling, personalised and personalized.
    private static func unifySpelling(_ word: inout [UInt8], hasBritishEnding: Bool) {
        if hasBritishEnding, word.count >= 6, WordEnding.britishS.ends(word) {
            word[word.count - 1] = UInt8(ascii: "z")
        } else if WordEnding.our.ends(word), word.count >= 6 {
            word.remove(at: word.count - 2)
        } else if WordEnding.ll.ends(word), vowelGroups(word, before: word.count - 2) >= 2 {
            word.removeLast()
        } else if WordEnding.ller.ends(word), vowelGroups(word, before: word.count - 4) >= 2 {
            word.remove(at: word.count - 4)
        }
    }

    // MARK: - Letters

    private static func isVowel(_ word: [UInt8], _ index: Int) -> Bool {
        switch word[index] {
        case UInt8(ascii: "a"), UInt8(ascii: "e"), UInt8(ascii: "i"), UInt8(ascii: "o"), UInt8(ascii: "u"): true
        case UInt8(ascii: "y"): index > 0 && !isVowel(word, index - 1)
        default: false
        }
    }

    private static func isDoubling(_ letter: UInt8) -> Bool {
        switch letter {
        case UInt8(ascii: "b"), UInt8(ascii: "d"), UInt8(ascii: "f"), UInt8(ascii: "g"), UInt8(ascii: "m"),
            UInt8(ascii: "n"), UInt8(ascii: "p"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            true
        default: false
        }
    }

    private static func containsVowel(_ word: [UInt8], before end: Int) -> Bool {
        (0..<end).contains { isVowel(word, $0) }
    }

    private static func vowelGroups(_ word: [UInt8], before end: Int) -> Int {
        (0..<max(0, end)).count { isVowel(word, $0) && ($0 == 0 || !isVowel(word, $0 - 1)) }
    }

    /// Porter's R1: what follows the first consonant after a vowel.
    private static func firstRegion(_ word: [UInt8]) -> Int { region(word, from: 0) }

    private static func region(_ word: [UInt8], from start: Int) -> Int {
        var index = start + 1
        while index < word.count {
            if !isVowel(word, index), isVowel(word, index - 1) { return index + 1 }
            index += 1
        }
        return word.count
    }

    /// Consonant, vowel, consonant other than w, x, y; or a vowel and a consonant that begin the word.
    private static func endsInShortSyllable(_ word: [UInt8], end: Int) -> Bool {
        guard end >= 2, isVowel(word, end - 2), !isVowel(word, end - 1) else { return false }
        if end == 2 { return true }
        switch word[end - 1] {
        case UInt8(ascii: "w"), UInt8(ascii: "x"), UInt8(ascii: "y"): return false
        default: return !isVowel(word, end - 3)
        }
    }

    private static func endsInIse(_ word: [UInt8]) -> Bool {
        WordEnding.ise.ends(word) || WordEnding.ised.ends(word) || WordEnding.ises.ends(word)
            || WordEnding.ising.ends(word)
    }
}
