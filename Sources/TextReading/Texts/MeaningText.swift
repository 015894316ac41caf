package import KnotDomain
import Synchronization
import TextEncoding

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
    package static func of(_ candidate: Candidate) -> String { quick(candidate) ?? careful(candidate) }

    /// The same of an offer of which nothing has to be left out; nil of any other.
    static func quick(_ candidate: Candidate) -> String? {
        var reading = QuickMeaning()
        guard
            let title = reading.plain(candidate.title, longest: longestTitle),
            let tags = QuickMeaning.plain(tags(of: candidate), longest: longestTags),
            let description = reading.plain(
                candidate.description ?? "",
                as: .description,
                longest: longestText - title.count - tags.count
            )
        else { return nil }
        var parts = title
        for part in [description, tags] where !part.isEmpty { parts += (parts.isEmpty ? [] : Array(". ".utf8)) + part }
        return String(decoding: parts, as: UTF8.self)
    }

    private static func tags(of candidate: Candidate) -> String {
        candidate.tellingTags.sorted().prefix(12).joined(separator: ", ")
    }

    /// The same of any offer, sentence by sentence.
    static func careful(_ candidate: Candidate) -> String {
        var sober = CleanedSentences()
        let title = plain(sober.sentences(of: candidate.title), longest: longestTitle)
        let described = sober.sentences(of: candidate.description ?? "", as: .description)
        let tags = careful(tags(of: candidate), longest: longestTags)
        let description = plain(described, longest: longestText - title.utf8.count - tags.utf8.count)
        return [title, description, tags].filter { !$0.isEmpty }.joined(separator: ". ")
    }

    /// What an offer's text is made of, told apart by its title first.
    private struct Source: Hashable {
        let title: String
        let description: String?
        let tags: [String]

        func hash(into hasher: inout Hasher) { hasher.combine(title) }
    }

    /// What was worked out last: a run asks again for the offers that its search found, and so does the next vault's.
    private static let known = Mutex<[Source: String]>([:])
    private static let mostKnown = 8_192

    /// The same as of an offer, kept for whoever asks next.
    package static func kept(of candidate: Candidate) -> String {
        let source = Source(title: candidate.title, description: candidate.description, tags: candidate.tags)
        if let text = known.withLock({ $0[source] }) { return text }
        let text = of(candidate)
        known.withLock { known in
            if known.count >= mostKnown { known.removeAll() }
            known[source] = text
        }
        return text
    }

    /// The same of a phrase or a hint.
    package static func of(phrase: String) -> String { plain(phrase, longest: longestPhrase) }

    /// The plain words of a text, sentence by sentence, up to so many bytes.
    static func plain(_ text: String, longest: Int) -> String {
        QuickMeaning.plain(text, longest: longest).map { String(decoding: $0, as: UTF8.self) }
            ?? careful(text, longest: longest)
    }

    /// The same of any text, sentence by sentence.
    static func careful(_ text: String, longest: Int) -> String {
        var sober = CleanedSentences()
        return plain(sober.sentences(of: text), longest: longest)
    }

    private static func plain(_ sentences: [PlainSentences.Sentence], longest: Int) -> String {
        var result = ""
        for sentence in sentences where sentence.hasLetters {
            for (place, word) in sentence.words.enumerated() {
                let joint = result.isEmpty ? "" : place == 0 ? ". " : " "
                guard result.utf8.count + joint.utf8.count + word.utf8.count <= longest else { return result }
                result += joint
                result += word
            }
        }
        return result
    }
}

/// The sentences of a provider's texts that say something of the thing: neither talk to whoever ranks, nor what every
/// listing says, nor repetition.
///
/// One reader takes the texts of one offer in order, so that a description that says the title again says nothing new.
struct CleanedSentences {
    /// What is expected of a text.
    enum Role {
        /// It is the thing's name, whatever its words are.
        case name
        case description
    }

    /// The words that were said so far, as fingerprints.
    private var said = FingerprintTable(capacity: 64)
    private var reader = TokenizedText.Reader()
    /// What talks to whoever ranks, as it was written.
    private var leftOut: [String] = []

    /// The talk that was left out since the last time.
    mutating func takeLeftOut() -> [String] {
        defer { leftOut = [] }
        return leftOut
    }

    mutating func sentences(of text: String, as role: Role = .name) -> [PlainSentences.Sentence] {
        var isCalled = false
        return PlainSentences(text).sentences.compactMap { sentence in
            let wasCalled = isCalled
            isCalled = PromptInjectionFilter.isCall(sentence)
            if wasCalled {
                leftOut.append(PlainScalars.text(sentence.source))
                return nil
            }
            let bare = sentence.words.map(PlainScalars.bareFingerprint)
            let start = PromptInjectionFilter.start(in: sentence, bare)
            if let start { leftOut.append(PlainScalars.text(sentence.source(from: start))) }
            let sentence = start.map(sentence.cut) ?? sentence
            // A number alone may be a size; it is kept as it stands.
            guard sentence.hasLetters else { return sentence.words.isEmpty || start != nil ? nil : sentence }
            let words = reader.read(fields: sentence.words).words
            guard words.contains(where: { !isOld($0, role) }) else { return nil }
            for word in words { _ = said.number(of: word.word) }
            return sentence.thinned(bare.prefix(sentence.words.count))
        }
    }

    private func isOld(_ word: WordFingerprint, _ role: Role) -> Bool {
        said[word.word] != nil || role == .description && Self.isSaidOfAll(word)
    }

    /// Whether a word says nothing of a thing wherever it stands.
    static func isSaidOfAll(_ word: WordFingerprint) -> Bool {
        word.isStopWord || BoilerplateWords.stems.contains(word.stem)
    }
}

extension PlainSentences.Sentence {
    /// The same sentence with the long words that stand in it three times and more only once; its bare words are known.
    fileprivate func thinned(_ bare: ArraySlice<PlainScalars.BareWord>) -> Self {
        guard bare.count > 2 else { return self }
        var table = FingerprintTable(capacity: bare.count)
        var counts = [Int](repeating: 0, count: bare.count)
        let numbers = bare.map { word -> Int? in
            guard word.count > 3 else { return nil }
            let number = table.number(of: word.fingerprint)
            counts[number] += 1
            return number
        }
        guard counts.contains(where: { $0 > 2 }) else { return self }
        var seen = [Bool](repeating: false, count: counts.count)
        return saying(
            zip(words, numbers).filter { _, number in
                guard let number, counts[number] > 2 else { return true }
                defer { seen[number] = true }
                return !seen[number]
            }.map(\.0)
        )
    }
}
