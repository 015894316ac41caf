/// Refusals of more than one word, by the lists of turns.
extension RefusalRule {
    /// What points back to something named before: "pottery? she went off it".
    static let pointers: Set<String> = ["it", "them", "that", "those", "this", "these", "all", "again"]

    /// The refusal that a turn of phrase makes here; the turn may name its object behind or before it.
    func turn(in text: HintText, at index: Int, clause: Range<Int>) -> Refusal? {
        guard text.words[index].kinds.contains(.mark), let refusal = anyTurn(in: text, at: index, clause: clause),
            !isDenied(text, at: index)
        else { return nil }
        return refusal
    }

    private func anyTurn(in text: HintText, at index: Int, clause: Range<Int>) -> Refusal? {
        if let turn = Patterns.refusedBehind.match(in: text, at: index), turn.range.upperBound <= clause.upperBound {
            let start = turn.range.upperBound
            let objects = start..<max(start, objectEnd(text, from: start, clause: clause))
            // What gives up before noon is broken.
            if ["before", "after", "when", "halfway", "every", "because"].contains(text.text(start)) { return nil }
            if objects.contains(where: { text.words[$0].isContent }) {
                return Refusal(marker: index, objects: objects, scope: index..<clause.upperBound)
            }
            if start < clause.upperBound, Self.pointers.contains(text.text(start)) {
                return before(text, index, clause: clause, isPointing: true)
            }
        }
        if let turn = Patterns.refusedWithin.match(in: text, at: index), turn.range.upperBound <= clause.upperBound {
            let objects = (index + 1)..<(turn.range.upperBound - 1)
            if objects.contains(where: { text.words[$0].isContent }) {
                return Refusal(marker: index, objects: objects, scope: index..<clause.upperBound)
            }
            if objects.contains(where: { Self.pointers.contains(text.text($0)) }) {
                return before(text, index, clause: clause, isPointing: true)
            }
        }
        if Patterns.refusedBefore.match(in: text, at: index) != nil { return before(text, index, clause: clause) }
        guard Patterns.refusedUnlessBroken.match(in: text, at: index) != nil else { return nil }
        let objects = named(before: index, in: text)
        let isTrouble = objects.contains {
            text.kinds($0).contains(.trouble) || text.kinds($0).contains(.broken)
        }
        return isTrouble || text.contains(.broken) ? nil : before(text, index, clause: clause)
    }

    /// "has not lost interest in opera": the turn says the opposite.
    private func isDenied(_ text: HintText, at index: Int) -> Bool {
        guard index > 0, text.words[index - 1].sentence == text.words[index].sentence else { return false }
        return ["not", "never", "nearly", "almost"].contains(text.text(index - 1))
            || text.text(index - 1) == "to" && text.text(index - 2) == "used"
    }

    private func before(_ text: HintText, _ index: Int, clause: Range<Int>, isPointing: Bool = false) -> Refusal? {
        let objects = named(before: index, in: text, isPointing: isPointing)
        guard !objects.isEmpty else { return nil }
        return Refusal(marker: index, objects: objects, scope: objects.lowerBound..<clause.upperBound)
    }

    /// The last words before a place that name something, at most three clauses back.
    ///
    /// Of an earlier sentence only a short one is a topic, "Escape room: never again.", unless a pronoun points back.
    func named(before index: Int, in text: HintText, isPointing: Bool = false) -> Range<Int> {
        let last = text.words[index].clause
        for number in stride(from: last, through: max(0, last - 3), by: -1) {
            let clause = text.clauses[number]
            let end = number == last ? index : clause.upperBound
            let isEarlier = text.words[clause.lowerBound].sentence != text.words[index].sentence
            if isEarlier, clause.count > 4, !isPointing { break }
            if isEarlier, isPointing, clause.count > 4 { return lastRun(in: clause, of: text) }
            if (clause.lowerBound..<end).contains(where: { text.words[$0].isContent }) {
                return consequence(in: max(clause.lowerBound, end - 6)..<end, of: text)
            }
        }
        return index..<index
    }

    /// "the back went so golf": what stands behind a "so" is what the turn speaks of.
    private func consequence(in range: Range<Int>, of text: HintText) -> Range<Int> {
        guard let joint = range.last(where: { ["so", "then", "therefore"].contains(text.text($0)) }),
            (joint + 1..<range.upperBound).contains(where: { text.words[$0].isContent })
        else { return range }
        return (joint + 1)..<range.upperBound
    }

    /// The last unbroken run of naming words.
    private func lastRun(in clause: Range<Int>, of text: HintText) -> Range<Int> {
        guard let end = clause.last(where: { text.words[$0].isContent }) else {
            return clause.upperBound..<clause.upperBound
        }
        var start = end
        while start > clause.lowerBound, text.words[start - 1].isContent { start -= 1 }
        return start..<(end + 1)
    }
}

/// A "no" in a hint and the words it reaches.
struct Refusal: Hashable, Sendable {
    /// Where the marker stands.
    let marker: Int
    /// The words that name what is refused.
    let objects: Range<Int>
    /// Every word that the refusal covers: nothing in it is wished for.
    let scope: Range<Int>
    /// The marker that its list began with.
    let origin: Int
    /// Refused since it is there already: only another one is unwanted.
    let isOwned: Bool

    /// What joins the things of a list.
    static let joints: Set<String> = ["and", "or", "nor"]

    init(marker: Int, objects: Range<Int>, scope: Range<Int>, origin: Int? = nil, isOwned: Bool = false) {
        self.marker = marker
        self.objects = objects
        self.scope = scope
        self.origin = origin ?? marker
        self.isOwned = isOwned
    }
}
