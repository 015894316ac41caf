import JSONDocument
import TextEncoding

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

    private struct Slot: Sendable {
        let remedy: Int
        let element: Int
        let phrase: RulePhrase
    }

    /// All elements of a cause stand within this many words.
    private static let window = 14

    let remedies: [Remedy]
    /// By the fingerprint of the phrase's first stem.
    private let slots: [UInt64: [Slot]]

    init(_ document: JSONValue) {
        var groups: [String: [String]] = [:]
        for member in document["groups"]?.object?.members ?? [] {
            groups[member.name] = (member.value.string ?? "").split(separator: " ").map(String.init)
        }
        var remedies: [Remedy] = []
        var slots: [UInt64: [Slot]] = [:]
        for entry in document["remedies"]?.array ?? [] {
            let elements = (entry["when"]?.string ?? "").split(separator: " ")
            let firstElement = remedies.last?.elements.upperBound ?? 0
            let serves = (entry["serves"]?.array ?? []).compactMap(\.string)
            for (element, alternatives) in elements.enumerated() {
                var seen: Set<RulePhrase> = []
                for alternative in alternatives.split(separator: "|") {
                    let names =
                        alternative.hasPrefix("$")
                        ? groups[String(alternative.dropFirst())] ?? [] : [String(alternative)]
                    for phrase in names.map(RulePhrase.init) where seen.insert(phrase).inserted {
                        guard let first = phrase.stems.first else { continue }
                        slots[Fingerprint.of(first), default: []].append(
                            Slot(remedy: remedies.count, element: firstElement + element, phrase: phrase)
                        )
                    }
                }
            }
            remedies.append(Remedy(elements: firstElement..<(firstElement + elements.count), serves: serves))
        }
        self.remedies = remedies
        self.slots = slots
    }

    /// The remedies a text asks for, the most telling first; `excluded` words ask for nothing.
    func hits(in text: HintText, excluded: Set<Int>) -> [Hit] {
        // Where each element of each remedy stands; -1 where it does not.
        var places = [Int](repeating: -1, count: remedies.last?.elements.upperBound ?? 0)
        var hits: [Hit] = []
        for index in text.words.indices where !excluded.contains(index) {
            guard let candidates = slots[text.words[index].print] else { continue }
            for slot in candidates where slot.phrase.matches(text.words, at: index) {
                let elements = remedies[slot.remedy].elements
                if places[elements].contains(index), places[slot.element] != index { continue }
                places[slot.element] = index
                var (first, last) = (Int.max, -1)
                for place in places[elements] {
                    first = min(first, place)
                    last = max(last, place)
                }
                guard first >= 0, last - first <= Self.window, !hits.contains(where: { $0.remedy == slot.remedy })
                else { continue }
                hits.append(Hit(remedy: slot.remedy, first: first, last: last))
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
}
