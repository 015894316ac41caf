package import KnotDomain

/// What of a text an encoder gets: its plain words, at a sound length.
///
/// Providers' texts are data. Markup, addresses, signs that are no words, repetitions and sentences that talk to whoever
/// ranks would say nothing of the thing itself and could still move the place an encoder gives it. So they are left out
/// before, and an offer with them has the same text, and the same vector, as the same offer without.
package enum MeaningText {
    /// About a hundred and fifty pieces of words: what small encoders still place well.
    static let longestText = 640
    /// A phrase or a hint is short by contract.
    static let longestPhrase = 240
    /// Of the parts of an offer, none may crowd out the others.
    private static let longestTitle = 160
    private static let longestTags = 120

    /// Title, tags and description of an offer; empty when nothing of it is words.
    package static func of(_ candidate: Candidate) -> String {
        var sober = SoberSentences()
        let title = plain(sober.sentences(of: candidate.title), longest: longestTitle)
        let described = sober.sentences(of: candidate.description ?? "", as: .description)
        let tags = plain(candidate.tags.sorted().prefix(12).joined(separator: ", "), longest: longestTags)
        let description = plain(described, longest: longestText - title.utf8.count - tags.utf8.count)
        return [title, description, tags].filter { !$0.isEmpty }.joined(separator: ". ")
    }

    /// The same of a phrase or a hint.
    package static func of(phrase: String) -> String { plain(phrase, longest: longestPhrase) }

    /// The plain words of a text, sentence by sentence, up to so many bytes.
    static func plain(_ text: String, longest: Int) -> String {
        var sober = SoberSentences()
        return plain(sober.sentences(of: text), longest: longest)
    }

    private static func plain(_ sentences: [PlainSentences.Sentence], longest: Int) -> String {
        var result = ""
        for sentence in sentences where sentence.hasLetters {
            for (place, word) in sentence.words.enumerated() {
                let joint = result.isEmpty ? "" : place == 0 ? ". " : " "
                guard result.utf8.count + joint.utf8.count + word.utf8.count <= longest else { return result }
                result += joint + word
            }
        }
        return result
    }
}
