import JSONDocument
import KnotDomain
import TextEncoding
import TextReading

/// Causes and what serves them, as reviewed data: "cold hands" asks for heated gloves.
struct RemedyTable: Sendable {
    struct Remedy: Sendable {
        /// Its elements in the numbering of all remedies' elements.
        let elements: Range<Int>
        let serves: [String]
    }

    /// One remedy that a text asks for; more elements and a narrower span say more.
    struct Hit: Sendable {
        let remedy: Int
        let first: Int
        let last: Int
    }

    /// One way to name an element of a remedy: all that most comparisons need of the phrase.
    struct Slot: Sendable {
        /// The second stem, or 0 for one word.
        let second: UInt64
        let remedy: Int32
        let element: Int32
        /// The place of what stands behind the second stem among all rests; -1 for most phrases, which end there.
        let rest: Int32
    }

    /// All elements of a cause stand within this many words.
    private static let window = 14

    let remedies: [Remedy]
    /// Those of the first stem with number n are at `starts[n]..<starts[n + 1]`.
    private let slots: [Slot]
    private let starts: [Int]
    private let rests: [[UInt64]]
    private let firsts: FingerprintTable

    init(_ document: JSONValue) {
        var reader = RemedyReader(document["groups"])
        for entry in document["remedies"]?.array ?? [] {
            reader.read(entry["when"]?.string ?? "", serves: (entry["serves"]?.array ?? []).compactMap(\.string))
        }
        remedies = reader.remedies
        (slots, starts) = reader.slotsByFirst
        rests = reader.rests
        firsts = reader.firsts
    }

    /// The remedies a text asks for, the most telling first; `excluded` words ask for nothing.
    func hits(in text: HintText, excluded: WordPlaces) -> [Hit] {
        // Where each element of each remedy stands; -1 where it does not.
        var places = [Int32](repeating: -1, count: remedies.last?.elements.upperBound ?? 0)
        var hits: [Hit] = []
        let words = text.words
        for index in words.indices where !excluded.contains(index) {
            guard let number = firsts[words[index].stemFingerprint] else { continue }
            let hasNext = index + 1 < words.count && words[index + 1].sentence == words[index].sentence
            let next = hasNext ? words[index + 1].stemFingerprint : 0
            for place in starts[number]..<starts[number + 1] {
                let slot = slots[place]
                if slot.second != 0, !hasNext || slot.second != next { continue }
                if slot.rest >= 0, !Self.stand(rests[Int(slot.rest)], in: words, behind: index + 1) { continue }
                note(slot, at: Int32(index), &places, &hits)
            }
        }
        let isTelling = hits.contains { remedies[$0.remedy].elements.count > 1 }
        return hits.filter { !isTelling || remedies[$0.remedy].elements.count > 1 }.sorted { left, right in
            let (leftCount, rightCount) = (remedies[left.remedy].elements.count, remedies[right.remedy].elements.count)
            if leftCount != rightCount { return leftCount > rightCount }
            let (leftSpan, rightSpan) = (left.last - left.first, right.last - right.first)
            return (leftSpan, left.remedy) < (rightSpan, right.remedy)
        }
    }

    /// Marks where an element of a remedy stands; a hit when the last of them is found near the others.
    private func note(_ slot: Slot, at index: Int32, _ places: inout [Int32], _ hits: inout [Hit]) {
        let remedy = Int(slot.remedy)
        let element = Int(slot.element)
        let elements = remedies[remedy].elements
        if places[element] != index {
            for place in elements where places[place] == index { return }
        }
        places[element] = index
        var (first, last) = (Int32.max, Int32(-1))
        for place in elements {
            first = min(first, places[place])
            last = max(last, places[place])
        }
        guard first >= 0, Int(last - first) <= Self.window, !hits.contains(where: { $0.remedy == remedy }) else {
            return
        }
        hits.append(Hit(remedy: remedy, first: Int(first), last: Int(last)))
    }

    private static func stand(_ stems: [UInt64], in words: [HintWord], behind place: Int) -> Bool {
        guard place + stems.count < words.count else { return false }
        for (offset, stem) in stems.enumerated() {
            let word = words[place + 1 + offset]
            if word.stemFingerprint != stem || word.sentence != words[place].sentence { return false }
        }
        return true
    }
}

/// Takes back what one hint would serve and another rules out: no chocolate for a partner who gave up sugar.
struct ServesFilter: Sendable {
    private let tables: RuleTables
    private let avoided: [UInt64: [Avoided]]

    private struct Avoided: Sendable {
        let stems: [UInt64]
        /// A matter of taste, and not of what a body bears or a person eats.
        let isMereTaste: Bool
    }

    private static let free = Fingerprint.of("free")
    private static let zero = Fingerprint.of("zero")

    init(_ drafts: [HintDraft], tables: RuleTables) {
        var avoided: [UInt64: [Avoided]] = [:]
        for draft in drafts where draft.strength > 0 {
            let isFree = !draft.isHarm && !draft.hasCause && draft.conditions.allSatisfy(tables.conditions.isTaste)
            for stems in draft.avoid.flatMap(tables.things) {
                // Who wants no classes and would love one of pottery would love no other.
                let isMereTaste =
                    draft.conditions.isEmpty ? !draft.isHarm : isFree && !tables.tastes.isFormat(stems.last)
                if let first = stems.first {
                    avoided[first, default: []].append(Avoided(stems: stems, isMereTaste: isMereTaste))
                }
            }
        }
        self.avoided = avoided
        self.tables = tables
    }

    /// A wish that is more exact than a taste is asked for in spite of it: rose gold earrings where roses are hated.
    func allowed(_ phrases: [String], of draft: HintDraft? = nil) -> [String] {
        if avoided.isEmpty { return phrases }
        return phrases.filter { phrase in
            let stems = tables.stems(of: phrase)
            // "alcohol-free" names what it does without.
            if stems.contains(Self.free) || stems.contains(Self.zero) { return true }
            let isWish = draft.map { $0.stance == .wants && $0.topicPhrases.contains(stems) } ?? false
            return !stems.indices.contains { index in
                (avoided[stems[index]] ?? []).contains {
                    stems[index...].starts(with: $0.stems)
                        && !(isWish && $0.isMereTaste && $0.stems.count < stems.count)
                }
            }
        }
    }
}
