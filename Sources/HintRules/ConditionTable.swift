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
        /// A mind may change about it; what a body does not bear, or a person does not eat, is no matter of a wish.
        let isTaste: Bool
    }

    struct Hit: Hashable, Sendable {
        let condition: Int
        let word: Int
        /// The marker's words where it is itself a no: nothing in them is wished for.
        let refused: Range<Int>
        /// The marker's words.
        let named: Range<Int>
    }

    private static let negations = RuleWords.set("negations")

    private static let harmReach = 16
    /// Ways of life: refusing one of these lifts it.
    private static let creeds: Set<String> = ["vegan", "vegetarian", "pescatarian", "alcohol-free"]
    private static let tools = RuleWords.set("tools")

    /// "no coffee machine" leaves coffee alone, unless a comma ends what is refused: "no coffee, table for two".
    private func isMereTool(_ text: HintText, behind index: Int) -> Bool {
        Self.tools.contains(text.text(index)) && text.words[index].clause == text.words[index - 1].clause
    }

    /// "No gold jewellery" leaves silver alone.
    private func isOfOneSort(_ text: HintText, at index: Int) -> Bool {
        index > 0 && text.words[index - 1].clause == text.words[index].clause
            && TasteTable.isMaterial(text.words[index - 1].stemFingerprint)
    }

    private static let drink = RulePhrase.stems(of: "drink").first

    /// "Does not drink coffee": the drink is named, and says nothing of any other.
    ///
    /// "Does not drink at lunch" and "stopped drinking cold turkey" name none.
    private func namesDrink(_ text: HintText, behind end: Int, _ phrase: RulePhrase) -> Bool {
        guard phrase.stems.last == Self.drink, text.words.indices.contains(end) else { return false }
        var place = end
        let clause = text.clause(of: end - 1)
        while place < clause.upperBound,
            ["any", "much", "many", "more", "the", "a", "her", "his", "that"].contains(text.text(place))
        {
            place += 1
        }
        guard place < clause.upperBound else { return false }
        return text.words[place].isContent && text.kinds(place).isDisjoint(with: [.trouble, .calendar])
    }

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
        var firsts = FingerprintTable(capacity: 1_024)
        var reader = TokenizedText.Reader()
        for entry in document["conditions"]?.array ?? [] {
            for marker in (entry["markers"]?.array ?? []).compactMap(\.string) {
                let phrase = RulePhrase(marker, by: &reader)
                guard let first = phrase.stems.first else { continue }
                let number = firsts.number(of: first)
                if number == markers.count { markers.append([]) }
                markers[number].append(Marker(phrase: phrase, condition: conditions.count))
            }
            let covers = (entry["covers"]?.array ?? []).compactMap(\.string).map { RulePhrase($0, by: &reader) }
            conditions.append(
                Condition(
                    name: entry["name"]?.string ?? "",
                    avoid: (entry["avoid"]?.array ?? []).compactMap(\.string),
                    serves: (entry["serves"]?.array ?? []).compactMap(\.string),
                    covers: covers,
                    limit: entry["limit"]?.string ?? "",
                    isTaste: entry["taste"]?.bool ?? false
                )
            )
        }
        self.conditions = conditions
        self.markers = markers
        self.firsts = firsts
    }

    /// Whether a mind may change about a condition.
    func isTaste(_ condition: Int) -> Bool { conditions[condition].isTaste }

    /// The conditions a text names, each once, in the order of the text.
    func hits(in text: HintText, refused: WordPlaces) -> [Hit] {
        var hits: [Hit] = []
        var harm: Int??
        for index in text.words.indices {
            guard let number = firsts[text.words[index].stemFingerprint] else { continue }
            for marker in markers[number] {
                let (phrase, condition) = (marker.phrase, marker.condition)
                guard phrase.matches(text.words, at: index), !hits.contains(where: { $0.condition == condition }),
                    !isLifted(text, at: index, length: phrase.stems.count, isRefused: refused.contains(index))
                else { continue }
                if phrase.needsRefusal, !refused.contains(index) {
                    guard phrase.allowsHarm else { continue }
                    if harm == nil { harm = .some(Patterns.harms.first(in: text)?.range.lowerBound) }
                    guard case .some(.some(let place)) = harm, abs(place - index) <= Self.harmReach else { continue }
                }
                if phrase.needsRefusal, !phrase.allowsHarm, isOfOneSort(text, at: index) { continue }
                let end = index + phrase.stems.count
                let isNo = (index..<end).contains { Self.negations.contains(text.text($0)) }
                if phrase.needsRefusal || isNo, isMereTool(text, behind: end) { continue }
                if namesDrink(text, behind: end, phrase) { continue }
                let isCreed = !phrase.needsRefusal && Self.creeds.contains(conditions[condition].name)
                if refused.contains(index), isCreed, phrase.stems.count == 1 { continue }
                hits.append(
                    Hit(condition: condition, word: index, refused: index..<(isNo ? end : index), named: index..<end)
                )
            }
        }
        return hits
    }

    /// The words with which a text says that a way of life is over: "no longer vegan".
    func lifted(in text: HintText) -> [Hit] {
        text.words.indices.flatMap { index -> [Hit] in
            guard let number = firsts[text.words[index].stemFingerprint] else { return [] }
            return markers[number].compactMap { marker in
                let end = index + marker.phrase.stems.count
                guard Self.creeds.contains(conditions[marker.condition].name), !marker.phrase.needsRefusal,
                    marker.phrase.matches(text.words, at: index),
                    isLifted(text, at: index, length: end - index, isRefused: false)
                else { return nil }
                let start = text.text(index - 1) == "longer" ? index - 1 : index
                return Hit(condition: marker.condition, word: index, refused: start..<end, named: start..<end)
            }
        }
    }

    /// "Not vegan any more", "no longer pregnant", "not allergic to nuts"; "does not eat pork" is itself the refusal.
    private func isLifted(_ text: HintText, at index: Int, length: Int, isRefused: Bool) -> Bool {
        let before = (max(0, index - 3)..<index).map(text.text)
        if Sensitivity.isDenied(text, before: index) { return true }
        if before.last == "not" { return !before.contains("can") }
        if isRefused { return before.contains("used") }
        if length == 1, before.suffix(2).contains("not") || before.contains("longer") || before.contains("stopped") {
            return !before.contains("can")
        }
        return before.contains("used")
    }
}

