import KnotDomain

/// What one hint says on its own, before the other hints are heard.
struct HintDraft: Sendable {
    var hint: Hint
    let text: HintText
    let subject: HintReading.Subject
    let stance: HintReading.Stance
    var strength: Double
    var serves: [String]
    var avoid: [String]
    var limits: [String]
    /// Those of them that are no condition of anybody: days, times and the like.
    let stated: [String]
    /// Stems, as fingerprints, of what the hint speaks well of, or complains about.
    let topics: Set<UInt64>
    /// Stems of what it refuses outright.
    let refused: Set<UInt64>
    /// The same phrase by phrase, its head last.
    let topicPhrases: [[UInt64]]
    var refusedPhrases: [[UInt64]]
    /// Stems of other words for what it refuses.
    let relatedRefused: Set<UInt64>
    /// The conditions it names, as places in the table.
    var conditions: [Int]
    /// The stem of what each of them was named by: candles in "no candles".
    var conditionThings: [UInt64]
    /// Those that it says are over.
    let lifted: [Int]
    /// A body does not bear what it refuses.
    let isHarm: Bool
    /// It says why a thing is refused, so that no wish takes it back: "candles give her a headache", "diabetic, no cake".
    let hasCause: Bool
    /// Of what it refuses there is one already: no other one is wanted, and what goes with it may be.
    let refusesOnlyMore: Bool
    /// A remedy of a complaint was found: the thing itself is not wished for.
    let isRepair: Bool
    /// It says that a wish came true or lapsed: "finally bought", "sorted now".
    let isSettled: Bool
    /// It says that something was bought or given: a wish for just that came true.
    let isGotten: Bool
    /// It says that something is wanted again.
    let isRevival: Bool
    /// It says that something was given up.
    let isParting: Bool
    /// It says that something was done, so that nobody need plan it any more.
    let isCompletion: Bool
    var overrules: [HintID] = []
}

/// Cuts the naming words out of a stretch of a hint: runs of content words, without grammar, fillers and people.
struct ObjectPhrases: Sendable {
    /// Lower-cased names that are no things: the partner's.
    let names: PartnerNames

    private static let longest = 3

    /// The phrases of a stretch in order, at most `limit`, each of one to three words.
    ///
    /// In a refusal a capital that opens the sentence is a thing's: "Golf is out".
    func phrases(in text: HintText, range: Range<Int>, limit: Int, isRefusal: Bool = false) -> [String] {
        var phrases: [String] = []
        var run: [Int] = []
        func flush() {
            defer { run = [] }
            guard !run.isEmpty, !isPerson(run, in: text, isRefusal: isRefusal) else { return }
            for start in stride(from: 0, to: run.count, by: Self.longest) {
                let part = run[start..<min(start + Self.longest, run.count)]
                let phrase = part.map { text.words[$0].text }.joined(separator: " ")
                if !phrases.contains(phrase) { phrases.append(phrase) }
            }
        }
        for index in range {
            let word = text.words[index]
            if isThing(text, index, first: range.lowerBound), !names.contains(word),
                !word.isPossessive || !word.isCapitalized
            {
                if let last = run.last, last != index - 1 || text.words[last].clause != word.clause { flush() }
                run.append(index)
            } else {
                flush()
            }
        }
        flush()
        return Array(phrases.prefix(limit))
    }

    /// A content word that does not stand where a verb or an adjective would; "gift" counts before "card".
    private func isThing(_ text: HintText, _ index: Int, first: Int) -> Bool {
        let word = text.words[index]
        if word.text == "gift",
            ["card", "cards", "voucher", "vouchers", "basket", "baskets"].contains(text.text(index + 1))
        {
            return true
        }
        guard word.isContent else { return false }
        return index == first || word.isName || text.words[index - 1].clause != word.clause
            || !text.kinds(index - 1).contains(.beforeNoThing)
    }

    /// A lone capitalised word that acts: "Tobias gave", "Ines said".
    private func isPerson(_ run: [Int], in text: HintText, isRefusal: Bool) -> Bool {
        guard run.count == 1, let index = run.first, text.words[index].isCapitalized else { return false }
        if isRefusal, !text.words[index].isName { return false }
        let next = text.text(index + 1)
        let before = text.text(index - 1)
        let acts = [
            "gave", "got", "said", "says", "wants", "is", "was", "has", "had", "keeps", "passed", "told", "just",
        ]
        return acts.contains(next) || ["with", "and"].contains(before) && text.words[index].isName
            || text.kinds(index - 1).contains(.relation)
            || text.words[index].isName == false && text.kinds(index + 1).contains(.partnerPronoun)
    }
}
