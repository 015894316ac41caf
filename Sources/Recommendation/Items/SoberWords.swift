import KnotDomain
import TextEncoding

/// An offer's fields as words: what a provider wrote, without what says nothing of the thing.
///
/// Nearly every text is plain and is read as it stands; the careful reading is for the others, and gives the same words
/// for a plain text.
struct SoberWords {
    let title: TokenizedText
    let body: TokenizedText
    let tags: TokenizedText

    /// More tags than that are a list of everything.
    private static let mostTags = 24

    init(_ candidate: Candidate, by reader: inout TokenizedText.Reader) {
        let description = candidate.description ?? ""
        let title = reader.read(candidate.title)
        let body = reader.read(description)
        if Self.isPlain(candidate.title, title), Self.isPlain(description, body, after: title.words) {
            self.title = title
            self.body = body
        } else {
            var sober = SoberSentences()
            self.title = reader.read(Self.source(of: candidate.title, as: .name, by: &sober))
            self.body = reader.read(Self.source(of: description, as: .description, by: &sober))
        }
        let listed = candidate.tags.prefix(Self.mostTags)
        tags = reader.read(
            fields: listed.map { tag in
                if Self.isPlain(tag, reader.read(tag)) { return tag }
                var sober = SoberSentences()
                return Self.source(of: tag, as: .name, by: &sober)
            }
        )
    }

    private static func source(
        of text: String,
        as role: SoberSentences.Role,
        by sober: inout SoberSentences
    ) -> String {
        String(String.UnicodeScalarView(sober.sentences(of: text, as: role).flatMap(\.source)))
    }

    /// Whether a text, whose words these are, has nothing that a careful reading would leave out; `said` is the name
    /// before a description.
    private static func isPlain(_ text: String, _ words: TokenizedText, after said: [WordPrint]? = nil) -> Bool {
        if text.utf8.count > PlainSentences.mostScalars || PlainBytes.areTelling(text) { return false }
        if words.words.contains(where: { telling.contains($0.word) }) { return false }
        return !hasOldClause(words.words, after: said)
    }

    private static let telling = StemSet(prints: MachineTalk.telling.map(Fingerprint.of))

    /// Whether some clause has only words that stood before, as every sentence has that says nothing new.
    private static func hasOldClause(_ words: [WordPrint], after said: [WordPrint]?) -> Bool {
        var isOld = false
        for (place, word) in words.enumerated() {
            if word.opensClause, place > 0, isOld { return true }
            if word.opensClause { isOld = true }
            guard isOld else { continue }
            isOld =
                said.map { said in said.contains { $0.word == word.word } || SoberSentences.isSaidOfAll(word) } ?? false
                || words[..<place].contains { $0.word == word.word }
        }
        return isOld && !words.isEmpty
    }
}
