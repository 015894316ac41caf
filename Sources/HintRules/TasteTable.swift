import JSONDocument
import KnotDomain
import TextEncoding
import TextReading

/// Each known interest's catalogue phrases, and groups of words that name much the same thing.
struct TasteTable: Sendable {
    struct Taste: Sendable {
        let gifts: [String]
        let experiences: [String]
        let services: [String]
        let avoid: [String]
    }

    /// Words that say in which form a thing comes: another dance lesson is near, another lesson is not.
    private static let formats = RuleWords.stems(ofThoseIn: "formats")

    private static let materials = RuleWords.stems(ofThoseIn: "materials")

    /// Whether the word says what a thing is made of: no leather chair is not no chair.
    static func isMaterial(_ stem: UInt64) -> Bool { materials[stem] != nil }

    let tastes: [String: Taste]
    /// The groups with a first member, by its stems; underscores join the words of the others, which few runs ask for.
    private let groups: [[UInt64]: [String]]

    init(_ document: JSONValue) {
        func list(_ value: JSONValue, _ name: String) -> [String] { (value[name]?.array ?? []).compactMap(\.string) }
        var tastes: [String: Taste] = [:]
        for entry in document["tastes"]?.array ?? [] {
            tastes[entry["interest"]?.string ?? ""] = Taste(
                gifts: list(entry, "gifts"),
                experiences: list(entry, "experiences"),
                services: list(entry, "services"),
                avoid: list(entry, "avoid")
            )
        }
        var groups: [[UInt64]: [String]] = [:]
        var reader = TokenizedText.Reader()
        for group in (document["topics"]?.array ?? []).compactMap(\.string) {
            let text = group.utf8.span
            var words = TableWords()
            guard let first = words.next(in: text) else { continue }
            groups[RulePhrase.stems(of: text.extracting(first), by: &reader), default: []].append(group)
        }
        self.tastes = tastes
        self.groups = groups
    }

    /// Every word that names much the same as another.
    var topics: [String] { groups.values.flatMap(Self.members).sorted() }

    private static func members(of groups: [String]) -> [String] {
        groups.flatMap { group in
            TableText.list(group).dropFirst().map { $0.split(separator: "_").joined(separator: " ") }
        }
    }

    /// A phrase without the word that only says in which form the thing comes: "fencing" of "fencing lessons".
    func core(of stems: [UInt64]) -> [UInt64] {
        var core = stems[...]
        while core.count > 1, let last = core.last, Self.formats[last] != nil { core = core.dropLast() }
        return Array(core)
    }

    /// Whether a word says in which form a thing comes.
    func isFormat(_ stem: UInt64?) -> Bool { stem.map { Self.formats[$0] != nil } ?? false }

    /// Other words for the same thing, by the whole phrase or by its last two words; of black tea, "tea" is none.
    func neighbours(of phrase: String) -> [String] {
        let stems = RulePhrase.stems(of: phrase)
        if let whole = groups[stems] { return Self.members(of: whole) }
        return stems.count > 2 ? Self.members(of: groups[Array(stems.suffix(2))] ?? []) : []
    }
}

/// What the vault as a whole asks for and rules out.
struct VaultPhrases: Sendable {
    let tables: RuleTables

    private static let servesLimit = 8

    /// Each like in the form that the love languages ask for; at a small occasion without the large outings.
    func serves(_ vault: Vault, tier: OccasionTier) -> [String] {
        var phrases: [String] = []
        let likes = vault.likes.sorted()
        let languages = [vault.loveLanguages.primary, vault.loveLanguages.secondary]
        for (place, language) in languages.enumerated() {
            if let extra = Self.languagePhrases[language]?.first, place == 0 { phrases.append(extra) }
            for like in likes {
                guard let taste = tables.tastes.tastes[like.known?.rawValue ?? ""] else {
                    if place == 0 { phrases.append(like.name.lowercased()) }
                    continue
                }
                let list = forms(of: taste, language: language, tier: tier)
                if let phrase = list.first(where: { !phrases.contains($0) }) { phrases.append(phrase) }
            }
        }
        return Array(phrases.prefix(Self.servesLimit))
    }

    private func forms(of taste: TasteTable.Taste, language: LoveLanguage, tier: OccasionTier) -> [String] {
        switch language {
        case .receivingGifts, .wordsOfAffirmation: taste.gifts
        case .qualityTime, .physicalTouch:
            tier == .justBecause ? Array(taste.experiences.reversed()) : taste.experiences
        case .actsOfService: taste.services + taste.gifts
        }
    }

    private static let languagePhrases: [LoveLanguage: [String]] = [
        .wordsOfAffirmation: ["handwritten letter keepsake"], .actsOfService: ["service done for them at home"],
        .receivingGifts: ["handmade keepsake gift"], .qualityTime: ["private experience for two"],
        .physicalTouch: ["couples massage"],
    ]

    /// Dislikes by their catalogue words, and every hint's avoids; a past gift is held against its kind and not its words.
    ///
    /// What a list cannot hold is counted and never dropped in silence.
    func avoid(_ vault: Vault, hints: [HintReading]) -> (phrases: [String], leftOut: Int) {
        var phrases: [String] = []
        var seen: Set<String> = []
        var leftOut = 0
        func add(_ phrase: String) {
            guard !phrase.isEmpty, seen.insert(phrase).inserted else { return }
            if phrases.count < TextLimit.listItems, phrase.utf8.count <= TextLimit.phrase {
                phrases.append(phrase)
            } else {
                leftOut += 1
            }
        }
        for dislike in vault.dislikes.sorted() {
            let taste = tables.tastes.tastes[dislike.known?.rawValue ?? ""]
            for phrase in taste?.avoid ?? [dislike.name.lowercased()] { add(phrase) }
        }
        for reading in hints where reading.subject == .partner || reading.subject == .couple {
            for phrase in reading.avoid { add(phrase) }
        }
        return (phrases, leftOut)
    }
}
