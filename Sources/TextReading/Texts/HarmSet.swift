import TextEncoding

/// What a body does not bear, or a person does not eat or wear, with everything that is one of it.
///
/// Who must not have nuts must not have a praline, though no note says so; and vegan cheese is no cheese.
package struct HarmSet: Sendable, Hashable {
    /// Places in the table, ascending.
    private var places: [Int]

    package static let none = HarmSet(places: [])

    private init(places: [Int]) { self.places = places }

    /// The harms that limits, or things that are ruled out with nothing beside them, name as a whole: "no nuts" does, and
    /// neither "no almonds" nor "nut butter" does.
    package init(limits: [String], avoiding things: [AvoidPhrase] = []) {
        var stems: [UInt64] = []
        var reader = TokenizedText.Reader(limit: AvoidPhrase.wordLimit)
        for limit in limits {
            let words = reader.read(limit)
            let isOnly = words.words.contains { $0.word == Self.only }
            // "Fish and vegetables only" allows what it names, "alcohol-free only" does not.
            let lacked = isOnly ? StatedAbsence(in: words).lacked.union(RemedyCondition.fitWords) : nil
            stems += words.words.map(\.stem).filter { lacked?.contains($0) ?? true }
        }
        stems += things.filter(\.narrowing.isEmpty).map(\.head)
        let said = StemSet(fingerprints: stems)
        self.init(places: Self.table.indices.filter { said.sharedCount(with: Self.table[$0].named) > 0 })
    }

    package mutating func formUnion(_ other: HarmSet) { places = Set(places + other.places).sorted() }

    package var isEmpty: Bool { places.isEmpty }

    /// Each of them by itself.
    package var each: [HarmSet] { places.map { HarmSet(places: [$0]) } }

    /// Everything that is one of them, as a phrase of many things.
    package var kinds: String { places.map { Self.table[$0].kindWords }.joined(separator: ", ") }

    /// What a phrase names, and what it says to be absent.
    package struct Phrase: Sendable {
        fileprivate let said: StemSet
        fileprivate let lacked: StemSet

        package init(_ text: String) {
            let words = TokenizedText(text, limit: AvoidPhrase.wordLimit)
            (said, lacked) = (StemSet(contentOf: words), StatedAbsence(in: words).lacked)
        }
    }

    /// Those of them that a phrase is about; "decaf coffee" is not ruled out for its caffeine.
    package func spoken(of phrase: @autoclosure () -> Phrase) -> HarmSet {
        guard !isEmpty else { return self }
        let phrase = phrase()
        let about = places.filter { place in
            let harm = Self.table[place]
            return harm.words.sharedCount(with: phrase.said) > 0 && harm.fits.sharedCount(with: phrase.said) == 0
                && harm.lacks.sharedCount(with: phrase.lacked) == 0
        }
        return HarmSet(places: about)
    }

    /// Which of these stems are words of such a harm.
    package func words(among stems: [UInt64]) -> [UInt64] {
        stems.filter { stem in places.contains { Self.table[$0].words.contains(stem) } }
    }

    /// Whether an offer says by its name that it is none of them: "vegan cheese", "nut-free cookies".
    package func areLacked(by offer: SpokenWords) -> Bool {
        guard !isEmpty else { return false }
        // Most offers have no word for it, and need not be read again.
        let mayBeFit = places.contains { Self.table[$0].fits.sharedCount(with: offer.headSet) > 0 }
        let fits = mayBeFit ? FitNames.names(in: offer) : StemSet(fingerprints: [])
        return places.allSatisfy { place in
            let harm = Self.table[place]
            return offer.lackedByName.sharedCount(with: harm.lacks) > 0 || fits.sharedCount(with: harm.fits) > 0
        }
    }

    /// Whether a word of an offer is the look, the use or the name of a thing that nobody eats.
    package func isMereLook(_ stem: UInt64, of offer: SpokenWords) -> Bool {
        guard places.contains(where: { Self.table[$0].isEaten && Self.table[$0].words.contains(stem) }) else {
            return false
        }
        return WareName.isWare(offer.fields, beside: stem)
    }

    /// Whether all that an offer names of them is absent, another thing of that name, or a mere look; and nobody eats a
    /// brooch of a goldfish, however near it is to fish.
    package func areMereWords(in offer: SpokenWords) -> Bool {
        let named = places.reduce(StemSet(fingerprints: [])) { found, place in
            found.union(offer.harmWords.shared(with: Self.table[place].words))
        }
        if named.isEmpty {
            return places.allSatisfy { Self.table[$0].isEaten } && WareName.isWare(offer.fields, beside: nil)
        }
        return named.allSatisfy { offer.absence.absent.contains($0) || isMereLook($0, of: offer) }
    }

    private struct HarmWords: Sendable {
        let named: StemSet
        let words: StemSet
        let lacks: StemSet
        let fits: StemSet
        let kindWords: String
        let isEaten: Bool

        init(_ lines: [[String]]) {
            func words(_ role: String) -> [String] { lines.filter { $0.first == role }.flatMap { $0.dropFirst() } }
            // What is one only as a whole, "pad thai", gives neither of its words away.
            let alone = words("kinds").filter { !$0.utf8.contains(UInt8(ascii: "_")) }
            func stems(_ words: [String]) -> StemSet {
                StemSet(fingerprints: Stemmer.fingerprints(ofStemsOf: words))
            }
            named = stems(words("named"))
            self.words = stems(words("named") + alone)
            lacks = stems(words("lacks"))
            fits = stems(words("fits"))
            kindWords = words("kinds").map {
                String(decoding: $0.utf8.map { $0 == UInt8(ascii: "_") ? 0x20 : $0 }, as: UTF8.self)
            }.joined(separator: ", ")
            isEaten = !words("eaten").isEmpty
        }
    }

    private static let only = Fingerprint.of("only")

    /// The words of all harms.
    static let everyWord = table.reduce(StemSet(fingerprints: [])) { $0.union($1.words) }

    /// In the order of the names.
    private static let table = TableText.harms.names.map { name in
        HarmWords(TableText.harms.entries(name).map { TableText.list($0.text) })
    }
}

