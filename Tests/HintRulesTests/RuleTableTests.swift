import Testing
import TextReading

@testable import HintRules

/// Every entry of the reader's tables says by a sentence what it is for, and does what it says.
@Suite("The rules reader's tables") struct RuleTableTests {
    /// An entry of a section of `patterns.txt`.
    struct Entry: Sendable, CustomTestStringConvertible {
        let list: PatternList
        let rank: Int
        let pattern: String
        let sentences: [String]
        var testDescription: String { "[\(list.name)] \(pattern)" }

        /// Whether this entry is the one that decides at some word.
        func decides(in sentence: String) -> Bool {
            let text = HintText(sentence)
            return text.words.indices.contains { list.match(in: text, at: $0)?.rank == rank }
        }
    }

    private static let entries = Patterns.all.flatMap { list in
        TableText.patterns.entries(list.name).enumerated().map { rank, entry in
            Entry(
                list: list,
                rank: rank,
                pattern: entry.text,
                sentences: TableText.patterns.sentences(of: entry)
            )
        }
    }

    @Test func `a turn of phrase is found in its sentence, before every other of its section`() {
        #expect(Self.entries.count > 700)
        for entry in Self.entries {
            let sentences = entry.sentences.filter { !$0.hasPrefix("not: ") }
            #expect(!sentences.isEmpty, "\(entry.testDescription) has no sentence: put one below it, indented")
            for sentence in sentences {
                #expect(entry.decides(in: sentence), "\(entry.testDescription) is not what decides in: \(sentence)")
            }
        }
    }

    @Test func `a turn of phrase is not found where it would say something else`() {
        let others = Self.entries.flatMap { entry in
            entry.sentences.filter { $0.hasPrefix("not: ") }.map { (entry, String($0.dropFirst(5))) }
        }
        #expect(others.count > 40)
        for (entry, sentence) in others {
            #expect(!entry.decides(in: sentence), "\(entry.testDescription) fires in: \(sentence)")
        }
    }

    /// One that no sentence can reach would say nothing to anybody.
    @Test func `no turn of phrase stands twice in a section`() {
        for list in Patterns.all {
            let patterns = TableText.patterns.entries(list.name).map(\.text)
            let repeated = Set(patterns.filter { pattern in patterns.count { $0 == pattern } > 1 })
            #expect(repeated.isEmpty, "[\(list.name)]")
        }
    }

    @Test func `every section of the patterns is one that the reader knows`() {
        #expect(Set(TableText.patterns.names) == Set(Patterns.all.map(\.name) + ["classes", "afterthoughts"]))
    }

    @Test func `a class of words has a sentence with one of its words, a pair with both`() {
        for section in TableText.words.names where section != "contractions" {
            let isOfPairs = section.hasSuffix("refusal pairs")
            let entries = TableText.words.entries(section)
            let groups = isOfPairs ? entries.map { [$0] } : [entries]
            for group in groups {
                let sentences = group.flatMap(TableText.words.sentences)
                #expect(!sentences.isEmpty, "[\(section)] \(group.map(\.text)) has no sentence")
                for sentence in sentences {
                    let words = HintText(sentence).words.map(\.text)
                    let isFound =
                        isOfPairs
                        ? zip(words, words.dropFirst()).contains { "\($0) \($1)" == group[0].text }
                        : group.contains { entry in TableText.list(entry.text).contains { words.contains($0) } }
                    #expect(isFound, "[\(section)] none of its words is in: \(sentence)")
                }
            }
        }
    }

    @Test func `a contraction is read as the words that it stands for`() {
        for entry in TableText.words.entries("contractions") {
            let words = TableText.list(entry.text)
            #expect(HintText(words[0]).words.map(\.text) == Array(words.dropFirst()), "\(words[0])")
        }
    }
}
