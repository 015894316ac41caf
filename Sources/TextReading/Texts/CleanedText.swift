package import KnotDomain
package import TextEncoding

/// An offer's fields as words: what a provider wrote, without what says nothing of the thing.
///
/// Nearly every text is plain and is read as it stands; the careful reading is for the others, and gives the same words
/// for a plain text.
package struct CleanedText {
    /// Words read of any one field.
    package static let wordLimit = 400

    /// The words of each field.
    package struct Fields: Sendable {
        package fileprivate(set) var title: TokenizedText
        package fileprivate(set) var body: TokenizedText
        package fileprivate(set) var tags: TokenizedText

        package static let none = Fields(title: .none, body: .none, tags: .none)
    }

    package let fields: Fields
    /// The same with what was left out, and the body to its end; nil where there is no more to it.
    ///
    /// Whatever counts for nothing may still be a reason to drop an offer.
    package let spoken: Fields?

    package var title: TokenizedText { fields.title }
    package var body: TokenizedText { fields.body }
    package var tags: TokenizedText { fields.tags }

    /// More tags than that are a list of everything.
    private static let mostTags = 24

    /// A careful reading takes the long way for plain texts as well, and finds the same words.
    package init(_ candidate: Candidate, by reader: inout TokenizedText.Reader, isCareful: Bool = false) {
        let description = candidate.description ?? ""
        var fields = Fields(title: reader.read(candidate.title), body: reader.read(description), tags: .none)
        var spoken: Fields?
        if isCareful || !Self.isPlain(candidate.title, fields.title)
            || !Self.isPlain(description, fields.body, after: fields.title.words)
        {
            var sober = CleanedSentences()
            let name = Self.source(of: candidate.title, as: .name, by: &sober)
            let nameRest = sober.takeLeftOut()
            let text = Self.source(of: description, as: .description, by: &sober)
            let textRest = sober.takeLeftOut()
            fields.title = reader.read(name)
            fields.body = reader.read(text)
            if !nameRest.isEmpty || !textRest.isEmpty || fields.body.words.count >= Self.wordLimit {
                spoken = fields
                spoken?.title = TokenizedText(fields: [name] + nameRest)
                spoken?.body = TokenizedText(fields: [text] + textRest)
            }
        }
        let tags = candidate.tellingTags
        let listed = tags.count > Self.mostTags ? tags.sorted().prefix(Self.mostTags) : tags[...]
        var hasLeftTag = false
        fields.tags = reader.read(
            fields: listed.map { tag in
                if !isCareful, Self.isPlain(tag, reader.read(tag)) { return tag }
                var sober = CleanedSentences()
                defer { hasLeftTag = hasLeftTag || !sober.takeLeftOut().isEmpty }
                return Self.source(of: tag, as: .name, by: &sober)
            }
        )
        spoken?.tags = fields.tags
        if hasLeftTag {
            spoken = spoken ?? fields
            spoken?.tags = TokenizedText(fields: Array(listed))
        }
        self.fields = fields
        self.spoken = spoken
    }

    private static func source(
        of text: String,
        as role: CleanedSentences.Role,
        by sober: inout CleanedSentences
    ) -> String {
        PlainScalars.text(sober.sentences(of: text, as: role).flatMap(\.source))
    }

    /// Whether a text, whose words these are, has nothing that a careful reading would leave out; `said` is the name
    /// before a description.
    static func isPlain(_ text: String, _ words: TokenizedText, after said: [WordFingerprint]? = nil) -> Bool {
        if text.utf8.count > PlainSentences.mostScalars || PlainBytes.areTelling(text) { return false }
        let words = words.words
        // A sentence may go on behind the last word that was read.
        if words.count >= wordLimit { return false }
        let hasColon = text.utf8.contains(UInt8(ascii: ":"))
        var isOld = false
        var signs: TalkSigns = []
        for place in words.indices {
            let word = words[place]
            if word.opensSentence {
                if isOld || signs.mayBeTalk(withColon: hasColon) { return false }
                isOld = true
                signs = []
            }
            signs.formUnion(TalkSigns.of(word.word))
            if isOld { isOld = isSaid(word, in: words[..<place], after: said) }
        }
        return !isOld && !signs.mayBeTalk(withColon: hasColon)
    }

    private static let and = Fingerprint.of("and")

    /// Whether a word stood before, or says nothing of a thing in a description.
    private static func isSaid(
        _ word: WordFingerprint,
        in words: ArraySlice<WordFingerprint>,
        after said: [WordFingerprint]?
    ) -> Bool {
        // An ampersand is a word here, and none to whoever reads with care.
        if word.word == and { return true }
        if let said, CleanedSentences.isSaidOfAll(word) || said.contains(where: { $0.word == word.word }) {
            return true
        }
        return words.contains { $0.word == word.word }
    }
}
