import JSONDocument
import TextEncoding

/// Conditions of life and what each rules out: "coeliac" rules out bread, "scared of heights" a balloon.
struct ConditionTable: Sendable {
    struct Condition: Sendable {
        let name: String
        let avoid: [String]
        /// What serves instead.
        let serves: [String]
        /// Stems that make an older wish void.
        let covers: [RulePhrase]
        let limit: String
    }

    struct Hit: Hashable, Sendable {
        let condition: Int
        let word: Int
        /// The marker's words where it is itself a no: nothing in them is wished for.
        let refused: Range<Int>
    }

    private static let negations = RuleWords.set(
        "no not hates afraid scared off done quit gave given stopped allergic fear"
    )

    let conditions: [Condition]
    /// By the number of the phrase's first stem.
    private let markers: [[Marker]]
    private let firsts: FingerprintTable

    private struct Marker: Sendable {
        let phrase: RulePhrase
        let condition: Int
    }

    init(_ document: JSONValue) {
        var conditions: [Condition] = []
        var markers: [[Marker]] = []
        var firsts = FingerprintTable()
        for entry in document["conditions"]?.array ?? [] {
            for marker in (entry["markers"]?.array ?? []).compactMap(\.string) {
                let phrase = RulePhrase(marker)
                guard let first = phrase.stems.first else { continue }
                let number = firsts.number(of: first)
                if number == markers.count { markers.append([]) }
                markers[number].append(Marker(phrase: phrase, condition: conditions.count))
            }
            let covers = (entry["covers"]?.array ?? []).compactMap(\.string).map(RulePhrase.init)
            conditions.append(
                Condition(
                    name: entry["name"]?.string ?? "",
                    avoid: (entry["avoid"]?.array ?? []).compactMap(\.string),
                    serves: (entry["serves"]?.array ?? []).compactMap(\.string),
                    covers: covers,
                    limit: entry["limit"]?.string ?? ""
                )
            )
        }
        self.conditions = conditions
        self.markers = markers
        self.firsts = firsts
    }

    /// The conditions a text names, each once, in the order of the text.
    func hits(in text: HintText, refused: WordPlaces) -> [Hit] {
        var hits: [Hit] = []
        for index in text.words.indices {
            guard let number = firsts[text.words[index].print] else { continue }
            for marker in markers[number] {
                let (phrase, condition) = (marker.phrase, marker.condition)
                guard phrase.matches(text.words, at: index), !hits.contains(where: { $0.condition == condition }),
                    !phrase.needsRefusal || refused.contains(index),
                    !isLifted(text, at: index, length: phrase.stems.count)
                else { continue }
                let end = index + phrase.stems.count
                let isNo = (index..<end).contains { Self.negations.contains(text.text($0)) }
                hits.append(Hit(condition: condition, word: index, refused: index..<(isNo ? end : index)))
            }
        }
        return hits
    }

    /// "not vegan any more", "no longer pregnant".
    private func isLifted(_ text: HintText, at index: Int, length: Int) -> Bool {
        let before = (max(0, index - 3)..<index).map(text.text)
        if length == 1, before.suffix(2).contains("not") || before.contains("longer") || before.contains("stopped") {
            return !before.contains("can")
        }
        return before.contains("used")
    }
}
