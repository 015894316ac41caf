import JSONDocument

/// Causes and what serves them, as reviewed data: "cold hands" asks for heated gloves.
struct RemedyTable: Sendable {
    struct Remedy: Sendable {
        let elementCount: Int
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
    private let slots: [String: [Slot]]

    init(_ document: JSONValue) {
        var groups: [String: [String]] = [:]
        for member in document["groups"]?.object?.members ?? [] {
            groups[member.name] = (member.value.string ?? "").split(separator: " ").map(String.init)
        }
        var remedies: [Remedy] = []
        var slots: [String: [Slot]] = [:]
        for entry in document["remedies"]?.array ?? [] {
            let elements = (entry["when"]?.string ?? "").split(separator: " ")
            let serves = (entry["serves"]?.array ?? []).compactMap(\.string)
            for (element, alternatives) in elements.enumerated() {
                var seen: Set<RulePhrase> = []
                for alternative in alternatives.split(separator: "|") {
                    let names =
                        alternative.hasPrefix("$")
                        ? groups[String(alternative.dropFirst())] ?? [] : [String(alternative)]
                    for phrase in names.map(RulePhrase.init) where seen.insert(phrase).inserted {
                        guard let first = phrase.stems.first else { continue }
                        slots[first, default: []].append(Slot(remedy: remedies.count, element: element, phrase: phrase))
                    }
                }
            }
            remedies.append(Remedy(elementCount: elements.count, serves: serves))
        }
        self.remedies = remedies
        self.slots = slots
    }

    /// The remedies a text asks for, the most telling first; `excluded` words ask for nothing.
    func hits(in text: HintText, excluded: Set<Int>) -> [Hit] {
        var places: [Int: [Int?]] = [:]
        var hits: [Int: Hit] = [:]
        for index in text.words.indices where !excluded.contains(index) {
            guard let candidates = slots[text.words[index].stem] else { continue }
            for slot in candidates where slot.phrase.matches(text.words, at: index) {
                var place = places[slot.remedy] ?? Array(repeating: nil, count: remedies[slot.remedy].elementCount)
                if place.contains(index), place[slot.element] != index { continue }
                place[slot.element] = index
                places[slot.remedy] = place
                let found = place.compactMap(\.self)
                guard found.count == place.count, let first = found.min(), let last = found.max(),
                    last - first <= Self.window, hits[slot.remedy] == nil
                else { continue }
                hits[slot.remedy] = Hit(remedy: slot.remedy, first: first, last: last)
            }
        }
        let isTelling = hits.values.contains { remedies[$0.remedy].elementCount > 1 }
        return hits.values.filter { !isTelling || remedies[$0.remedy].elementCount > 1 }.sorted { left, right in
            let (leftCount, rightCount) = (remedies[left.remedy].elementCount, remedies[right.remedy].elementCount)
            if leftCount != rightCount { return leftCount > rightCount }
            let (leftSpan, rightSpan) = (left.last - left.first, right.last - right.first)
            return (leftSpan, left.remedy) < (rightSpan, right.remedy)
        }
    }
}
