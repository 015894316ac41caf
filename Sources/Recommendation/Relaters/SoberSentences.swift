import TextEncoding

/// The sentences of a provider's texts that say something of the thing: neither talk to whoever ranks, nor what every
/// listing says, nor repetition.
///
/// One reader takes the texts of one offer in order, so that a description that says the title again says nothing new.
struct SoberSentences {
    /// What is expected of a text.
    enum Role {
        /// It is the thing's name, whatever its words are.
        case name
        case description
    }

    /// The words that were said so far, as fingerprints.
    private var said: Set<UInt64> = []

    mutating func sentences(of text: String, as role: Role = .name) -> [PlainSentences.Sentence] {
        var isCalled = false
        return PlainSentences(text).sentences.compactMap { sentence in
            let wasCalled = isCalled
            isCalled = MachineTalk.isCall(sentence)
            if wasCalled { return nil }
            let start = MachineTalk.start(in: sentence)
            let sentence = start.map(sentence.cut) ?? sentence
            // A number alone may be a size; it is kept as it stands.
            guard sentence.hasLetters else { return sentence.words.isEmpty || start != nil ? nil : sentence }
            let words = TokenizedText(sentence.words.joined(separator: " ")).words
            guard words.contains(where: { !isOld($0, role) }) else { return nil }
            said.formUnion(words.map(\.word))
            return sentence.thinned()
        }
    }

    private func isOld(_ word: WordPrint, _ role: Role) -> Bool {
        said.contains(word.word) || role == .description && Self.isSaidOfAll(word)
    }

    /// Whether a word says nothing of a thing wherever it stands.
    static func isSaidOfAll(_ word: WordPrint) -> Bool { word.isStopWord || ShopTalk.stems.contains(word.stem) }
}

extension PlainSentences.Sentence {
    /// The same sentence with the words that stand in it three times and more only once.
    fileprivate func thinned() -> Self {
        guard words.count > 2 else { return self }
        var counts: [String: Int] = [:]
        let bare = words.map(PlainScalars.bare)
        for word in bare where word.utf8.count > 3 { counts[word, default: 0] += 1 }
        guard counts.values.contains(where: { $0 > 2 }) else { return self }
        var seen: Set<String> = []
        return saying(
            zip(words, bare).filter { counts[$1, default: 0] < 3 || seen.insert($1).inserted }.map(\.0)
        )
    }
}
