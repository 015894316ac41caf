/// What the phrases found in one text come to for each subject; made once and filled again for every text.
struct LexiconTallies {
    /// What shows of one subject.
    struct Tally {
        let subject: Int
        /// The entry that speaks for the subject.
        var entry: Int
        var range: Range<Int>
        var isStrong: Bool
    }

    /// The furthest end of a subject's look-alikes that have started: what ends by there lies inside one.
    private struct Cover {
        let subject: Int
        var end: Int
    }

    /// One for each subject that shows, in the order they first do.
    private(set) var list: [Tally] = []
    private var hits: [PhraseMatcher.Hit] = []
    private var covers: [Cover] = []

    /// Reads a text; what was known of the one before is forgotten.
    mutating func read(_ text: TokenizedText, _ matcher: PhraseMatcher, _ slots: [Lexicon.Slot]) {
        list.removeAll(keepingCapacity: true)
        hits.removeAll(keepingCapacity: true)
        matcher.find(in: text, into: &hits)
        if hits.isEmpty { return }
        covers.removeAll(keepingCapacity: true)
        for hit in hits {
            let slot = slots[hit.phrase]
            let subject = Int(slot.subject)
            if slot.worth == .lookAlike {
                cover(subject, to: hit.range.upperBound)
                continue
            }
            if isCovered(subject, hit.range.upperBound) { continue }
            note(hit, of: subject, isStrong: slot.worth == .strong)
        }
    }

    private mutating func cover(_ subject: Int, to end: Int) {
        for place in covers.indices where covers[place].subject == subject {
            covers[place].end = max(covers[place].end, end)
            return
        }
        covers.append(Cover(subject: subject, end: end))
    }

    private func isCovered(_ subject: Int, _ end: Int) -> Bool {
        for cover in covers where cover.subject == subject { return end <= cover.end }
        return false
    }

    /// There are few subjects, so that the list is searched from one end to the other.
    private mutating func note(_ hit: PhraseMatcher.Hit, of subject: Int, isStrong: Bool) {
        for place in list.indices where list[place].subject == subject {
            // The strongest phrase speaks for the subject, the longer one among equals, the first among those.
            let known = list[place]
            let isLonger = isStrong == known.isStrong && hit.range.count > known.range.count
            if isStrong && !known.isStrong || isLonger {
                list[place].entry = hit.phrase
                list[place].range = hit.range
                list[place].isStrong = isStrong
            }
            return
        }
        list.append(Tally(subject: subject, entry: hit.phrase, range: hit.range, isStrong: isStrong))
    }
}
