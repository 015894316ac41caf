import TextEncoding

/// The plain words of texts of which nothing has to be left out, read byte by byte.
///
/// Most of what a shop writes is ASCII that says something new in each sentence. Of such texts this gives what
/// ``CleanedSentences`` gives, in a fraction of the time; any other it leaves to them.
struct QuickMeaning {
    /// A text that has to be read with care, or is too long for a list of its words to be walked.
    private static let longestText = 2_000
    private static let longestWord = 48

    /// The words that were said so far, as fingerprints: a few dozen.
    private var said: [UInt64] = []
    private var reader = TokenizedText.Reader()

    /// What a byte is to this reading.
    private enum Kind {
        case letter
        case digit
        /// Stands inside a word, as an apostrophe does.
        case joiner
        case space
        case line
        case end
        /// Parts two words and is none.
        case gap
        /// Asks for the careful reading.
        case other
    }

    private static let kinds: [Kind] = (0..<256).map { number in
        let scalar = Unicode.Scalar(UInt8(number))
        switch scalar {
        case "a"..."z", "A"..."Z": return .letter
        case "0"..."9": return .digit
        // An ampersand may begin an entity.
        case "'", "-", ",": return .joiner
        case " ": return .space
        case "\n": return .line
        case ".", "!", "?", ";", ":": return .end
        case "(", ")", "\"", "*", "+", "/": return .gap
        default: return .other
        }
    }

    /// A word of a sentence that is being read.
    private struct Word {
        let bytes: Range<Int>
        let bare: PlainScalars.BareWord
        let hasLetters: Bool
        /// The words that it is to a reader of words, each a run of letters and digits.
        let runs: Range<Int>
        let hasApostrophe: Bool
    }

    /// The words of one sentence, and what they are when they are read as words.
    private struct Sentence {
        var words: [Word] = []
        var runs: [(fingerprint: UInt64, bytes: Range<Int>)] = []
    }

    /// The plain words of a text, sentence by sentence, up to so many bytes; nil where it asks for the careful reading.
    mutating func plain(_ text: String, as role: CleanedSentences.Role = .name, longest: Int) -> [UInt8]? {
        let bytes = text.utf8.span
        guard bytes.count <= Self.longestText else { return nil }
        var result = Result(longest: longest)
        var sentence = Sentence()
        var place = 0
        while place < bytes.count {
            switch Self.kinds[Int(bytes[place])] {
            case .letter, .digit, .joiner:
                guard let end = Self.take(bytes, from: place, into: &sentence) else { return nil }
                place = end
                continue
            case .end:
                let isLast = place + 1 == bytes.count || Self.isSpace(bytes[place + 1])
                // A point inside a number or a name parts words and no sentences.
                if bytes[place] != UInt8(ascii: ".") || isLast {
                    finish(&sentence, of: bytes, text, as: role, into: &result)
                }
            case .line: finish(&sentence, of: bytes, text, as: role, into: &result)
            case .gap:
                // An address.
                if bytes[place] == UInt8(ascii: "/"), place > 0, bytes[place - 1] == UInt8(ascii: ":") { return nil }
            case .space: break
            case .other: return nil
            }
            place += 1
        }
        finish(&sentence, of: bytes, text, as: role, into: &result)
        return result.bytes
    }

    /// The same of a text that stands alone.
    static func plain(_ text: String, longest: Int) -> [UInt8]? {
        var reading = QuickMeaning()
        return reading.plain(text, longest: longest)
    }

    private static func isSpace(_ byte: UInt8) -> Bool { kinds[Int(byte)] == .space || kinds[Int(byte)] == .line }

