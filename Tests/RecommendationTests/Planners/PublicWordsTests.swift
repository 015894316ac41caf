import Foundation
import Testing

@testable import Recommendation

@Suite("The list of public words")
struct PublicWordsTests {
    private static let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Sources/Recommendation/Sourcing/public-words.txt")

    @Test func `holds the words of the reviewed tables and of the lexicon, and no other`() throws {
        let words = PublicPhrases.publicStems.sorted().joined(separator: "\n") + "\n"
        if ProcessInfo.processInfo.environment["KNOT_RECORD_SNAPSHOTS"] != nil {
            try Data(words.utf8).write(to: Self.file, options: .atomic)
        }
        let kept = String(decoding: try Data(contentsOf: Self.file), as: UTF8.self)
        #expect(kept == words, "record it again with KNOT_RECORD_SNAPSHOTS=1")
    }
}
