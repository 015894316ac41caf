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

    /// The fingerprints of the stems of many words, read one after another with the same working memory.
    package static func fingerprints(ofStemsOf words: some Sequence<String>) -> [UInt64] {
        var reader = TokenizedText.Reader(limit: 2)
        return words.map { word in
            let read = reader.read(word).words
            return read.count == 1 ? read[0].stem : Fingerprint.of(word)
        }
    }

    private static let shortest = 3
    private static let longest = 40

    /// What became of a word.
    enum Outcome {
        case unchanged
        /// A stem that the rules would not find.
        case irregular(WordTables.Stem)
        /// The letters are the stem now, and this is their fingerprint.
        case changed(UInt64)
    }

    /// Stems a folded ASCII word in place; `fingerprint` is its fingerprint.
    static func stem(_ word: inout WordLetters, fingerprint: UInt64, _ tables: WordTables) -> Outcome {
        guard word.count >= shortest, word.count <= longest, word[word.count - 1] > UInt8(ascii: "9") else {
            return .unchanged
        }
        if let known = tables.irregularStem(of: word, fingerprint: fingerprint) { return .irregular(known) }
        guard mayChange(word) else { return .unchanged }
        let hasBritishEnding = endsInIse(word)
        removePlural(&word, fingerprint: fingerprint, tables)
        if word.last == UInt8(ascii: "d") || word.last == UInt8(ascii: "g") { removeParticiple(&word, tables) }
        if word.count > 2, word.last == UInt8(ascii: "y"), !isVowel(word, word.count - 2) {
            word[word.count - 1] = UInt8(ascii: "i")
        }
        removeSilentE(&word)
        unifySpelling(&word, hasBritishEnding: hasBritishEnding)
        let stemFingerprint = word.fingerprint
        return stemFingerprint == fingerprint ? .unchanged : .changed(stemFingerprint)
    }

    /// Every step below looks at how a word ends, and most words end in nothing that any of them is about.
    private static func mayChange(_ word: WordLetters) -> Bool {
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

    private static func removePlural(_ word: inout WordLetters, fingerprint: UInt64, _ tables: WordTables) {
        guard word.last == UInt8(ascii: "s"), word.count > 3 else { return }
        switch word[word.count - 2] {
        case UInt8(ascii: "s"), UInt8(ascii: "u"): return
        default: break
        }
        if WordEnding.sses.ends(word) {
            word.removeLast(2)
        } else if WordEnding.ies.ends(word) {
            word.removeLast(word.count > 4 ? 2 : 1)
        } else if !tables.isSingular(word, fingerprint: fingerprint), containsVowel(word, before: word.count - 1) {
            word.removeLast()
        }
    }

    private static func removeParticiple(_ word: inout WordLetters, _ tables: WordTables) {
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
                word.cut(to: 1)
                word.append(contentsOf: "ie".utf8)
                return
            }
        }
        word.removeLast(length)
        mend(&word)
    }

    /// Puts back what the participle's ending had changed: "hop-ping", "hop-ing", "creat-ing".
    private static func mend(_ word: inout WordLetters) {
        if WordEnding.at.ends(word) || WordEnding.bl.ends(word) || WordEnding.iz.ends(word) {
            word.append(UInt8(ascii: "e"))
        } else if word.count > 3, let last = word.last, last == word[word.count - 2], isDoubling(last) {
            word.removeLast()
        } else if firstRegion(word) >= word.count, endsInShortSyllable(word, end: word.count) {
            word.append(UInt8(ascii: "e"))
        }
    }

    private static func removeSilentE(_ word: inout WordLetters) {
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
    private static func unifySpelling(_ word: inout WordLetters, hasBritishEnding: Bool) {
        switch word.last {
        case UInt8(ascii: "s"):
            if hasBritishEnding, word.count >= 6, WordEnding.britishS.ends(word) {
                word[word.count - 1] = UInt8(ascii: "z")
            }
        case UInt8(ascii: "r"):
            if WordEnding.our.ends(word), word.count >= 6 {
                word.remove(at: word.count - 2)
            } else if WordEnding.ller.ends(word), vowelGroups(word, before: word.count - 4) >= 2 {
                word.remove(at: word.count - 4)
            }
        case UInt8(ascii: "l"):
            if WordEnding.ll.ends(word), vowelGroups(word, before: word.count - 2) >= 2 { word.removeLast() }
        default: break
        }
    }

    // MARK: - Letters

    @inline(__always) private static func isVowel(_ word: WordLetters, _ index: Int) -> Bool {
        let letter = word[index]
        if letter == UInt8(ascii: "y") { return isVowelY(word, index) }
        // A bit for each of a, e, i, o, u.
        let place = letter &- UInt8(ascii: "a")
        return place < 26 && 0x10_4111 >> UInt32(place) & 1 == 1
    }

    /// Behind a consonant: each "y" of a run of them is what the one before it is not.
    private static func isVowelY(_ word: WordLetters, _ index: Int) -> Bool {
        var start = index
        while start > 0, word[start - 1] == UInt8(ascii: "y") { start -= 1 }
        let isFirst = start > 0 && !isVowel(word, start - 1)
        return (index - start).isMultiple(of: 2) ? isFirst : !isFirst
    }

    private static func isDoubling(_ letter: UInt8) -> Bool {
        switch letter {
        case UInt8(ascii: "b"), UInt8(ascii: "d"), UInt8(ascii: "f"), UInt8(ascii: "g"), UInt8(ascii: "m"),
            UInt8(ascii: "n"), UInt8(ascii: "p"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            true
        default: false
        }
    }

    private static func containsVowel(_ word: WordLetters, before end: Int) -> Bool {
        for index in 0..<end where isVowel(word, index) { return true }
        return false
    }

    private static func vowelGroups(_ word: WordLetters, before end: Int) -> Int {
        var groups = 0
        for index in 0..<max(0, end) where isVowel(word, index) && (index == 0 || !isVowel(word, index - 1)) {
            groups += 1
        }
        return groups
    }

    /// Porter's R1: what follows the first consonant after a vowel.
    private static func firstRegion(_ word: WordLetters) -> Int { region(word, from: 0) }

    private static func region(_ word: WordLetters, from start: Int) -> Int {
        var index = start + 1
        while index < word.count {
            if !isVowel(word, index), isVowel(word, index - 1) { return index + 1 }
            index += 1
        }
        return word.count
    }

    /// Consonant, vowel, consonant other than w, x, y; or a vowel and a consonant that begin the word.
    private static func endsInShortSyllable(_ word: WordLetters, end: Int) -> Bool {
        guard end >= 2, isVowel(word, end - 2), !isVowel(word, end - 1) else { return false }
        if end == 2 { return true }
        switch word[end - 1] {
        case UInt8(ascii: "w"), UInt8(ascii: "x"), UInt8(ascii: "y"): return false
        default: return !isVowel(word, end - 3)
        }
    }

    private static func endsInIse(_ word: WordLetters) -> Bool {
        switch word.last {
        case UInt8(ascii: "e"): WordEnding.ise.ends(word)
        case UInt8(ascii: "d"): WordEnding.ised.ends(word)
        case UInt8(ascii: "s"): WordEnding.ises.ends(word)
        case UInt8(ascii: "g"): WordEnding.ising.ends(word)
        default: false
        }
    }
}

/// Words that the stemmer's rules would get wrong.
enum StemExceptions {
    /// Irregular plurals, words that must not meet another one, and spelling variants.
    static let irregular: [String: String] = [
        "women": "woman", "men": "man", "children": "child", "feet": "foot", "teeth": "tooth", "mice": "mouse",
        "geese": "goose", "oxen": "ox", "knives": "knife", "wolves": "wolf", "leaves": "leaf", "loaves": "loaf",
        "scarves": "scarf", "shelves": "shelf", "wives": "wife", "halves": "half", "calves": "calf", "elves": "elf",
        "goose": "goose", "clothes": "clothes", "clothing": "clothes", "cloth": "cloth", "buses": "bus", "gases": "gas",
        "quizzes": "quiz", "quizzing": "quiz", "sky": "sky", "skies": "sky", "skiing": "ski", "skied": "ski",
        "chilly": "chilly", "suite": "suite", "suites": "suite", "paste": "paste", "pastes": "paste", "caste": "caste",
        "forte": "forte", "goods": "goods", "shorts": "shorts", "customs": "customs", "news": "news", "being": "being",
        "used": "use", "shoe": "shoe", "shoes": "shoe", "canvases": "canvas", "lenses": "lens", "irises": "iris",
        "oases": "oasis", "analyses": "analysis", "theatre": "theater", "theatres": "theater", "centre": "center",
        "centres": "center", "fibre": "fiber", "fibres": "fiber", "litre": "liter", "litres": "liter", "metre": "meter",
        "metres": "meter", "jewellery": "jewelri", "grey": "gray", "greys": "gray", "cosy": "cozi", "whiskey": "whiski",
        "whiskeys": "whiski", "pyjama": "pajama", "pyjamas": "pajama", "doughnut": "donut", "doughnuts": "donut",
        "yoghurt": "yogurt", "yoghurts": "yogurt", "moustache": "mustach", "catalogue": "catalog",
        "catalogues": "catalog", "dialogue": "dialog", "programme": "program", "programmes": "program",
        "cheque": "check", "woollen": "woolen", "omelette": "omelet", "omelettes": "omelet",
    ]

    /// Nouns in -ing that are no form of the shorter word: an earring is no ear, boxing no box.
    static let nouns: Set<String> = [
        "anything", "blessing", "boxing", "bowling", "building", "canning", "ceiling", "darling", "during", "dumpling",
        "earring", "evening", "everything", "fencing", "herring", "icing", "inning", "legging", "lightning", "morning",
        "nothing", "offspring", "outing", "pudding", "sibling", "something", "sterling", "stocking", "viking",
        "wedding",
        "wing",
    ]

    /// Words in -s that are no plural.
    static let singulars: Set<String> = [
        "always", "alias", "amaryllis", "atlas", "axis", "bias", "cannabis", "canvas", "chaos", "chassis", "christmas",
        "clematis", "cosmos", "davis", "elvis", "gas", "iris", "kansas", "lagos", "lens", "mars", "metropolis",
        "overseas",
        "pancreas", "paris", "pelvis", "perhaps", "series", "species", "tennis", "texas", "this", "trellis", "vegas",
    ]
}
