package import TextEncoding

/// What a text says that its thing is without: "nut-free", "free of dairy", "no wool", "made without flour".
///
/// In doubt a word stands for what is there: who must not have a thing is better off without the offer.
package struct StatedAbsence: Hashable, Sendable {
    /// The stems of what is said to be absent, wherever that is said.
    package let lacked: StemSet
    /// Those of them that stand nowhere for what is there.
    package let denied: StemSet
    /// The stems that stand for nothing that is there: what is denied, and "butter" where it is of shea.
    package let absent: StemSet

    package static let none = StatedAbsence(lacked: StemSet(fingerprints: []), other: [], present: [])

    private init(lacked: StemSet, other: [UInt64], present: [UInt64]) {
        let there = StemSet(fingerprints: present)
        self.lacked = lacked
        denied = lacked.without(there)
        absent = other.isEmpty ? denied : lacked.union(StemSet(fingerprints: other)).without(there)
    }

    /// Whether a phrase of the text names a thing that stands nowhere for what is there: "caffeine" where it is free of that.
    package func covers(_ phrase: String) -> Bool {
        !absent.isEmpty && StemSet(contentOf: TokenizedText(phrase)).sharedCount(with: absent) > 0
    }

    package init(in texts: TokenizedText...) {
        guard texts.contains(where: { $0.words.contains { AbsenceWords.shared.use(of: $0.word) != nil } }) else {
            self = .none
            return
        }
        var lacked: [UInt64] = []
        var other: [UInt64] = []
        var present: [UInt64] = []
        for text in texts {
            let scan = AbsenceScan(text.words)
            for (word, mark) in zip(text.words, scan.marks) where !word.isStopWord {
                switch mark {
                case .present: present.append(word.stem)
                case .lacked: lacked.append(word.stem)
                case .other: other.append(word.stem)
                }
            }
        }
        self.init(lacked: StemSet(fingerprints: lacked), other: other, present: present)
    }
}

/// One way through a text's words that tells what each stands for.
private struct AbsenceScan {
    enum Mark {
        case present
        case lacked
        /// Another thing than its word says alone.
        case other
    }

    private let words: [WordFingerprint]
    private let vocabulary = AbsenceWords.shared
    private(set) var marks: [Mark]

    init(_ words: [WordFingerprint]) {
        self.words = words
        marks = [Mark](repeating: .present, count: words.count)
        for place in words.indices {
            switch vocabulary.use(of: words[place].word) {
            case .free: readFree(place)
            case .without: readList(from: place + 1, withAnd: true)
            case .no: readList(from: place + 1, withAnd: false)
            case .not: readNot(place)
            case .instead where isNext("of", place) || isNext("to", place) || isNext("for", place):
                readList(from: place + 2, withAnd: true)
            case .thing(let number): readThing(place, number)
            case .likeness: readLikeness(place)
            case .instead, nil: break
            }
        }
    }

    /// Whether a word stands at this place and goes on with the clause of the one before.
    private func goesOn(_ place: Int) -> Bool { place > 0 && place < words.count && !words[place].opensClause }

    private func isNext(_ word: StaticString, _ place: Int) -> Bool {
        goesOn(place + 1) && words[place + 1].word == AbsenceWords.fingerprint(word)
    }

    /// "Nut-free", "nut and gluten free", "free of nuts": what is free with an order, or an option, is no absence.
    private mutating func readFree(_ place: Int) {
        if isDenied(place) { return }
        if isNext("of", place) || isNext("from", place) { return readList(from: place + 2, withAnd: true) }
        guard goesOn(place), !words[place - 1].isStopWord,
            !goesOn(place + 1) || !vocabulary.gifts.contains(words[place + 1].word)
                || goesOn(place + 2) && vocabulary.choices.contains(words[place + 2].word)
        else { return }
        let name = words[place - 1]
        // "Peanuts free" are given away: nothing is named in the plural before its own lack.
        guard name.word != Fingerprint.adding(UInt8(ascii: "s"), to: name.stem) else { return }
        // "Nut-free on request" has nuts to be left out, and "free of nuts" is not what it is.
        let isChoice = (place + 1...place + 2).contains { next in
            (place + 1...next).allSatisfy(goesOn) && vocabulary.choices.contains(words[next].word)
        }
        marks[place - 1] = isChoice ? .other : .lacked
        guard !isChoice, place >= 3, goesOn(place - 1), goesOn(place - 2),
            vocabulary.isJoint(words[place - 2].word, withAnd: true),
            vocabulary.names.contains(name.word), vocabulary.names.contains(words[place - 3].word)
        else { return }
        marks[place - 3] = .lacked
    }

    /// "Not free of nuts", "cannot be said to be nut-free".
    private func isDenied(_ place: Int) -> Bool {
        var before = place
        while place - before < 6, goesOn(before) {
            before -= 1
            if case .not = vocabulary.use(of: words[before].word) { return true }
        }
        return false
    }

