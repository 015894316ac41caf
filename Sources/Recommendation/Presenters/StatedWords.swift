import TextEncoding

/// Whether words that a reason names really stand where it says they do, in whatever form.
enum StatedWords {
    /// The content stems of what is named.
    static func prints(of words: String) -> [UInt64] {
        TokenizedText(words, limit: 40).contentPrints
    }

    /// The stems of an offer's title and description, which people see; its tags they do not.
    static func shown(by offer: Offer) -> StemSet {
        offer.words.titleSet.union(StemSet(prints: offer.words.bodyPrints))
    }

    /// Whether a note itself has every word of a phrase.
    static func speaks(_ note: String, of phrase: String) -> Bool {
        let named = prints(of: phrase)
        let said = StemSet(contentOf: TokenizedText(note, limit: 400))
        return !named.isEmpty && named.allSatisfy(said.contains)
    }
}
