package import KnotDomain

/// Lower-cased text in which substrings are looked for, as the original did: anywhere, by code points and not by words.
///
/// Nearly all that is looked for is not there, so a text keeps a bit for each pair of neighbouring bytes it has.
package struct ClassicText: Sendable {
    /// What of the original's vocabulary stands in the text.
    let marks: ClassicVocabulary.Marks
    private let bytes: [UInt8]
    private let pairs: [UInt64]

    package init(_ text: String) {
        var bytes = Array(text.utf8)
        if bytes.contains(where: { $0 >= 0x80 }) {
            bytes = Array(text.lowercased().utf8)
        } else {
            for place in bytes.indices where bytes[place] &- UInt8(ascii: "A") < 26 { bytes[place] |= 0x20 }
        }
        var pairs = [UInt64](repeating: 0, count: BytePair.count / 64)
        for place in bytes.indices.dropLast() {
            let pair = BytePair.number(bytes[place], bytes[place + 1])
            pairs[pair >> 6] |= 1 << UInt64(pair & 63)
        }
        marks = ClassicVocabulary.shared.marks(in: bytes)
        self.bytes = bytes
        self.pairs = pairs
    }

    /// True for a word that stands anywhere in the text.
    ///
    /// UTF-8 bytes of one code point never begin inside those of another, so bytes find what code points would.
    package func contains(_ word: ClassicWord) -> Bool {
        for pair in word.pairs where pairs[pair >> 6] & (1 << UInt64(pair & 63)) == 0 { return false }
        guard let first = word.letters.first else { return true }
        guard bytes.count >= word.letters.count else { return false }
        for start in 0...bytes.count - word.letters.count where bytes[start] == first {
            if word.stands(in: bytes, at: start) { return true }
        }
        return false
    }
}

/// A word or a few, in lower case, to be looked for anywhere in a text.
package struct ClassicWord: Sendable {
    let letters: [UInt8]
    /// The numbers of its pairs of neighbouring bytes.
    let pairs: [Int]

    package init(_ text: String) {
        letters = Array(text.lowercased().utf8)
        pairs = zip(letters, letters.dropFirst()).map(BytePair.number)
    }

    /// Whether the word stands at this place, where there is room for it.
    func stands(in bytes: [UInt8], at start: Int) -> Bool {
        for offset in letters.indices where bytes[start + offset] != letters[offset] { return false }
        return true
    }
}

/// Two neighbouring bytes as one of 2,048 numbers; no two pairs of small letters share one.
enum BytePair {
    static let count = 2_048

    static func number(_ first: UInt8, _ second: UInt8) -> Int { (Int(first) * 37 + Int(second)) & (count - 1) }
}

/// An offer as the original looks at it.
package struct ClassicListing: Sendable {
    /// The title and the description.
    package let text: ClassicText
    /// Two offers with one key are one.
    package let key: String

    package init(_ candidate: Candidate) {
        text = ClassicText("\(candidate.title) \(candidate.description ?? "")")
        key = "\(candidate.title.lowercased())|\(candidate.merchant?.lowercased() ?? "")"
    }
}

/// The words of the original: 53 for the vibes, and those for the three love languages that words decide.
///
/// All of them are looked for in one pass over a text: two bytes tell nearly always that none begins there.
package struct ClassicVocabulary: Sendable {
    /// What of the vocabulary stands in one text, a bit for each vibe and love language.
    struct Marks: OptionSet, Sendable {
        let rawValue: UInt32

        init(rawValue: UInt32) { self.rawValue = rawValue }

        init(_ vibe: Vibe) { self.init(place: Vibe.allCases.firstIndex(of: vibe)) }

        init(_ language: LoveLanguage) {
            self.init(place: LoveLanguage.allCases.firstIndex(of: language).map { Vibe.allCases.count + $0 })
        }

        private init(place: Int?) { rawValue = place.map { 1 << UInt32($0) } ?? 0 }
    }

    static let shared = ClassicVocabulary()

    private struct Entry: Sendable {
        let word: ClassicWord
        let mark: Marks
    }

    /// The entries whose first two bytes have pair p are at `starts[p]..<starts[p + 1]`.
    private let starts: [Int]
    private let entries: [Entry]

    private init() {
        var buckets = [[Entry]](repeating: [], count: BytePair.count)
        func add(_ words: [String], _ mark: Marks) {
            for word in words.map(ClassicWord.init) {
                precondition(!word.pairs.isEmpty, "a word of the vocabulary has two letters at least")
                buckets[word.pairs[0]].append(Entry(word: word, mark: mark))
            }
        }
        for (vibe, words) in Self.vibes { add(words, Marks(vibe)) }
        for (language, words) in Self.loveLanguages { add(words, Marks(language)) }
        var starts = [0]
        for bucket in buckets { starts.append(starts[starts.count - 1] + bucket.count) }
        self.starts = starts
        entries = Array(buckets.joined())
    }

    /// What stands anywhere in a text that is in lower case.
    func marks(in bytes: [UInt8]) -> Marks {
        var marks: Marks = []
        for place in bytes.indices.dropLast() {
            let pair = BytePair.number(bytes[place], bytes[place + 1])
            for number in starts[pair]..<starts[pair + 1] {
                let entry = entries[number]
                guard !marks.contains(entry.mark), place + entry.word.letters.count <= bytes.count else { continue }
                if entry.word.stands(in: bytes, at: place) { marks.insert(entry.mark) }
            }
        }
        return marks
    }

    package static func says(_ text: ClassicText, _ vibe: Vibe) -> Bool { text.marks.contains(Marks(vibe)) }

    package static func says(_ text: ClassicText, _ language: LoveLanguage) -> Bool {
        text.marks.contains(Marks(language))
    }

    private static let vibes: [Vibe: [String]] = [
        .quietLuxury: ["luxury", "elegant", "premium", "refined", "sophisticated", "understated", "cashmere"],
        .streetUrban: ["street", "urban", "sneaker", "graffiti", "hip hop", "city", "skate"],
        .outdoorsy: ["outdoor", "nature", "hiking", "trail", "camping", "garden", "fresh air"],
        .vintage: ["vintage", "retro", "antique", "classic", "nostalgic", "vinyl"],
        .minimalist: ["minimal", "simple", "clean", "modern", "sleek", "scandinavian"],
        .bohemian: ["boho", "bohemian", "eclectic", "artisan", "handmade", "free-spirited"],
        .romantic: ["romantic", "candlelit", "couples", "intimate", "love", "sunset", "roses"],
        .adventurous: ["adventure", "thrill", "adrenaline", "extreme", "explore", "bold", "climbing"],
    ]

    private static let loveLanguages: [LoveLanguage: [String]] = [
        .wordsOfAffirmation: ["personalized", "custom", "engraved", "letter", "poem", "journal", "message"],
        .actsOfService: ["service", "cleaning", "meal kit", "subscription", "delivery", "helper", "repair"],
        .physicalTouch: ["massage", "spa", "couples", "dance", "blanket", "cozy", "cuddle"],
    ]
}