    /// "Does not contain nuts", "not made with nuts", "nuts are not included".
    private mutating func readNot(_ place: Int) {
        guard goesOn(place + 1) else { return }
        let verb = words[place + 1].word
        if vocabulary.havings.contains(verb) { return readList(from: place + 2, withAnd: false) }
        if verb == AbsenceWords.fingerprint("made"), isNext("with", place + 1) || isNext("from", place + 1) {
            return readList(from: place + 3, withAnd: false)
        }
        guard vocabulary.givens.contains(verb) else { return }
        var before = place
        while goesOn(before), words[before - 1].isStopWord { before -= 1 }
        if goesOn(before) { marks[before - 1] = .lacked }
    }

    /// The things behind a no, as in "nuts, eggs or dairy".
    ///
    /// A comma goes on with them only where a list is closed behind it.
    private mutating func readList(from start: Int, withAnd: Bool) {
        guard goesOn(start), var end = thing(at: start) else { return }
        marks[end - 1] = .lacked
        while end < words.count, !words[end].opensSentence {
            var things: [Int] = []
            var next = end
            while next < words.count, words[next].opensClause, !words[next].opensSentence, let behind = thing(at: next)
            {
                things.append(behind - 1)
                next = behind
            }
            guard next < words.count, vocabulary.isJoint(words[next].word, withAnd: withAnd), goesOn(next + 1),
                let last = thing(at: next + 1)
            else { return }
            for place in things + [last - 1] { marks[place] = .lacked }
            end = last
        }
    }

    /// The place behind the word that names the next thing, with what may stand before it passed over.
    private func thing(at start: Int) -> Int? {
        var place = start
        while place < words.count, place == start || goesOn(place) {
            let word = words[place]
            if !vocabulary.kinds.contains(word.word) { return word.isStopWord ? nil : place + 1 }
            place += 1
        }
        return nil
    }

    /// "Shea butter", "hand cream", "oat milk", "a walnut handle".
    private mutating func readThing(_ place: Int, _ number: Int) {
        let (before, behind) = vocabulary.neighbours[number]
        let isOther =
            goesOn(place) && before.contains(words[place - 1].word)
            || goesOn(place + 1) && behind.contains(words[place + 1].word)
        if isOther, marks[place] == .present { marks[place] = .other }
    }

    /// "Fish-shaped", "oyster coloured": but cookies shaped like hearts are cookies.
    private mutating func readLikeness(_ place: Int) {
        guard goesOn(place), !goesOn(place + 1) || !words[place + 1].isStopWord, !isNext("like", place) else { return }
        let name = words[place - 1]
        guard name.word != Fingerprint.adding(UInt8(ascii: "s"), to: name.stem), marks[place - 1] == .present else {
            return
        }
        marks[place - 1] = .other
    }
}

/// The words that tell what is absent, as fingerprints.
private struct AbsenceWords: Sendable {
    enum Use: Sendable {
        case free
        case without
        case no
        case not
        /// With the word behind it another thing's place is taken.
        case instead
        /// A word that stands for other things too, by its number.
        case thing(Int)
        /// What stands before is only what something looks like.
        case likeness
    }

    static let shared = AbsenceWords()

    static func fingerprint(_ word: StaticString) -> UInt64 { Fingerprint.of(word.description) }

    private let numbers: FingerprintTable
    private let uses: [Use]
    /// Behind "free" they make a gift of what stands before it, or leave the choice.
    let gifts = words("free gifts")
    let choices = words("free choices")
    /// What things are commonly free of.
    let names = words("free names")
    /// What may stand before the name of what is absent.
    let kinds = words("absent kinds")
    let havings = words("absent behind not")
    let givens = words("absent before not")
    /// For each such word what stands before or behind it when it is another thing.
    let neighbours: [(before: StemSet, behind: StemSet)]

    private init() {
        let sides = ["before ", "behind "]
        let named = TableText.cues.names.flatMap { name in
            sides.filter(name.hasPrefix).map { String(name.dropFirst($0.count)) }
        }
        let things = Set(named).sorted()
        let roles: [(words: [String], use: Use)] =
            [
                (["free"], .free), (TableText.cues.words("absent behind"), .without),
                (["no", "zero", "non", "nor"], .no), (["not", "never", "cannot"], .not),
                (TableText.cues.words("in place"), .instead), (TableText.cues.words("likeness"), .likeness),
            ] + things.enumerated().map { ([$1], .thing($0)) }
        numbers = FingerprintTable(of: roles.flatMap(\.words))
        uses = roles.flatMap { role in role.words.map { _ in role.use } }
        let known = Set(TableText.cues.names)
        func beside(_ section: String) -> StemSet {
            known.contains(section) ? Self.words(section) : StemSet(fingerprints: [])
        }
        neighbours = things.map { (beside("before \($0)"), beside("behind \($0)")) }
    }

    private static func words(_ section: String) -> StemSet {
        StemSet(fingerprints: TableText.cues.fingerprints(section))
    }

    func use(of word: UInt64) -> Use? { numbers[word].map { uses[$0] } }

    func isJoint(_ word: UInt64, withAnd: Bool) -> Bool {
        word == Self.or || word == Self.nor || withAnd && word == Self.and
    }

    private static let or = Fingerprint.of("or")
    private static let nor = Fingerprint.of("nor")
    private static let and = Fingerprint.of("and")
}