/// A marker of the tables: stems that stand next to each other, sometimes only counted within a refusal.
struct RulePhrase: Hashable, Sendable {
    /// Their fingerprints.
    let stems: [UInt64]
    let needsRefusal: Bool
    /// What it did to somebody's body stands for the refusal.
    let allowsHarm: Bool

    /// Underscores join the words; a leading tilde asks for a refusal, a leading plus for a refusal or for harm done.
    init(_ source: String, by reader: inout TokenizedText.Reader) {
        let first = source.utf8.first
        allowsHarm = first == UInt8(ascii: "+")
        needsRefusal = first == UInt8(ascii: "~") || allowsHarm
        stems = Self.stems(of: source, by: &reader)
    }

    /// The stems of a phrase as fingerprints, contractions spelled out.
    static func stems(of source: String) -> [UInt64] {
        var reader = TokenizedText.Reader()
        return stems(of: source, by: &reader)
    }

    /// The same for one of many phrases.
    static func stems(of source: String, by reader: inout TokenizedText.Reader) -> [UInt64] {
        stems(of: source.utf8.span, by: &reader)
    }

    /// The same of a phrase's UTF-8.
    static func stems(of source: Span<UInt8>, by reader: inout TokenizedText.Reader) -> [UInt64] {
        let words = reader.read(source).words
        var stems: [UInt64] = []
        stems.reserveCapacity(words.count)
        for word in words {
            if let forms = RuleWords.forms(of: word.word) {
                for form in forms { stems.append(form.stemFingerprint) }
            } else {
                stems.append(word.stem)
            }
        }
        return stems
    }

    func matches(_ words: [HintWord], at start: Int) -> Bool {
        guard !stems.isEmpty, start + stems.count <= words.count else { return false }
        for offset in stems.indices {
            if words[start + offset].stemFingerprint != stems[offset]
                || words[start + offset].sentence != words[start].sentence
            {
                return false
            }
        }
        return true
    }
}
