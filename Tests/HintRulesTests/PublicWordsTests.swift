import Foundation
import KnotDomain
import Testing
import TextEncoding

@testable import HintRules

@Suite("The list of public words")
struct PublicWordsTests {
    private static let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Sources/TextReading/Notes/public-words.txt")

    /// The stems of all that the reviewed tables and the lexicon call a thing.
    private static var publicStems: Set<String> {
        let tables = RuleTables.shared
        let served = tables.remedies.remedies.flatMap(\.serves) + tables.conditions.conditions.flatMap(\.serves)
        let tastes = tables.tastes.tastes.values.flatMap { $0.gifts + $0.experiences + $0.services }
        let lexicon = Lexicon.shared.entries.compactMap { entry in
            if case .evidence = entry.role { entry.phrase.text } else { nil }
        }
        let texts = served + tastes + lexicon + tables.tastes.topics + KnownInterest.allCases.map(\.rawValue)
        return Set(texts.flatMap { Tokenizer.tokens(of: $0) }.map(\.stem))
    }

    @Test func `holds the words of the reviewed tables and of the lexicon, and no other`() throws {
        let words = Self.publicStems.sorted().joined(separator: "\n") + "\n"
        if ProcessInfo.processInfo.environment["KNOT_RECORD_SNAPSHOTS"] != nil {
            try Data(words.utf8).write(to: Self.file, options: .atomic)
        }
        let kept = String(decoding: try Data(contentsOf: Self.file), as: UTF8.self)
        #expect(kept == words, "record it again with KNOT_RECORD_SNAPSHOTS=1")
    }
}
