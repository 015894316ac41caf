/// The words of a text without markup, addresses, code and signs, cut into sentences.
struct PlainSentences {
    /// A megabyte is nobody's description: no more than this of a text is looked at.
    private static let mostScalars = 8_000

    private(set) var sentences: [[String]] = []
    private var sentence: [String] = []
    private var isForged = false

    init(_ text: String) {
        for word in Self.withoutTags(text).split(whereSeparator: \.properties.isWhitespace) { take(word) }
        endSentence()
    }

    private typealias Scalars = [Unicode.Scalar]

    private mutating func take(_ word: Scalars.SubSequence) {
        if word.contains(where: Self.isForgery) {
            endSentence()
            isForged = true
        }
        if word.contains(where: Self.isCode) || Self.isAddress(word) { return }
        var plain = String.UnicodeScalarView()
        for scalar in word {
            if Self.endsSentence(scalar) {
                add(&plain)
                // A point inside a number or a name, such as "2.5" or "dr.jones", parts words and no sentences.
                if scalar != "." || scalar == word.last { endSentence() }
            } else if Self.joinsWords(scalar) {
                plain.append(scalar == "\u{2019}" ? "'" : scalar)
            } else if scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) {
                plain.append(scalar)
            } else if !Self.isMark(scalar) {
                add(&plain)
            }
        }
        add(&plain)
    }

    private mutating func add(_ plain: inout String.UnicodeScalarView) {
        let hasWord = plain.contains { !Self.joinsWords($0) }
        if hasWord { sentence.append(String(plain)) }
        plain = String.UnicodeScalarView()
    }

    private mutating func endSentence() {
        let hasLetters = sentence.contains { $0.unicodeScalars.contains(where: \.properties.isAlphabetic) }
        if hasLetters, !isForged { sentences.append(sentence) }
        sentence = []
        isForged = false
    }

    private static func endsSentence(_ scalar: Unicode.Scalar) -> Bool {
        ".!?;:\u{2026}".unicodeScalars.contains(scalar)
    }

    private static func joinsWords(_ scalar: Unicode.Scalar) -> Bool { "'-&,\u{2019}".unicodeScalars.contains(scalar) }

    /// Accents of their own, joiners and the like stand inside a word.
    private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .spacingMark, .enclosingMark, .format: true
        default: false
        }
    }

    /// What makes a text read otherwise than it stands there.
    private static func isForgery(_ scalar: Unicode.Scalar) -> Bool { scalar == "\u{202D}" || scalar == "\u{202E}" }

    private static func isCode(_ scalar: Unicode.Scalar) -> Bool { "{}[]\\$=<>|^~`_@#".unicodeScalars.contains(scalar) }

    private static func isAddress(_ word: Scalars.SubSequence) -> Bool {
        let text = String(String.UnicodeScalarView(word.prefix(12))).lowercased()
        return text.contains("://") || text.hasPrefix("www.") || word.starts(with: "%".unicodeScalars)
    }

    /// The scalars of a text, every tag and entity a space, what stands in a script or a style left out.
    private static func withoutTags(_ text: String) -> Scalars {
        let scalars = Scalars(text.unicodeScalars.prefix(mostScalars))
        var plain: Scalars = []
        plain.reserveCapacity(scalars.count)
        var place = 0
        while place < scalars.count {
            if scalars[place] == "<", let end = endOfTag(in: scalars, from: place) {
                let name = name(of: scalars[place..<end])
                place = name == "script" || name == "style" ? endOfBlock(in: scalars, from: end) : end
                plain.append(" ")
            } else if scalars[place] == "&", let end = endOfEntity(in: scalars, from: place) {
                place = end
                plain.append(" ")
            } else {
                plain.append(scalars[place])
                place += 1
            }
        }
        return plain
    }

    /// The place after a tag that starts here; nil where a "<" is no tag's.
    private static func endOfTag(in scalars: Scalars, from start: Int) -> Int? {
        guard start + 1 < scalars.count else { return nil }
        let next = scalars[start + 1]
        guard next == "/" || next == "!" || next.properties.isAlphabetic else { return nil }
        let reach = scalars[start..<min(scalars.count, start + 400)]
        return reach.firstIndex(of: ">").map { $0 + 1 }
    }

    private static func name(of tag: Scalars.SubSequence) -> String {
        String(String.UnicodeScalarView(tag.dropFirst().prefix { $0.properties.isAlphabetic })).lowercased()
    }

    /// The place of the next closing tag, or the end.
    private static func endOfBlock(in scalars: Scalars, from start: Int) -> Int {
        var place = start
        while place + 1 < scalars.count, scalars[place] != "<" || scalars[place + 1] != "/" { place += 1 }
        return place + 1 < scalars.count ? place : scalars.count
    }

    private static func endOfEntity(in scalars: Scalars, from start: Int) -> Int? {
        let reach = scalars[start + 1..<min(scalars.count, start + 10)]
        guard let end = reach.firstIndex(of: ";"), end > start + 1 else { return nil }
        let isName = scalars[start + 1..<end].allSatisfy {
            $0.properties.isAlphabetic || ("0"..."9").contains($0) || $0 == "#"
        }
        return isName ? end + 1 : nil
    }
}