    /// Takes the word that begins here and returns the place behind it; nil where it asks for the careful reading.
    private static func take(_ bytes: Span<UInt8>, from start: Int, into sentence: inout Sentence) -> Int? {
        var (bare, run) = (Fingerprint.empty, Fingerprint.empty)
        var (count, runStart) = (0, start)
        var (hasLetters, hasApostrophe) = (false, false)
        let firstRun = sentence.runs.count
        var place = start
        func isWide(_ place: Int) -> Bool { place < bytes.count && bytes[place] | 0x20 == UInt8(ascii: "w") }
        // An address may begin so.
        if isWide(start), isWide(start + 1) { return nil }
        reading: while place < bytes.count {
            let byte = bytes[place]
            switch kinds[Int(byte)] {
            case .letter, .digit:
                let isLetter = kinds[Int(byte)] == .letter
                let lower = isLetter ? byte | 0x20 : byte
                hasLetters = hasLetters || isLetter
                if run == Fingerprint.empty { runStart = place }
                bare = Fingerprint.adding(lower, to: bare)
                run = Fingerprint.adding(lower, to: run)
                count += 1
            case .joiner:
                hasApostrophe = hasApostrophe || byte == UInt8(ascii: "'")
                if run != Fingerprint.empty { sentence.runs.append((run, runStart..<place)) }
                run = Fingerprint.empty
            default: break reading
            }
            place += 1
        }
        if run != Fingerprint.empty { sentence.runs.append((run, runStart..<place)) }
        guard place - start <= longestWord, !PromptInjectionFilter.isTelling(bare) else { return nil }
        guard count > 0 else { return place }
        sentence.words.append(
            Word(
                bytes: start..<place,
                bare: PlainScalars.BareWord(fingerprint: bare, count: count),
                hasLetters: hasLetters,
                runs: firstRun..<sentence.runs.count,
                hasApostrophe: hasApostrophe
            )
        )
        return place
    }

    /// Ends a sentence: its words are kept where one of them says something new.
    private mutating func finish(
        _ sentence: inout Sentence,
        of bytes: Span<UInt8>,
        _ text: String,
        as role: CleanedSentences.Role,
        into result: inout Result
    ) {
        defer {
            sentence.words.removeAll(keepingCapacity: true)
            sentence.runs.removeAll(keepingCapacity: true)
        }
        // A number alone is no word for an encoder.
        guard sentence.words.contains(where: \.hasLetters) else { return }
        let before = said.count
        var isNew = false
        for word in sentence.words {
            if word.hasApostrophe {
                for part in read(word.bytes, of: text) {
                    isNew = isNew || !isOld(part, before, role)
                    said.append(part.word)
                }
                continue
            }
            for run in sentence.runs[word.runs] {
                if !isNew, !said[..<before].contains(run.fingerprint) {
                    isNew = role == .name || read(run.bytes, of: text).contains { !CleanedSentences.isSaidOfAll($0) }
                }
                said.append(run.fingerprint)
            }
        }
        guard isNew else {
            said.removeLast(said.count - before)
            return
        }
        let repeated = Self.repeated(sentence.words)
        for (place, word) in sentence.words.enumerated() where repeated.isEmpty || !repeated[place] {
            result.append(word.bytes, of: bytes, isFirst: place == 0)
        }
    }

    /// By word, whether it is a long one that was said before and stands in the sentence three times or more; empty where
    /// none is.
    private static func repeated(_ words: [Word]) -> [Bool] {
        var repeated: [Bool] = []
        for (place, word) in words.enumerated() where word.bare.count > 3 {
            var (count, last) = (0, place)
            for other in 0..<place where words[other].bare.fingerprint == word.bare.fingerprint {
                (count, last) = (count + 1, other)
            }
            guard count > 1 else { continue }
            if repeated.isEmpty { repeated = Array(repeating: false, count: words.count) }
            repeated[place] = true
            // The first one stays.
            if count == 2 { repeated[last] = true }
        }
        return repeated
    }

    private func isOld(_ word: WordFingerprint, _ before: Int, _ role: CleanedSentences.Role) -> Bool {
        said[..<before].contains(word.word) || role == .description && CleanedSentences.isSaidOfAll(word)
    }

    private mutating func read(_ range: Range<Int>, of text: String) -> [WordFingerprint] {
        let start = text.utf8.index(text.startIndex, offsetBy: range.lowerBound)
        let end = text.utf8.index(start, offsetBy: range.count)
        return reader.read(String(text[start..<end])).words
    }

    /// What was said, as far as there is room.
    private struct Result {
        let longest: Int
        private(set) var bytes: [UInt8] = []
        private var isFull = false

        init(longest: Int) {
            self.longest = longest
            bytes.reserveCapacity(max(0, longest))
        }

        mutating func append(_ word: Range<Int>, of source: Span<UInt8>, isFirst: Bool) {
            let joint = bytes.isEmpty ? 0 : isFirst ? 2 : 1
            if isFull || bytes.count + joint + word.count > longest {
                isFull = true
                return
            }
            if joint == 2 { bytes.append(UInt8(ascii: ".")) }
            if joint > 0 { bytes.append(UInt8(ascii: " ")) }
            for place in word { bytes.append(source[place]) }
        }
    }
}
