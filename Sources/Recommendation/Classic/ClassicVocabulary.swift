import KnotDomain

/// The words of the original: 53 for the vibes, and those for the three love languages that words decide.
///
/// All of them are looked for in one pass over a text: two bytes tell nearly always that none begins there.
struct ClassicVocabulary: Sendable {
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

    static func says(_ text: ClassicText, _ vibe: Vibe) -> Bool { text.marks.contains(Marks(vibe)) }

    static func says(_ text: ClassicText, _ language: LoveLanguage) -> Bool {
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
