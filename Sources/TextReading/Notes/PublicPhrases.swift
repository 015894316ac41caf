import EmbeddedFiles
package import KnotDomain
import TextEncoding

/// What of a phrase may be told to a provider: words that any catalogue knows, and nothing of people, health or addresses.
///
/// A phrase is made of a note, and a note names friends in small letters too. So it is not searched for what looks
/// private: of every phrase only the words are kept that stand in the reviewed tables, and the others are left out.
package struct PublicPhrases {
    /// The folded words that this vault uses as names.
    private let names: Set<String>

    package init(_ vault: Vault) {
        var names = Set(Tokenizer.words(of: vault.partnerName))
        for hint in vault.hints {
            names.formUnion(Self.namesOfNotes.value(of: hint.text) { Self.capitalised(in: hint.text) })
        }
        self.names = names
    }

    /// The public part of a phrase that serves; nil where nothing of it is left, or where it tells of somebody's health.
    package func phrase(_ text: String) -> String? {
        let read = Self.read(text)
        // Few phrases have a name in them.
        return read.words.contains(where: names.contains) ? Self.publicPart(of: text, names) : read.publicPart
    }

    /// The public part of a phrase that nobody made of a note, whatever the vault.
    package static func phrase(_ text: String) -> String? { read(text).publicPart }

    /// The public part of a like, which its user named as one: words of no table are things too.
    package func like(_ text: String) -> String? { Self.kept(text, names) { _ in true } }

    private static let namesOfNotes = TextMemory<Set<String>>(capacity: 1_024)

    /// A phrase's words, and what of it is public where none of them is a name.
    private struct ReadPhrase: Sendable {
        let words: [String]
        let publicPart: String?
    }

    /// What was read last: most vaults are served by the same phrases of the same tables.
    private static let known = TextMemory<ReadPhrase>(capacity: 8_192)

    private static func read(_ text: String) -> ReadPhrase {
        known.value(of: text) {
            ReadPhrase(words: Tokenizer.words(of: text, limit: 40), publicPart: publicPart(of: text, []))
        }
    }

    private static func publicPart(of text: String, _ names: Set<String>) -> String? {
        kept(text, names) { vocabulary[$0.fingerprint] != nil }
    }

    /// Returns the part of a place that the gazetteer knows: names of people, houses and streets are no town.
    package func place(_ place: Place?) -> Place? {
        guard let place else { return nil }
        let state = place.state.flatMap { Self.isRegion($0, in: place.country) ? $0 : Self.town($0) }
        return Place(city: Self.town(place.city), state: state, country: place.country)
    }

    private static func town(_ name: String?) -> String? {
        name.flatMap { name in towns.value(of: name) { readTown(name) } }
    }

    private static let towns = TextMemory<String?>(capacity: 1_024)

    /// Reads the first part that is a town, such as "Macon" in "12 Elm Street, 31201 Macon GA".
    private static func readTown(_ name: String) -> String? {
        for part in name.split(separator: ",") {
            let words = part.split(whereSeparator: \.isWhitespace).map(String.init)
            let whole = words.joined(separator: " ")
            // "6th of October" is a town; any other number is a house's or a postman's.
            if isTown(whole) { return whole }
            if words.contains(where: { streets.contains($0.lowercased().filter(\.isLetter)) }) { continue }
            let named = words.filter { !hasDigit($0) && $0.contains(where: \.isLetter) }
            for count in stride(from: named.count, to: 0, by: -1) {
                let town = named.prefix(count).joined(separator: " ")
                let rest = named.dropFirst(count).joined(separator: " ")
                if isTown(town), rest.isEmpty || isRegion(rest, in: nil) { return town }
            }
            for start in named.indices.dropFirst() {
                let town = named[start...].joined(separator: " ")
                if isTown(town) { return town }
            }
        }
        return nil
    }

    private static func isTown(_ name: String) -> Bool { !Gazetteer.shared.towns(named: name).isEmpty }

    private static func isRegion(_ name: String, in country: String?) -> Bool {
        let country = country.map(Gazetteer.country)
        return Regions.isKnown(Regions.code(of: Gazetteer.folded(name), in: country), in: country)
    }

    private static let streets = Set(TableText.cues.words("streets"))

    private static func kept(_ text: String, _ names: Set<String>, isPublic: (Token) -> Bool) -> String? {
        var kept: [String] = []
        var saysSomething = false
        let tokens = Tokenizer.tokens(of: text, limit: 40)
        for (place, token) in tokens.enumerated() {
            let word = token.text
            if health.contains(token.fingerprint) { return nil }
            if names.contains(word) || hasDigit(word) || isSpelledNumber(tokens, place) { continue }
            guard token.isStopWord || isPublic(token) else { continue }
            kept.append(word)
            if !token.isStopWord { saysSomething = true }
        }
        // What stood around a word that was left out joins nothing any more.
        while let last = kept.last, joints.contains(last) { kept.removeLast() }
        while let first = kept.first, joints.contains(first) { kept.removeFirst() }
        return saysSomething ? kept.joined(separator: " ") : nil
    }

    /// Digits of any script, by bytes where the word is ASCII, as most are; numerals as in 東京 and 三味線 are letters.
    private static func hasDigit(_ word: String) -> Bool {
        if word.utf8.contains(where: { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) { return true }
        return word.utf8.contains { $0 >= 0x80 }
            && word.unicodeScalars.contains { [.decimal, .digit].contains($0.properties.numericType) }
    }

    /// Whether a numeral stands among so many that they spell a telephone number.
    private static func isSpelledNumber(_ tokens: [Token], _ place: Int) -> Bool {
        func isNumeral(_ token: Token) -> Bool {
            !token.text.utf8.contains { $0 < 0x80 } && token.text.allSatisfy(\.isNumber)
        }
        guard isNumeral(tokens[place]) else { return false }
        let before = tokens[..<place].reversed().prefix(while: isNumeral).count
        return before + tokens[place...].prefix(while: isNumeral).count >= leastSpelled
    }

    private static let leastSpelled = 4

    private static let joints = Set(TableText.cues.words("joints"))

    /// Words with a capital where none opens a sentence: of these a catalogue's own words are things, unless people are
    /// called so too.
    private static func capitalised(in text: String) -> Set<String> {
        var found: Set<String> = []
        var opens = true
        var isInside = false
        let bytes = Array(text.utf8)
        var place = 0
        // By bytes, since most words have no capital and are passed over.
        while place < bytes.count {
            let byte = bytes[place]
            if byte == 0xE2 {
                // Dashes and curly quotes.
                isInside = false
                place += 3
                continue
            }
            let isLetter = byte >= 0x80 || (0x61...0x7A).contains(byte | 0x20) || byte == 0x27
            let isFirst = isLetter && !isInside
            if isFirst, (0x41...0x5A).contains(byte) || byte >= 0x80 && startsInCapital(rest(of: text, place)) {
                for token in Tokenizer.tokens(of: String(rest(of: text, place).prefix(40)), limit: 1) {
                    let isName = givenNames.contains(token.text)
                    if isName || !opens && vocabulary[token.fingerprint] == nil { found.insert(token.text) }
                }
            }
            if isLetter {
                opens = false
            } else {
                switch byte {
                case UInt8(ascii: "."), UInt8(ascii: "!"), UInt8(ascii: "?"), UInt8(ascii: ":"), UInt8(ascii: ";"),
                    UInt8(ascii: "\""):
                    opens = true
                default: break
                }
            }
            isInside = isLetter
            place += 1
        }
        return found
    }

    private static func startsInCapital(_ text: Substring) -> Bool { text.first?.isUppercase == true }

    /// The text from a byte on.
    private static func rest(of text: String, _ place: Int) -> Substring {
        text[text.utf8.index(text.startIndex, offsetBy: place)...]
    }

    /// The stems of the reviewed tables' catalogue words.
    ///
    /// They are kept as a list of their own, which a test holds to the tables, so that a run without rules does not read
    /// the rules' tables for them.
    private static let vocabulary = FingerprintTable(
        of: TableText.words(of: EmbeddedFile.bytes(named: "public-words.txt")[...]).map { Fingerprint.of($0) }
    )

    /// Given names that are words of a catalogue as well: with a capital they are taken for somebody's.
    private static let givenNames = Set(TableText.cues.words("given names"))

    /// Words that tell of somebody's body or mind.
    static let health = Set(Stemmer.fingerprints(ofStemsOf: TableText.cues.words("health")))
}
