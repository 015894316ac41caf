import JSONDocument
import TextEncoding
import TextReading

/// Reads the table of remedies: thousands of phrases at the start of a process, so that each is read once, and as bytes.
struct RemedyReader {
    /// All that is asked of a phrase, whichever way it is written.
    private struct Phrase {
        /// The number of its first stem.
        let first: Int32
        let second: UInt64
        /// The place of its other stems among all rests; -1 where there are none.
        let rest: Int32
        /// The last element that has it: one that names it twice has it once.
        var element: Int32 = -1
    }

    private(set) var remedies: [RemedyTable.Remedy] = []
    private(set) var rests: [[UInt64]] = []
    private(set) var firsts = FingerprintTable(capacity: 4_096)
    private var slots: [(first: Int32, slot: RemedyTable.Slot)] = []
    private var phrases: [Phrase] = []
    /// The phrases by their stems.
    private var byStems = FingerprintTable(capacity: 4_096)
    /// The phrases as they are written, and which of the above each is; -1 for one without words.
    private var written = FingerprintTable(capacity: 4_096)
    private var numbers: [Int32] = []
    /// The phrases that stand for a name behind a dollar sign.
    private var groups: [UInt64: [Int32]] = [:]
    private var reader = TokenizedText.Reader()

    init(_ groups: JSONValue?) {
        slots.reserveCapacity(12_000)
        for member in groups?.object?.members ?? [] {
            let text = (member.value.string ?? "").utf8.span
            var phrases: [Int32] = []
            var words = TableWords()
            while let word = words.next(in: text) { phrases.append(number(of: text.extracting(word))) }
            self.groups[Fingerprint.of(member.name)] = phrases
        }
    }

    /// Takes up a remedy: its elements with their ways to be named, "hand|finger $cold".
    mutating func read(_ elements: String, serves: [String]) {
        let text = elements.utf8.span
        let first = remedies.last?.elements.upperBound ?? 0
        var element = first
        var words = TableWords()
        while let word = words.next(in: text) {
            var ways = TableWords(by: UInt8(ascii: "|"), in: word)
            while let way = ways.next(in: text) {
                if text[way.lowerBound] == UInt8(ascii: "$") {
                    let name = Self.fingerprint(of: text.extracting(way.lowerBound + 1..<way.upperBound))
                    for phrase in groups[name] ?? [] { append(phrase, to: Int32(element)) }
                } else {
                    append(number(of: text.extracting(way)), to: Int32(element))
                }
            }
            element += 1
        }
        remedies.append(RemedyTable.Remedy(elements: first..<element, serves: serves))
    }

    /// The slots in the order of their first stems' numbers, and where those of each begin.
    var slotsByFirst: (slots: [RemedyTable.Slot], starts: [Int]) {
        var starts = [Int](repeating: 0, count: firsts.count + 1)
        for entry in slots { starts[Int(entry.first) + 1] += 1 }
        for number in 0..<firsts.count { starts[number + 1] += starts[number] }
        var ends = starts
        var ordered = slots.map(\.slot)
        for entry in slots {
            ordered[ends[Int(entry.first)]] = entry.slot
            ends[Int(entry.first)] += 1
        }
        return (ordered, starts)
    }

    private mutating func append(_ number: Int32, to element: Int32) {
        guard number >= 0, phrases[Int(number)].element != element else { return }
        phrases[Int(number)].element = element
        let phrase = phrases[Int(number)]
        let slot = RemedyTable.Slot(
            second: phrase.second,
            remedy: Int32(remedies.count),
            element: element,
            rest: phrase.rest
        )
        slots.append((phrase.first, slot))
    }

    private mutating func number(of text: Span<UInt8>) -> Int32 {
        let number = written.number(of: Self.fingerprint(of: text))
        if number == numbers.count { numbers.append(self.number(of: RulePhrase.stems(of: text, by: &reader))) }
        return numbers[number]
    }

    private mutating func number(of stems: [UInt64]) -> Int32 {
        guard let first = stems.first else { return -1 }
        // As unlikely to be another phrase's as a word's fingerprint is another word's.
        let key = stems.reduce(Fingerprint.empty) { ($0 ^ $1) &* 0x9E37_79B9_7F4A_7C15 ^ $0 >> 29 }
        let number = byStems.number(of: key)
        if number == phrases.count {
            let rest = stems.dropFirst(2)
            if !rest.isEmpty { rests.append(Array(rest)) }
            phrases.append(
                Phrase(
                    first: Int32(firsts.number(of: first)),
                    second: stems.count > 1 ? stems[1] : 0,
                    rest: rest.isEmpty ? -1 : Int32(rests.count - 1)
                )
            )
        }
        return Int32(number)
    }

    private static func fingerprint(of text: Span<UInt8>) -> UInt64 {
        var fingerprint = Fingerprint.empty
        for place in text.indices { fingerprint = Fingerprint.adding(text[place], to: fingerprint) }
        return fingerprint
    }
}