/// The words by which an offer's title and tags call it fit: "vegan", but neither "not vegan" nor "vegan options".
private enum FitNames {
    static func names(in offer: SpokenWords) -> StemSet {
        let found = [offer.fields.title, offer.fields.tags].flatMap { text in
            text.words.indices.filter { !isChoice(behind: $0, in: text.words) && !isNo(before: $0, in: text.words) }
                .map { text.words[$0].stem }
        }
        return StemSet(fingerprints: found).without(offer.absence.lacked)
    }

    private static func isChoice(behind place: Int, in words: [WordFingerprint]) -> Bool {
        words[(place + 1)...].prefix(2).prefix { !$0.opensClause }.contains { choices.contains($0.word) }
    }

    private static func isNo(before place: Int, in words: [WordFingerprint]) -> Bool {
        !words[place].opensClause && place > 0 && words[place - 1].word == not
    }

    private static let not = Fingerprint.of("not")
    private static let choices = StemSet(fingerprints: TableText.cues.fingerprints("free choices"))
}

/// Whether a title names a thing to wear, to hang up or to use.
private enum WareName {
    static func isWare(_ fields: CleanedText.Fields, beside stem: UInt64?) -> Bool {
        guard let kind = kind(of: fields.title), wares.contains(kind) else { return false }
        let texts = [fields.title, fields.body, fields.tags]
        if texts.contains(where: { $0.words.contains { eaten.contains($0.stem) } }) { return false }
        // What a description names may come with the ware, unless it is what that is made of.
        return !fields.body.words.contains { $0.stem == stem && !(woods.contains($0.stem) && $0.word == $0.stem) }
    }

    /// The last word of a name, before any mark and what it is for; nil where it names several things.
    private static func kind(of title: TokenizedText) -> UInt64? {
        let vocabulary = AvoidVocabulary.shared
        var kind: UInt64?
        for (place, word) in title.words.enumerated() {
            if place > 0, word.opensClause { break }
            if vocabulary.isJoint(word.word) { return nil }
            if kind != nil, vocabulary.use(of: word.word) == .link { break }
            if !word.isStopWord { kind = word.stem }
        }
        return kind
    }

    private static let wares = stems("wares")
    private static let eaten = stems("eaten")
    private static let woods = stems("woods")

    private static func stems(_ section: String) -> StemSet {
        StemSet(fingerprints: Stemmer.fingerprints(ofStemsOf: TableText.cues.words(section)))
    }
}
