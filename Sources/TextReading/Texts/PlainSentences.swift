/// The words of a text without markup, addresses, code and signs, cut into sentences.
struct PlainSentences {
    /// One sentence.
    struct Sentence {
        /// Its plain words.
        fileprivate(set) var words: [String] = []
        /// Where in the source each begins.
        fileprivate var starts: [Int] = []
        /// What it was, without markup, addresses, code and what nobody sees.
        fileprivate(set) var source: [Unicode.Scalar] = []
        /// What it ended with; nil at the end of the text.
        fileprivate(set) var end: Unicode.Scalar?
        fileprivate var isForged = false
        fileprivate var hadCode = false

        /// Whether anything is said in words.
        var hasLetters: Bool { words.contains { $0.unicodeScalars.contains(where: PlainScalars.isLetter) } }

        /// The sentence up to its first words.
        func cut(to count: Int) -> Self {
            guard count < words.count else { return self }
            var sentence = self
            sentence.words.removeLast(words.count - count)
            sentence.source.removeLast(source.count - starts[count])
            sentence.starts.removeLast(starts.count - count)
            return sentence
        }

        /// What it was from the word at a place on.
        func source(from place: Int) -> ArraySlice<Unicode.Scalar> { source[starts[place]...] }

        /// A sentence of these words and no others.
        func saying(_ words: [String]) -> Self {
            var sentence = self
            sentence.words = words
            sentence.starts = []
            sentence.source = []
            for word in words {
                sentence.starts.append(sentence.source.count)
                sentence.source += Array(word.unicodeScalars) + [" "]
            }
            if let end { sentence.source.append(end) }
            return sentence
        }
    }

    /// A megabyte is nobody's description: no more than this of a text is looked at.
    static let mostScalars = 8_000

    /// Those that say something, or at least a number that is no rest of code.
    private(set) var sentences: [Sentence] = []
    private var sentence = Sentence()

    init(_ text: String) {
        let scalars = PlainScalars.withoutTags(text, most: Self.mostScalars)
        var place = 0
        while place < scalars.count {
            let start = place
            while place < scalars.count, !PlainScalars.isSpace(scalars[place]) { place += 1 }
            if place > start { take(scalars[start..<place]) }
            if place < scalars.count {
                sentence.source.append(scalars[place])
                if scalars[place] == "\n" { endSentence("\n") }
                place += 1
            }
        }
        endSentence(nil)
    }

    private mutating func take(_ word: [Unicode.Scalar].SubSequence) {
        if takesPlain(word) { return }
        if word.contains(where: PlainScalars.isForgery) {
            endSentence(nil)
            sentence.isForged = true
        }
        let isCode = word.contains(where: PlainScalars.isCode)
        if isCode || PlainScalars.isAddress(word) {
            sentence.hadCode = sentence.hadCode || isCode
            return
        }
        // A price or a number sign is no word for an encoder and stays in the source.
        let isSign = word.contains(where: PlainScalars.isSign)
        var plain: [Unicode.Scalar] = []
        var start = 0
        for (place, scalar) in zip(word.indices, word) {
            if PlainScalars.isHidden(scalar) { continue }
            sentence.source.append(scalar)
            if isSign { continue }
            if PlainScalars.endsSentence(scalar) {
                add(&plain, from: start)
                // A point inside a number or a name, such as "2.5" or "e.g.", parts words and no sentences.
                if scalar != "." || place == word.endIndex - 1 { endSentence(scalar) }
            } else if PlainScalars.isWord(scalar) {
                if plain.isEmpty { start = sentence.source.count - 1 }
                plain.append(scalar == "\u{2019}" ? "'" : scalar)
            } else if !PlainScalars.isMark(scalar) {
                add(&plain, from: start)
            }
        }
        add(&plain, from: start)
    }

    /// Takes what most words are, ASCII letters and digits with perhaps a sign that ends a sentence: the same as the long way.
    private mutating func takesPlain(_ word: [Unicode.Scalar].SubSequence) -> Bool {
        guard let first = word.first, let last = word.last else { return false }
        let isEnd = PlainScalars.endsSentence(last)
        // "www." begins an address.
        if isEnd, first == "w" || first == "W" { return false }
        let plain = isEnd ? word.dropLast() : word
        guard !plain.isEmpty, plain.allSatisfy(PlainScalars.isPlain) else { return false }
        sentence.words.append(PlainScalars.text(plain))
        sentence.starts.append(sentence.source.count)
        sentence.source.append(contentsOf: word)
        if isEnd { endSentence(last) }
        return true
    }

    private mutating func add(_ plain: inout [Unicode.Scalar], from start: Int) {
        if plain.contains(where: { !PlainScalars.joinsWords($0) }) {
            sentence.words.append(PlainScalars.text(plain))
            sentence.starts.append(start)
        }
        plain = []
    }

    private mutating func endSentence(_ end: Unicode.Scalar?) {
        sentence.end = end
        if !sentence.isForged, sentence.hasLetters || !sentence.hadCode { sentences.append(sentence) }
        sentence = Sentence()
    }
}
